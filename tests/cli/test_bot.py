"""`fuda bot`, and bots on the other command lines."""

import json
from pathlib import Path

import pytest

import fuda
from fuda.arena import bot_check
from tests.bots.programs import EXAMPLES, HERE, PLAIN, bad_bot, first_bot, new_mark, nothing_left

SOUND = [
    "says hello", "answers a ping", "plays 2 matches as usual", "plays 2 matches under the preset showing",
    "plays 2 matches under the preset match", "plays 2 matches with leader=3",
    "plays 2 matches with leader=3, showing=on, target=332",
    "goes on when it is started again within a match", "says nothing that nobody asked for",
    "ends when its input ends",
]  # fmt: skip


def test_check_of_a_sound_bot(run):
    code, out, err = run("bot", "check", first_bot(), "--game", "gongzhu", "--matches", 3, "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["is_sound"]
    assert [rule["name"] for rule in report["rules"]] == SOUND
    assert all(rule["is_kept"] for rule in report["rules"])
    assert report["figures"]["matches"] == 10
    assert report["figures"]["decisions"] > 10 * 13


@pytest.mark.parametrize("game_id", fuda.list_games())
def test_check_meets_every_option_away_from_its_default(game_id: str):
    for seed in range(20):
        tables = [table for _, table in bot_check._tables(game_id, seed)]
        for option in fuda.game(game_id).spec.options:
            assert any(table.all_options[option.name] != option.default for table in tables)
        implied = [option for option in tables[0].spec.options if option.implied]
        assert all(tables[-1].all_options[option.name] != option.default for option in implied)


def test_check_of_a_bot_with_batches_and_values(run):
    command = f"{PLAIN} {HERE / 'memory_bot.py'} since 8"
    code, out, _ = run("bot", "check", f"bot,move_seconds=60:{command}", "--game", "gongzhu", "--matches", 3)
    assert code == 1  # it answers no ping
    lines = out.splitlines()
    assert lines[0] == f"Memory: bot,move_seconds=60:{command}"
    assert lines[1] == "  ok      says hello"
    assert lines[2].startswith("  FAILED  answers a ping: crash: it ended with exit code")
    assert lines[-1] == "It does not keep all rules."


@pytest.mark.parametrize(
    ("mode", "rule"),
    [("illegal", "plays 2 matches as usual"), ("resists", "ends when its input ends")],
)
def test_check_finds_what_a_bot_does_wrong(run, mode: str, rule: str, monkeypatch):
    monkeypatch.setattr(bot_check, "SECONDS_TO_END", 0.3 if mode == "resists" else 60.0)
    mark = new_mark()
    code, out, _ = run("bot", "check", bad_bot(mode, mark), "--game", "gongzhu", "--matches", 1, "--json")
    report = json.loads(out)
    assert code == 1
    assert rule in [found["name"] for found in report["rules"] if not found["is_kept"]]
    assert "answers a ping" in [found["name"] for found in report["rules"] if found["is_kept"]]
    assert nothing_left(mark)


def test_bad_commands(refused):
    assert "there is no program 'no-such-program'" in refused(
        "bot", "check", "no-such-program", "--game", "koikoi"
    )
    assert "there is no game" in refused("bot", "check", first_bot(), "--game", "chess")
    assert "--matches is from 1" in refused("bot", "check", first_bot(), "--game", "koikoi", "--matches", 0)
    assert "does not say hello: crash: it ended with exit code 127" in refused(
        "duel", "koikoi", "bot:/no/such/program", "koikoi/random"
    )
    talker = "bot:sh -c 'echo hello; exec cat'"  # which goes on after it
    assert "does not say hello: not_json" in refused("duel", "koikoi", talker, "koikoi/random")
    assert "there is no agent" in refused("bot", "serve", "koikoi/nobody")


def test_what_a_bot_says_is_shown_in_play(run, tmp_path: Path, monkeypatch):
    """As plain text, whatever is in it."""
    typed = iter(["1"] * 4)

    def type_it(prompt: str = "") -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", type_it)
    name, path = f"bot:{bad_bot('talks', new_mark())}", tmp_path / "match.jsonl"
    code, out, _ = run("play", "gongzhu", "--against", name, "--seed", 1, "--record", path)
    assert code == 0
    notes = [line for line in out.splitlines() if line.endswith("A [bold] move,?[2J :smile:")]
    assert notes
    assert {line.partition(":")[0] for line in notes} <= {"Bad 1", "Bad 2", "Bad 3"}
    assert out.index(notes[0]) > out.index("plays"), "under the move"


def test_a_duel_tells_the_verdicts(run, tmp_path: Path):
    mark, out = new_mark(), tmp_path / "out.json"
    name = f"bot,on_verdict=forfeit:{bad_bot('exit', mark)}"
    arguments = ("duel", "koikoi", name, "koikoi/random", "--games", 4, "-o", "rounds=1", "--out", out)
    code, text, _ = run(*arguments)
    assert code == 0
    assert f"  {name} failed in 4 matches, which it lost by that: 4 crash\n" in text
    assert "crash: it ended with exit code 3" in text
    assert json.loads(out.read_text())["result"]["verdicts"] == {name: {"crash": 4}}
    code, text, _ = run(*arguments, "--json")
    assert json.loads(text)["verdicts"] == {name: {"crash": 4}}


def test_a_bot_records_a_game(run, tmp_path: Path):
    """Its command may be longer than a record's names, and its verdicts are told."""
    out = tmp_path / "game.jsonl"
    name = f"bot:{bad_bot('exit', new_mark())} {'x' * 100}"
    code, text, err = run(
        "record", "new", "gongzhu", "--agent", "gongzhu/greed", "--agent", name, "--agent", "gongzhu/greed",
        "--agent", "gongzhu/greed", "--seed", 1, "--out", out,
    )  # fmt: skip
    assert (code, err) == (0, "")
    match = fuda.records.load(out)
    assert len(match.moves) == 52
    assert match.players[1] == f"{name[:77]}..."
    assert "Bad did not play to the end (1 crash): match 1, move " in text


def test_a_duel_does_not_go_on_with_another_program(refused, run, tmp_path: Path):
    program, out = tmp_path / "bot.py", tmp_path.parent / f"{tmp_path.name}.json"
    program.write_text((EXAMPLES / "first.py").read_text())
    arguments = ("duel", "koikoi", f"bot:{PLAIN} {program}", "koikoi/random", "--games", 2, "--out", out)
    assert run(*arguments, "-o", "rounds=1")[0] == 0
    program.write_text(program.read_text() + "# changed\n")
    assert "is not the result of this duel" in refused(*arguments, "-o", "rounds=1")
