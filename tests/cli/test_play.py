"""Terminal play by scripted input: the record is always saved, and no hidden card is ever shown."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import fuda
from fuda.agents import agent_of
from fuda.cli import main
from fuda.games.koikoi.cards import CARD_NAMES, MONTH_NAMES
from fuda.games.koikoi.terminal import order
from fuda.games.koikoi.text import CARD_TEXTS
from fuda.records import load

CARD = re.compile(r"(?<![\d-])(?:1[0-2]|[1-9])-[1-4](?![\d-])")
ANSI = re.compile(r"\x1b\[[\d;]*m")


class Table:
    """Runs `fuda play` with a person who follows the match on a second board.

    `type_move(match)` is asked at each prompt, with the match as it stands; what it returns is
    typed, what it raises is raised. `screens` has what was printed before each prompt.
    """

    def __init__(self, capsys, monkeypatch, path: Path):
        self.capsys, self.monkeypatch, self.path = capsys, monkeypatch, path
        self.screens: list[str] = []
        self.boards: list[fuda.Match] = []
        self.typed: list[str] = []
        self.after = ""

    def play(
        self, type_move: Callable[[fuda.Match], str], *arguments: str, seat: int = 0, seed: int | None = 1
    ) -> int:
        board = self._follow()

        def answer(prompt: str = "") -> str:
            self.screens.append(self._printed())
            self.boards.append(board().copy())
            text = type_move(board())
            self.typed.append(text)
            return text

        self.monkeypatch.setattr("builtins.input", answer)
        line = ["play", "koikoi", "--against", "koikoi/random", "--seat", str(seat)]
        line += [] if seed is None else ["--seed", str(seed)]
        with pytest.raises(SystemExit) as stop:
            main([*line, "--record", str(self.path), *arguments])
        self.after = self._printed()
        return stop.value.code

    def _printed(self) -> str:
        captured = self.capsys.readouterr()
        assert captured.err == ""
        return ANSI.sub("", captured.out)

    def _follow(self) -> Callable[[], fuda.Match]:
        """The match that the command plays, watched where it is started; it runs as ever."""
        started: list[fuda.Match] = []
        start = fuda.Game.start

        def watch(*arguments, **named):
            started.append(start(*arguments, **named))
            return started[-1]

        self.monkeypatch.setattr(fuda.Game, "start", watch)
        return lambda: started[0]


@pytest.fixture
def table(capsys, monkeypatch, tmp_path) -> Table:
    return Table(capsys, monkeypatch, tmp_path / "match.jsonl")


def mixed(seed: int) -> Callable[[fuda.Match], str]:
    """Types random legal moves: as numbers, as text, with spaces around."""
    luck = random.Random(seed)

    def type_move(match: fuda.Match) -> str:
        moves = order(match.legal())
        move = luck.choice(moves)
        return luck.choice([move, f"  {move} ", str(moves.index(move) + 1), f" {moves.index(move) + 1}\t"])

    return type_move


def script(*lines: str, then: type[BaseException] | None = None) -> Callable[[fuda.Match], str]:
    """Types these lines; LEGAL is some legal move."""
    left: Iterator[str] = iter(lines)

    def type_move(match: fuda.Match) -> str:
        for line in left:
            return match.legal()[0] if line == LEGAL else line
        raise then if then is not None else AssertionError("asked once too often")

    return type_move


LEGAL = "<some legal move>"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_whole_match(table, seat):
    code = table.play(mixed(seat), "-o", "rounds=3", seat=seat, seed=7)
    match = load(table.path)
    assert code == 0
    assert match.over
    assert match.seed == 7
    assert match.game.options["rounds"] == 3
    assert match.players == ["you", "koikoi/random"][:: -1 if seat else 1]
    assert [mover for mover, _ in match.moves].count(seat) == len(table.typed)
    for round_number in (2, 3):
        assert any(f"Round {round_number}: " in screen for screen in table.screens)
    assert "The game is over" in table.after
    assert f"Record: {table.path}" in table.after


def test_same_seed_same_match(capsys, monkeypatch, tmp_path):
    for name in ("one", "two"):
        Table(capsys, monkeypatch, tmp_path / name).play(mixed(3), "-o", "rounds=1")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_without_a_seed_nothing_is_the_same(capsys, monkeypatch, tmp_path):
    seeds = []
    monkeypatch.setattr("fuda.cli.play.agent_of", lambda *asked: seeds.append(asked[2]) or agent_of(*asked))
    for name in ("one", "two"):
        Table(capsys, monkeypatch, tmp_path / name).play(mixed(3), "-o", "rounds=1", seed=None)
    one, two = load(tmp_path / "one"), load(tmp_path / "two")
    assert (one.seed, two.seed) == (None, None)
    assert one.deals != two.deals
    assert len(set(seeds)) == 2
    assert min(seeds) > 2**64  # of as many secret bits as a seed has


def test_help_shows_the_rules_and_asks_again(table):
    table.play(script("?", "help", LEGAL, "q"))
    for number in (1, 2):
        assert "Koi-Koi: the rules played here" in table.screens[number]
        assert "q leaves the table" in table.screens[number]
        assert table.boards[0] == table.boards[number]
    assert len(load(table.path).moves) >= 1


def test_nothing_typed_is_told_what_to_type(table):
    assert table.play(script("", " ", LEGAL, "q")) == 0
    for screen in table.screens[1:3]:
        assert "Type a number or a move; ? shows the rules, q leaves the table." in " ".join(screen.split())
        assert "cannot be played" not in screen


WRONG = ["0", "9", "-1", "99", "1.0", "13-1", "stop", "koikoi", "١٢", "x" * 5000]
WRONG += ["[bold]", "[/]", "\x1b[2J", "\0", "1-1 1-2", "Q", "??", "999999999999", "²", "\ud800", "None"]


def test_wrong_input_is_explained_and_asked_again(table):
    assert table.play(script(*WRONG, LEGAL, "q")) == 0
    first = table.boards[0]
    for number, screen in enumerate(table.screens[1 : len(WRONG) + 1]):
        assert table.boards[number + 1] == first
        text = " ".join(screen.split())
        assert "cannot be played" in text, WRONG[number]
        assert "(or a number from 1 to 8)" in text
        assert "\x1b" not in screen
        assert "x" * 41 not in screen
    assert "cannot be played" not in table.screens[len(WRONG) + 1]
    mine = [move for mover, move in load(table.path).moves if mover == 0]
    assert mine == [first.legal()[0]]


def test_wrong_input_is_told_the_legal_moves_in_the_order_of_the_hand(table, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    table.play(script("nonsense", *[LEGAL, "nonsense"] * 20, then=EOFError))
    told = 0
    for board, typed, screen in zip(table.boards, table.typed, table.screens[1:], strict=False):
        if typed == "nonsense":
            assert f"; legal moves: {', '.join(order(board.legal()))} (or a number" in screen
            told += order(board.legal()) != board.legal()
    assert told  # the order of texts would be another


@pytest.mark.parametrize("word", ["q", "quit", "exit", " q "])
def test_leaving(table, word):
    assert table.play(script(LEGAL, LEGAL, word)) == 0
    assert "You left the table." in table.after
    assert f"Record: {table.path}" in table.after
    match = load(table.path)
    assert not match.over
    assert match == table.boards[-1]


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
@pytest.mark.parametrize("moves", [0, 1, 5])
def test_end_of_input_and_interrupt_save_the_match(table, end, moves):
    assert table.play(script(*[LEGAL] * moves, then=end)) == 0
    match = load(table.path)
    assert match == table.boards[-1]
    assert sum(mover == 0 for mover, _ in match.moves) == moves
    assert "You left the table." in table.after


def test_the_record_goes_to_the_data_folder(table, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    table.monkeypatch.setattr("builtins.input", lambda prompt="": "q")
    with pytest.raises(SystemExit):
        main(["play", "koikoi", "--against", "koikoi/random"])
    (path,) = (tmp_path / "data" / "fuda" / "records").iterdir()
    assert path.name.startswith("koikoi-")
    assert len(load(path).moves) <= 4  # at most the first turn of the other player


# What is on the screen without being a card: yaku, and the sentence about wrong cards.
NO_CARDS = ("Boar-Deer-Butterfly", "Moon Viewing Sake", "a card is text from 1-1 to 12-4")


def cards_on(screen: str) -> set[str]:
    """The cards on a screen, by text or by a name of their own."""
    for words in NO_CARDS:
        screen = screen.replace(words, "")
    by_name = {CARD_TEXTS[card] for card, name in CARD_NAMES.items() if re.search(rf"\b{name}\b", screen)}
    return by_name | set(CARD.findall(screen))


def months_on(screen: str) -> set[str]:
    return {str(number) for number, name in enumerate(MONTH_NAMES, 1) if re.search(rf"\b{name}\b", screen)}


def known(match: fuda.Match, seat: int) -> set[str]:
    """The cards that a seat's view tells of."""
    return set(CARD.findall(str(match.view(seat) | {"history": []})))


