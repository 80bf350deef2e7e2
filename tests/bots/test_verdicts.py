"""Bots that fail in every way: the verdict, the other side's result, no hang, and nothing left running."""

import re
import sys

import numpy as np
import pytest

import fuda
from fuda.agents import agent_of
from fuda.arena.duel import play_deals
from fuda.bots.limits import Limits
from fuda.bots.process import BotFault, BotProcess
from tests.bots.programs import bad_bot, first_bot, new_mark, nothing_left, processes

GAME = fuda.game("koikoi", rounds=1)
PATIENT = {"move_seconds": 60.0, "load_seconds": 60.0}  # of a verdict that does not come from the clock
HASTY = {"move_seconds": 0.4, "load_seconds": 60.0}


def play(mode: str, **limits: object) -> tuple[np.ndarray, dict[str, int], list[str]]:
    """A deal in both seatings; the margins, the verdicts, the examples."""
    mark = new_mark()
    bot = fuda.agent(f"bot:{bad_bot(mode, mark)}", game="koikoi", **(PATIENT | limits))
    assert processes(mark)
    margins = play_deals(GAME, [bot, agent_of("koikoi", "koikoi/random")], 3, 0, 1)
    bot.close()
    assert nothing_left(mark)
    return margins, dict(bot.verdicts), bot.examples


@pytest.mark.parametrize(
    ("mode", "verdict", "said"),
    [
        ("illegal", "illegal", "'no such move' cannot be played: a card is text"),
        ("exit", "crash", "it ended with exit code 3"),
        ("killed", "crash", "it was ended by signal 9"),
        ("closes", "crash", "it has closed its input or output"),
        ("long", "too_long", "a line has more than 1,048,576 bytes"),
        ("flood", "bad_message", r"id is \d+, not 0"),
        ("text", "not_json", "Expecting value"),
        ("bytes", "not_json", "can't decode byte"),
        ("nan", "not_json", "NaN is no number of JSON"),
        ("deep", "not_json", "recursion"),
        ("wrong_id", "bad_message", r"id is \d+, not \d+"),
        ("wrong_type", "bad_message", "'move' is the answer to 'act', not 'pong'"),
        ("unknown_key", "bad_message", "has the key 'extra', which is unknown"),
        ("nothing", "bad_message", "either a move or resign: true"),
        ("twice", "bad_message", r"id is \d+, not \d+"),
        ("foreign_values", "bad_message", "a value of 'no such move', which is no legal move"),
        ("forks", "crash", "it ended with exit code 0"),
    ],
)
def test_each_failure_has_its_verdict_and_the_match_goes_on(mode: str, verdict: str, said: str):
    margins, verdicts, examples = play(mode)
    assert margins.shape == (1, 2)
    assert np.isfinite(margins).all()
    assert verdicts == {verdict: 2}  # once in each match
    assert len(examples) == 2
    assert all(re.search(f"{verdict}: .*{said}", example) for example in examples), examples


def test_too_late_and_deaf():
    """The clock runs while we wait; who has not even read is told apart from who thinks."""
    assert play("late", move_seconds=2.0)[1] == {"timeout": 2}
    assert play("deaf", **HASTY)[1] == {"stalled": 2}


def test_no_time_left_on_the_clock_of_the_match():
    mark = new_mark()
    bot = fuda.agent(f"bot:{bad_bot('none', mark)}", game="koikoi", match_seconds=1e-1, move_seconds=60.0)
    match = GAME.start(1)
    seat = bot.sit(match, match.seat, "place", 0)
    seat.left = 0.0
    assert bot.moves([seat], bot._rng)[0] in match.legal()
    assert bot.verdicts == {"timeout": 1}
    bot.close()


def test_memory_and_processor_time_have_limits():
    assert play("memory", memory_mib=256)[1] == {"crash": 2}
    bot = BotProcess([sys.executable, "-I", "-S", "-c", "input()\nwhile True: pass"], Limits(cpu_seconds=1))
    with pytest.raises(BotFault, match="crash: it was ended by signal"):
        bot.ask(b"\n", 300.0)
    bot.close()


def test_what_it_prints_to_standard_error_does_no_harm():
    assert play("stderr")[1] == {}


def test_who_resigns_has_lost():
    margins, verdicts, _ = play("resigns")
    assert verdicts == {"resigned": 2}
    assert (margins <= -1).all()


def test_forfeit_loses_and_the_fallback_may_win():
    lost, verdicts, _ = play("exit", on_verdict="forfeit")
    stood_in, _, _ = play("exit")
    assert verdicts == {"crash": 2}
    assert (lost == np.minimum(stood_in, -1)).all()
    # A bot without fault on the same deal, whatever its opponent's luck was.
    sound = fuda.agent(f"bot,on_verdict=forfeit,game=koikoi:{first_bot()}")
    play_deals(GAME, [sound, agent_of("koikoi", "koikoi/random")], 3, 0, 1)
    assert not sound.verdicts
    sound.close()


def test_the_other_side_is_counted_also_when_the_bot_is_second():
    mark = new_mark()
    bot = fuda.agent(f"bot,game=koikoi,on_verdict=forfeit:{bad_bot('exit', mark)}")
    result = fuda.duel(GAME, "koikoi/random", bot, games=4)
    assert (result.wins, result.games) == (4, 4)
    assert result.verdicts == {bot.name: {"crash": 4}}
    assert result.as_dict()["verdicts"] == result.verdicts
    assert fuda.Result.from_dict(result.as_dict()) == result
    bot.close()


def test_no_hello_says_why():
    mark = new_mark()
    with pytest.raises(fuda.AgentError, match=r"does not say hello: (timeout|stalled)"):
        fuda.agent(f"bot,game=koikoi,load_seconds=0.3:{bad_bot('no_hello', mark)}")
    assert nothing_left(mark)
    with pytest.raises(fuda.AgentError, match=r"exit code 2; its last words: .*can't open file"):
        fuda.agent(f"bot,game=koikoi:{bad_bot('x', mark).replace('bad_bot', 'no_bot')}")


def test_a_bot_that_cannot_be_started_again_is_not_waited_for_for_ever():
    """Three times in a row, then each further match is judged at once."""
    mark = new_mark()
    bot = fuda.agent(f"bot,game=koikoi:{bad_bot('exit', mark)}")
    process = bot._bots[0]
    process.close()
    process.command[-2], process.limits = "no_hello", Limits(load_seconds=0.1)
    match = GAME.start(1)
    for number in range(6):
        bot.moves([bot.sit(match, match.seat, "place", number)], bot._rng)
    assert sum(bot.verdicts.values()) == 6
    assert process.number == 1 + 3
    assert "did not start 3 times in a row" in bot.examples[-1]
    bot.close()
    assert nothing_left(mark)


def test_verdicts_of_a_tournament_are_those_of_its_workers(tmp_path):
    """Whoever plays the units, and when the tournament is read again."""
    mark = new_mark()
    bot = f"bot:{bad_bot('illegal', mark)}"
    asked = {"agents": [bot, "koikoi/random", "koikoi/classical"], "deals": 2, "seed": 3, "out": tmp_path}
    for _ in range(2):
        found = fuda.tournament(GAME, **asked, workers=2)
        assert {pair: result.verdicts for pair, result in found.items()} == {
            (bot, "koikoi/random"): {bot: {"illegal": 4}},
            (bot, "koikoi/classical"): {bot: {"illegal": 4}},
            ("koikoi/random", "koikoi/classical"): {},
        }
    assert nothing_left(mark)
