"""Games as text: what the rules allow is read, everything else is refused with its line."""

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

import fuda
from fuda.cli import app
from fuda.core.errors import LineError, RecordError
from fuda.games.doudizhu import deeprocket_encoding
from fuda.games.doudizhu.game_text import FORMAT, read_games
from fuda.records import load, load_foreign_all
from fuda.training.played import Replayer, pack
from fuda.training.played import read_games as read_packed

PAGE = Path(__file__).parents[3] / "docs/doudizhu-records.md"
EXAMPLE = re.search(rf"```\n({FORMAT}\n.*?)```", PAGE.read_text(), re.S)[1]
LINES = EXAMPLE.splitlines()


def as_text(match: fuda.Match) -> str:
    """A match in the format, by its own rules."""
    deal, is_bidding = match.deals[0], match.game.options["bidding"] == "on"
    hands = list(deal["hands"])
    if not is_bidding:
        for card in deal["bottom"]:
            hands[0] = hands[0].replace(card, "", 1)
    bids = [move[3:] for _, move in match.moves if move.startswith("bid")]
    plays = [move for _, move in match.moves if not move.startswith("bid")]
    who = f"bids {' '.join(bids)}" if is_bidding else "landlord 0"
    return "\n".join(
        [
            f"hands {' '.join(hands)}",
            f"bottom {deal['bottom']}",
            who,
            *(f"plays {' '.join(plays[start : start + 9])}" for start in range(0, len(plays), 9)),
        ]
    )


def played(seed: int, bidding: str) -> fuda.Match:
    match = fuda.game("doudizhu", bidding=bidding).start(seed)
    agent = fuda.agent("doudizhu/rhcp-partner")
    while not match.over:
        match.play(agent.choose(match))
    return match


def played_once(seed: int, bidding: str) -> fuda.Match:
    """A match whose cards were dealt once."""
    found = played(seed, bidding)
    return found if len(found.deals) == 1 else played_once(seed + 100, bidding)


@pytest.mark.parametrize("bidding", ["off", "on"])
def test_games_come_back_as_they_were_played(bidding):
    matches = [played_once(seed, bidding) for seed in range(6)]
    text = f"{FORMAT}\n\n" + "\n\n# the next\n".join(map(as_text, matches)) + "\n"
    found = read_games(text)
    assert [match.moves for match in found] == [match.moves for match in matches]
    assert [match.deals for match in found] == [match.deals for match in matches]
    assert [match.scores for match in found] == [match.scores for match in matches]
    assert {match.game.options["bidding"] for match in found} == {bidding}


def test_the_example_of_the_page_is_a_game():
    [match] = read_games(EXAMPLE)
    assert match.players == ["Bo", "Chen", "Anna"]  # the landlord sits in seat 0
    assert match.scores == [1, -1, -1]


def test_cards_come_in_any_order():
    turned = [
        " ".join(word[::-1] if set(word) <= set("3456789TJQKA2BR") else word for word in line.split())
        for line in LINES
    ]
    assert read_games("\n".join([LINES[0], *turned[1:]]))[0].moves == read_games(EXAMPLE)[0].moves


def changed(key: str, line: str | None) -> str:
    """The example with one line in place of another, or without it."""
    kept = [line if old.startswith(key) else old for old in LINES]
    return "\n".join(old for old in kept if old is not None)


