"""`fuda play` with several other seats, and a script at the keyboard."""

import io

import pytest

import fuda
from fuda import records
from fuda.cli import main, play

ALWAYS_THE_FIRST = "1\n" * 100  # more answers than a match asks for


@pytest.fixture
def sit_down(monkeypatch, capsys, tmp_path):
    """Play a match with the first legal move, or with given answers; the screen and the record."""

    def run(*arguments, answers=ALWAYS_THE_FIRST):
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        monkeypatch.setenv("COLUMNS", "80")
        path = tmp_path / "match.jsonl"
        with pytest.raises(SystemExit) as end:
            main(["play", *arguments, "--seed", "1", "--record", str(path)])
        out, errors = capsys.readouterr()
        return (out, records.load(path)) if end.value.code == 0 else errors

    return run


def against(*names):
    return [part for name in names for part in ("--against", name)]


def test_one_agent_fills_all_other_seats(sit_down):
    screen, match = sit_down("gongzhu", *against("gongzhu/if"), "--seat", "1")
    assert match.over
    assert match.players == ["gongzhu/if", "you", "gongzhu/if", "gongzhu/if"]
    for name in ("Mr. If 1", "Mr. If 2", "Mr. If 3", "You"):
        assert f"{name} play" in screen
    assert "Mr. If plays" not in screen
    assert max(map(len, screen.splitlines()[:-1])) <= 80  # the last is the record's path


def test_three_different_agents(sit_down):
    screen, match = sit_down("gongzhu", *against("gongzhu/if", "gongzhu/random", "gongzhu/greed"))
    assert match.over
    assert match.players == ["you", "gongzhu/if", "gongzhu/random", "gongzhu/greed"]
    assert "Mr. If plays" in screen
    assert "Mr. Greed plays" in screen


def test_koikoi(sit_down):
    _, match = sit_down("koikoi", *against("koikoi/random"), "-o", "rounds=1")
    assert match.over


# The lowest move when leading; when following the lowest that beats, else pass. One of the two is legal.
LOWEST_OR_PASS = "11\n0\n" * 100


@pytest.mark.parametrize(
    ("bidding", "answers"), [("off", LOWEST_OR_PASS), ("on", f"bid 3\n{LOWEST_OR_PASS}")]
)
def test_doudizhu(sit_down, bidding, answers):
    arguments = ("doudizhu", *against("doudizhu/rhcp-partner"), "-o", f"bidding={bidding}")
    screen, match = sit_down(*arguments, answers=answers)
    assert match.over
    assert match.players == ["you", "doudizhu/rhcp-partner", "doudizhu/rhcp-partner"]
    assert ("You are the landlord for 3" in screen) == (bidding == "on")
    for words in (
        "Landlord You",
        "Peasant  RHCP with a partner 1",
        "You play",
        "You lead. What do you play?",
    ):
        assert words in screen
    assert "The match is over" in screen
    assert max(map(len, screen.splitlines()[:-1])) <= 81  # a line of an error has a space at its end


def test_doudizhu_cards_as_people_type_them(sit_down):
    longest = max(fuda.game("doudizhu").start(1).legal(), key=len)
    typed = " ".join(reversed(longest.lower())).replace("t", "10")
    _, match = sit_down("doudizhu", *against("doudizhu/rhcp"), answers=f"x\n{typed}\nquit\n")
    assert match.moves[0] == (0, longest)


def test_doudizhu_q_is_a_queen(sit_down):
    screen, match = sit_down("doudizhu", *against("doudizhu/rhcp"), answers="?\nq\nquit\n")
    assert "• 3.2 Chains go from 3 to A at most" in screen
    assert "quit leaves the table" in screen
    assert match.moves[:1] == [(0, "Q")] or "'Q' cannot be played" in screen


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (against("gongzhu/if", "gongzhu/if"), "give --against once, or 3 times, not 2 times"),
        (against("koikoi/random"), "koikoi/random does not play gongzhu"),
        ([*against("gongzhu/if"), "--seat", "4"], "--seat is 0 to 3, not 4"),
    ],
)
def test_what_cannot_be_played(sit_down, arguments, message):
    assert message in sit_down("gongzhu", *arguments)


def test_rules_wrong_answers_and_leaving(sit_down):
    screen, match = sit_down("gongzhu", *against("gongzhu/if"), answers="?\nSX\n99\nq\n")
    assert "• 3.2 The others follow in order" in screen
    assert "'SX' cannot be played" in screen
    assert "'99' cannot be played" in screen
    assert "You left the table." in screen
    assert not match.over


def seated(seat, *names):
    agents = [fuda.agent(f"gongzhu/{name}") for name in names]
    return play._names([*agents[:seat], None, *agents[seat:]], seat)


def test_agents_of_one_title_are_numbered_in_order_of_play():
    assert seated(0, "greed", "greed", "greed") == ["You", "Mr. Greed 1", "Mr. Greed 2", "Mr. Greed 3"]
    assert seated(2, "greed", "greed", "greed") == ["Mr. Greed 2", "Mr. Greed 3", "You", "Mr. Greed 1"]
    assert seated(0, "greed", "if", "greed") == ["You", "Mr. Greed 1", "Mr. If", "Mr. Greed 2"]
    assert seated(1, "if", "greed", "if") == ["Mr. If 2", "You", "Mr. Greed", "Mr. If 1"]