def known_of_ended_round(before: fuda.Match, after: fuda.Match, seat: int) -> set[str]:
    """What the seat saw of the round that ended between two prompts."""
    match, seen = before.copy(), known(before, seat)
    for _, move in after.moves[len(before.moves) :]:
        match.play(move)
        if len(match.deals) == len(after.deals):
            break
        seen |= known(match, seat)
    return seen | set(CARD.findall(str(match.events(seat))))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", range(6))
def test_no_hidden_card_is_ever_shown(table, seat, seed, monkeypatch):
    """Every card on a screen, by text or by name, is one that the seat's view knows of."""
    monkeypatch.setenv("COLUMNS", "400")  # no words are broken
    wrong = iter(["nonsense", "12-4", "stop"] * 1000)
    honest = mixed(seed)
    luck = random.Random(seed)
    table.play(
        lambda match: next(wrong) if luck.random() < 0.2 else honest(match),
        "-o",
        "rounds=3",
        seat=seat,
        seed=seed,
    )
    printed = rounds_ended = 0
    for number, (screen, board) in enumerate(zip(table.screens, table.boards, strict=True)):
        cards = known(board, seat)
        hidden = {*board.deals[-1]["hands"][1 - seat], *board.deals[-1]["stock"]} - cards
        assert len(hidden) == board.view(seat)["hand_sizes"][1 - seat] + board.view(seat)["stock_size"]
        parts = [(screen, cards)]
        if number and len(table.boards[number - 1].deals) < len(board.deals):
            ended, new = re.split(r"\nRound \d: .* deals?\.\n", screen)
            parts = [(ended, known_of_ended_round(table.boards[number - 1], board, seat)), (new, cards)]
            rounds_ended += 1
        typed = set(CARD.findall(table.typed[number - 1])) if number else set()
        for part, seen in parts:
            assert cards_on(part) <= seen | typed
            assert months_on(part) <= {card.split("-")[0] for card in seen}
            printed += len(cards_on(part))
    assert printed > 100
    assert rounds_ended == len(load(table.path).deals) - 1


def test_the_check_for_hidden_cards_would_find_one():
    assert cards_on("Random draws 8-1 Moon\n  and takes 8-3 Susuki grass dross") == {"8-1", "8-3"}
    assert cards_on("│ Chrysanthemum │ Sake Cup │") == {"9-1"}
    assert cards_on("Moon Viewing Sake 1/2  Boar-Deer-Butterfly 2/3  30 : 30  Round 1 of 2") == set()
    assert months_on("Bush clover dross") == {"7"}