HANDS = LINES[4].split()[1:]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "the first line is"),
        ("a poem\n", 1, "the first line is"),
        (FORMAT, 1, "no games in this file"),
        (f"{EXAMPLE}\nwinner Anna\n", 10, "a line begins with game, players"),
        (changed("plays", "plays 44455577QQ pass\nlandlord 1"), 9, "landlord is there twice"),
        (changed("hands", None), 3, "has no line hands"),
        (changed("bottom", None), 3, "has no line bottom"),
        (changed("players", "players Anna"), 4, "players are 3 names, not 1"),
        (changed("hands", "hands 333 444 555"), 5, "the hand of seat 0 has 17 cards, not 3"),
        (changed("hands", f"hands {HANDS[0]} {HANDS[1]} 3467888999JKKAA2X"), 5, "text of the cards"),
        (changed("hands", f"hands {HANDS[0]} {HANDS[0]} {HANDS[2]}"), 5, "the deck has"),
        (changed("bottom", "bottom 4Q"), 6, "the bottom has 3 cards, not 2"),
        (changed("bottom", "bottom 4QK"), 5, "the deck has 4"),
        (changed("landlord", None), 3, "either a line bids or a line landlord"),
        (changed("landlord", "landlord 1\nbids 3"), 3, "either a line bids or a line landlord"),
        (changed("landlord", "landlord 3"), 7, "landlord is a seat from 0 to 2"),
        (changed("landlord", "bids 4"), 7, "a bid is a number from 0 to 3"),
        (changed("landlord", "bids 2 1"), 7, "a bid is bid0 or higher than 2"),
        (changed("landlord", "bids 3 0"), 7, "the bidding is over"),
        (changed("landlord", "bids 0 0 0"), 7, "the bids name no landlord"),
        (changed("landlord", "bids 1"), 7, "the bids name no landlord"),
        (changed("plays", None), 3, "the plays end before the game does"),
        (changed("plays", "plays 44455577QQ pass\nplays pass"), 9, "the plays end before the game does"),
        (changed("plays", "plays 44455577QQ KK"), 8, "it does not beat"),
        (changed("plays", "plays 44455577QQ 3333"), 8, "not all in the hand"),
        (changed("plays", "plays pass"), 8, "the player who leads cannot pass"),
        (changed("plays", "plays 34"), 8, "the cards do not belong together"),
        (changed("plays", "plays hello"), 8, "it is no move"),
        (f"{EXAMPLE.rstrip()} 3\n", 8, "the game is over before '3'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, line, why):
    with pytest.raises(LineError, match=why) as caught:
        read_games(text)
    assert caught.value.line == line


def imported(folder: Path, *files: Path) -> Result:
    """What the command says of files, with records and a packed file in the folder."""
    targets = ["--out", str(folder / "out"), "--packed", str(folder / "packed.npz")]
    return CliRunner().invoke(app, ["record", "import", "doudizhu", *map(str, files), *targets])


def test_nothing_is_imported_if_one_game_is_wrong(tmp_path):
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(EXAMPLE)
    bad.write_text(EXAMPLE + "\n" + "\n".join(LINES[2:7]) + "\nplays 66\n")
    with pytest.raises(RecordError, match=r"bad.txt:15: '66' cannot be played: these cards are not"):
        load_foreign_all("doudizhu", bad)
    run = imported(tmp_path, good, bad)
    assert isinstance(run.exception, RecordError)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.txt", "good.txt"]


def test_imported_games_become_records_and_can_be_learned_from(tmp_path):
    matches = [played_once(seed, "off") for seed in range(4)]
    source = tmp_path / "games.txt"
    source.write_text(f"{FORMAT}\n" + "\n\n".join(map(as_text, matches)) + "\n")
    run = imported(tmp_path, source)
    assert run.exception is None
    assert (
        run.stdout
        == f"4 matches, 4 deals, {sum(len(match.moves) for match in matches)} moves: all replayed\n"
    )
    for number, match in enumerate(matches, 1):
        assert load(tmp_path / "out" / f"games-{number}.jsonl").moves == match.moves
    table, games = read_packed(tmp_path / "packed.npz")
    assert table == fuda.game("doudizhu")
    choices = Replayer(table, deeprocket_encoding).choices(games)
    num_choices = 0
    for match in matches:
        again = match.game.start(match.seed)
        for _, move in match.moves:
            num_choices += len(again.legal()) > 1
            again.play(move)
    assert len(choices.actions) == num_choices


def test_choices_of_games_with_bids_are_plays_alone():
    matches = [played_once(seed, "on") for seed in range(5)]
    games = pack(matches)
    choices = Replayer(matches[0].game, deeprocket_encoding).choices(games)
    assert len(games.actions) == sum(len(match.moves) for match in matches)
    assert choices.actions.max() < len(deeprocket_encoding.OUTPUT_OF)
    kinds = deeprocket_encoding.decision_kinds(choices.words)
    for number, match in enumerate(matches):
        landlord = match.view(0)["landlord"]
        first = np.flatnonzero(choices.games == number)[0]
        assert kinds[first] == 0  # the landlord leads
        assert {seat for seat, _ in match.moves} == {0, 1, 2}
        assert landlord is not None


def test_games_of_two_kinds_are_not_packed_together():
    with pytest.raises(ValueError, match="game 2 has other options than the first"):
        pack([played_once(1, "on"), played_once(1, "off")])
