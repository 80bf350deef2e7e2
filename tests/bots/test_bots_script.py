"""The script that measures what a question to a bot costs, with a match or two."""

import pytest

import fuda


@pytest.mark.parametrize("size", [1, 8])
def test_our_agents_are_measured_through_the_protocol(bench_script, monkeypatch, size: int):
    """All positions are asked, in messages of that size; what the agent takes by itself is left out."""
    bots = bench_script("bots")
    for name, value in {"MATCHES": 1, "REPEATS": 1}.items():
        monkeypatch.setattr(bots, name, value)
    own = "doudizhu/random"
    inside = []
    timed = bots.inside

    def noted(*given: object) -> list[float]:
        inside.append(timed(*given))
        return inside[-1]

    whole = []
    asked = bots.asked
    monkeypatch.setattr(bots, "asked", lambda *given: whole.append(asked(*given)) or whole[-1])
    monkeypatch.setattr(bots, "inside", noted)
    row = bots.measure("doudizhu", "fuda bot serve, bytes", bots.served(own), ["bytes"], size, own)
    left = [all_of_it - part for all_of_it, part in zip(whole[-1], inside[-1], strict=True)]
    match = fuda.game("doudizhu").start(bots.FIRST_SEED)
    player = fuda.agent(own)
    while not match.over:
        match.play(player.choose(match))
    assert row["questions"] == len(left) == len(match.moves) // size
    assert row["milliseconds a decision, mean"] == pytest.approx(sum(left) / len(left))
    assert all(part > 0 for part in inside[-1])
