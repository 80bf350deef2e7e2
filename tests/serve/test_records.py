"""Finished games: replayed, judged, downloaded, uploaded, deleted."""

import json
import random

import pytest

import fuda
from fuda.agents import agent_info
from fuda.agents.ties import best_move
from fuda.records import dumps, loads
from fuda.serve import protocol
from fuda.serve.outcomes import end_of
from tests.serve.harness import Owner
from tests.serve.test_tables import as_json, play_out, random_seats


def valued(game: str) -> str:
    """The fastest kind of agent that has values: one that does not search, where there is one."""
    infos = {name: agent_info(name) for name in fuda.list_agents(game)}
    names = [name for name, info in infos.items() if info.unit is not None]
    return min(names, key=lambda name: infos[name].searches)


def played(game: str, seed: int = 4, moves: int | None = None) -> fuda.Match:
    match = fuda.game(game).start(seed, players=["<b>"] + ["x"] * (fuda.game(game).spec.seats - 1))
    luck = random.Random(seed)
    while not match.over and moves != 0:
        match.play(luck.choice(match.legal()))
        moves = None if moves is None else moves - 1
    return match


@pytest.mark.parametrize("game", fuda.list_games())
def test_upload_replay_judge_download(owner: Owner, game: str):
    match = played(game)
    info = owner.ask("POST", "/records", {"file": dumps(match)})
    protocol.RecordInfo.model_validate(info)
    assert info["source"] == "upload"
    assert info["scores"] == match.scores
    assert info["players"][0] == "<b>"  # text is text; the page shows it as such
    where = f"/records/{info['record']}"
    assert loads(owner.ask("GET", f"{where}/file").decode(), "download") == match

    again, seq = fuda.game(game).start(4), 0
    total = len(match.moves) + 1
    while seq < total:
        part = owner.ask("GET", f"{where}/replay?first={seq}&count=20")
        protocol.Replay.model_validate(part)
        assert part["total"] == total
        for step in part["steps"]:
            if seq:
                again.play(match.moves[seq - 1][1])
            assert step["seq"] == seq
            assert step["legal"] == again.legal()
            for seat, view in enumerate(step["views"]):
                assert as_json(again.events(seat)) == step["events"][seat]
                assert view == {key: value for key, value in again.view(seat).items() if key != "history"}
            seq += 1
    assert owner.ask("GET", f"{where}/replay?first={total + 5}")["steps"] == []

    judged = owner.ask("POST", f"{where}/values", {"agent": valued(game), "first": 3, "count": 4})
    protocol.RecordValues.model_validate(judged)
    assert [row["seq"] for row in judged["values"]] == [3, 4, 5, 6]
    for row in judged["values"]:
        assert (row["seat"], row["move"]) == match.moves[row["seq"]]
        if row["cost"] is not None:
            assert row["cost"] >= 0
            assert row["best"] == best_move(row["values"], match.game.spec, judged["unit"])
    assert owner.ask("POST", f"{where}/values", {"agent": valued(game), "first": total})["values"] == []

    owner.ask("DELETE", where)
    assert owner.ask("GET", "/records")["records"] == []


@pytest.mark.parametrize("name", ["doudizhu/best", "doudizhu/best-point"])
def test_bids_are_judged_where_they_have_the_unit_of_the_cards(owner: Owner, name: str):
    """Of an answer all values are in one unit: points of bids cannot stand beside chances to win."""
    match = fuda.game("doudizhu", bidding="on").start(4)
    while not match.over:
        match.play(match.legal()[-1] if match.awaits_bid else match.legal()[0])
    info = owner.ask("POST", "/records", {"file": dumps(match)})
    judged = owner.ask("POST", f"/records/{info['record']}/values", {"agent": name, "first": 0, "count": 3})
    bid, *cards = judged["values"]
    assert bid["move"] == "bid3"
    assert judged["unit"] == agent_info(name).unit
    has_values = agent_info(name).bid_unit == judged["unit"]
    assert (bid["values"] is not None) == (bid["cost"] is not None) == has_values
    assert all(row["values"] for row in cards)


def test_a_record_that_does_not_replay_is_refused(owner: Owner):
    good = dumps(played("gongzhu"))
    lines = good.splitlines()
    moved = json.loads(lines[3])
    for text in (
        "", "nonsense\n", good[:-1], good.replace('"seat": 1', '"seat": 2', 1), good + good,
        "\n".join([*lines[:3], json.dumps(moved | {"move": "XX"}), *lines[4:]]) + "\n",
        lines[0].replace('"rules_version": 1', '"rules_version": 99') + "\n" + "\n".join(lines[1:]) + "\n",
        "[" * 5000 + "\n", '{"fuda_record": 1}\n', good.replace("gongzhu", "../gongzhu"), "\ud800\n",
    ):  # fmt: skip
        status, answer = owner.server.request("POST", "/api/v1/records", {"file": text}, owner.secret)
        assert (status, answer["error"]["code"]) in ((400, "bad_record"), (400, "bad_json")), text[:80]
    assert owner.ask("GET", "/records")["records"] == []
    status, answer = owner.server.request("POST", "/api/v1/records", {"file": "x" * 1_100_000}, owner.secret)
    assert (status, answer["error"]["code"]) == (413, "too_large")


def test_others_do_not_see_ones_records(owner: Owner):
    info = owner.ask("POST", "/records", {"file": dumps(played("gongzhu"))})
    other = Owner(owner.server)
    assert other.ask("GET", "/records")["records"] == []
    for method, path, body in (
        ("GET", "file", None), ("GET", "replay", None), ("POST", "values", {"agent": "gongzhu/uct"}),
    ):  # fmt: skip
        path = f"/api/v1/records/{info['record']}/{path}"
        assert owner.server.request(method, path, body, other.secret)[0] == 404
    assert owner.server.request("DELETE", f"/api/v1/records/{info['record']}", None, other.secret)[0] == 404
    assert len(owner.ask("GET", "/records")["records"]) == 1


@pytest.mark.parametrize(
    ("margins", "ends"),
    [
        ([12.0, -12.0], ["wins", "losses"]),
        ([0.0, 0.0], ["draws", "draws"]),
        ([-1.0, 1.0, -1.0, 1.0], ["losses", "wins", "losses", "wins"]),
        # Over the mean of the others, but second of four.
        ([1.0, 5.0, -3.0, -3.0], ["losses", "wins", "losses", "losses"]),
    ],
)
def test_of_several_sides_the_best_win(margins: list[float], ends: list[str]):
    assert [end_of(margins, seat) for seat in range(len(margins))] == ends


def test_results_count_wins_by_opponents(owner: Owner):
    luck = random.Random(6)
    outcomes = []
    for _ in range(3):
        client = owner.sit(owner.new_table("gongzhu", random_seats("gongzhu")))
        play_out(client, luck)
        client.close()
        scores = client.seen[-1]["result"]["scores"]
        margin = scores[0] + scores[2] - scores[1] - scores[3]
        assert client.seen[-1]["result"]["margins"] == [margin, -margin, margin, -margin]
        outcomes.append(margin)
    (standing,) = owner.ask("GET", "/results")["results"]
    assert standing["agents"] == ["gongzhu/random"] * 3
    assert standing["plain"] == {
        "games": 3,
        "wins": sum(margin > 0 for margin in outcomes),
        "draws": sum(margin == 0 for margin in outcomes),
        "losses": sum(margin < 0 for margin in outcomes),
        "resigned": 0,
    }
