"""The table in a terminal of 80 columns, and events in words."""

import io
import random
import re

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

import fuda
from fuda.games.gongzhu import terminal
from tests.games.gongzhu.reference import DECK, HEARTS

GAME = fuda.game("gongzhu")
NAMES = ["You", "Mr. Greed 1", "Mr. Greed 2", "Mr. Greed 3"]
MARKED = dict(zip("♠♥♦♣", "SHDC", strict=True))
SCORING = {*HEARTS, "SQ", "DJ", "C10"}
BY_SUIT = [[card for card in DECK if card[0] == suit] for suit in "SHDC"]


def drawn(view, names=NAMES):
    numbers = {card: number for number, card in enumerate(terminal.order(view.get("legal", [])), 1)}
    console = Console(width=80, file=io.StringIO(), highlight=False)
    console.print(terminal.draw(view, names, numbers))
    return console.file.getvalue()


def cards_in(text):
    found = re.findall(r"([♠♥♦♣])(10|[2-9JQKA])", text)
    hearts = HEARTS if "all 13 hearts" in text else []
    return {*hearts, *(MARKED[mark] + rank for mark, rank in found)}


def known(view):
    played = {card for trick in view["tricks"] for card in trick["cards"]}
    return played | set(view["hand"]) | {card for _, card in view["table"]}


def positions(seed):
    """A random match, before each move and at its end."""
    match = GAME.start(seed)
    pick = random.Random(seed)
    yield match
    while not match.over:
        match.play(pick.choice(match.legal()))
        yield match


def play(match, cards):
    for card in cards.split():
        match.play(card)
    return match


def words(event, names=NAMES):
    return Text.from_markup(terminal.say(event, names)).plain


class TestDraw:
    def test_every_view_of_a_match(self):
        for match in positions(0):
            for seat in range(4):
                view = match.view(seat)
                text = drawn(view)
                assert max(map(cell_len, text.splitlines())) <= 80
                assert len(text.splitlines()) <= 28  # with a trick's events it fits on 40 lines
                taken = {card for pile in view["piles"] for card in pile}
                last = view["tricks"][-1]["cards"] if view["tricks"] else []
                wanted = {*view["hand"], *(card for _, card in view["table"]), *(taken & SCORING), *last}
                assert wanted <= cards_in(text) <= known(view)

    @pytest.mark.parametrize(
        "names",
        [
            ["x" * 80] * 4,
            ["a player of long name 1", "a player of long name 2", "拱猪" * 20, ""],
            ["[bold]", "[/]", "[red]x[/red]", "You"],
        ],
    )
    def test_any_names(self, names):
        for match in positions(1):
            assert max(map(cell_len, drawn(match.view(1), names).splitlines())) <= 80
            for event in match.events(1):
                if event["type"] == "play":
                    assert words(event, names).startswith(f"{names[event['seat']]} play")

    def test_long_names_keep_their_end(self):
        text = drawn(
            GAME.start(1).view(0), ["You", *(f"A strong tree search {place}" for place in (1, 2, 3))]
        )
        assert all(re.search(rf"A strong.*… *\w* {place}", text) for place in (1, 2, 3))

    def test_seats_lie_around_the_table(self):
        match = play(GAME.start(deal={"hands": BY_SUIT}), "S2 H3 D4")
        lines = drawn(match.view(3), ["Ann", "Bob", "Cid", "You"]).splitlines()
        above, sides, below = (
            next(line for line in lines[1:10] if name in line) for name in ("Bob", "Ann", "You")
        )
        assert sides.index("Ann") < above.index("Bob") < sides.index("Cid")  # Ann plays after you
        assert below.index("You") in range(above.index("Bob") - 1, above.index("Bob") + 2)
        middle = next(line for line in lines if "♠2" in line)
        assert middle.index("♠2") < middle.index("♦4")
        assert "Trick 1 of 13: Ann led" in lines[0]

    def test_only_legal_cards_have_numbers(self):
        hands = [["S2", *BY_SUIT[1][1:]], ["H2", *BY_SUIT[0][1:]], *BY_SUIT[2:]]
        match = play(GAME.start(deal={"hands": hands}), "S2")
        text = drawn(match.view(1))
        assert "│ ♥2│" in text
        assert re.findall(r"\d+", text.splitlines()[-2]) == [str(number) for number in range(1, 13)]
        assert "Follow ♠" in text
        play(match, "S3 D2")
        assert "You have no ♠: any card" in drawn(match.view(3))

    def test_doubling_voids_and_teams(self):
        hands = [
            ["CA", "S2", *BY_SUIT[0][2:12], "SA"],
            ["C10", "S3", *BY_SUIT[2][:11]],
            ["HA", *BY_SUIT[1][:11], "DK"],
            ["HK", "DA", *(card for card in BY_SUIT[3] if card not in ("CA", "C10"))],
        ]
        match = play(GAME.start(deal={"hands": hands}), "CA C10 HA C2")
        view = match.view(0)
        assert view["points"] == [-100, 0, 0, 0]
        text = drawn(view)
        row = next(line for line in text.splitlines() if "♣10 transformer" in line)
        assert "♥A" in row
        assert row.endswith("-50 x 2 = -100")
        assert re.search(r"Your team +-100\n", text)
        assert re.search(r"Other team +0\n", text)
        assert re.search(r"Mr. Greed 2 +12 +♣", text)
        assert "Last trick: You led" in text
        assert "You took it" in text
        assert "pig, sheep " in text
        assert "12 hearts" in text

    def test_transformer_alone_is_not_doubled(self):
        hands = [["CA", *BY_SUIT[0][:12]], ["C10", "SA", *BY_SUIT[1][:11]], BY_SUIT[2], None]
        hands[3] = [card for card in DECK if all(card not in hand for hand in hands[:3])]
        text = drawn(play(GAME.start(deal={"hands": hands}), "CA C10 D2 C2").view(0))
        assert re.search(r"♣10 transformer +\+50\n", text)

    def test_all_hearts(self):
        match = GAME.start(deal={"hands": [BY_SUIT[1], BY_SUIT[0], BY_SUIT[2], BY_SUIT[3]]})
        while not match.over:
            match.play(match.legal()[0])
        text = drawn(match.view(0))
        assert re.search(r"♠Q pig ♦J sheep ♣10 transformer +\+200 x 2 = \+400\n +all 13 hearts", text)
        assert "nothing" in text
        assert "The match is over" in text


class TestSay:
    def test_cards(self):
        assert words({"type": "play", "seat": 0, "card": "H5"}) == "You play ♥5"
        assert words({"type": "play", "seat": 2, "card": "SQ"}) == "Mr. Greed 2 plays ♠Q the pig"

    def test_tricks(self):
        event = {"type": "trick", "winner": 1, "cards": ["SK", "SQ", "H5", "H2"]}
        assert words(event) == "  Mr. Greed 1 takes the trick: ♥2, ♥5, ♠Q the pig!"
        event = {"type": "trick", "winner": 0, "cards": ["S2", "S3", "S4", "SA"]}
        assert words(event) == "  You take the trick: nothing in it"

    def test_the_end(self):
        text = words({"type": "match_over", "scores": [-100, 50, 200, -200]})
        assert "You -100, Mr. Greed 2 +200: together +100" in text
        assert "Mr. Greed 1 +50, Mr. Greed 3 -200: together -150" in text
        assert text.endswith("You and Mr. Greed 2 win by 250 points.")
        text = words({"type": "match_over", "scores": [-100, 50, 100, 0]})
        assert text.endswith("Mr. Greed 1 and Mr. Greed 3 win by 50 points.")
        text = words({"type": "match_over", "scores": [-100, 50, 100, 0]}, ["Ann", "Bob", "Cid", "You"])
        assert text.endswith("You and Bob win by 50 points.")
        assert words({"type": "match_over", "scores": [0, 0, 0, 0]}).endswith("Nobody wins.")

    def test_names_of_a_record(self):
        names = [f"gongzhu/greed ({seat})" for seat in range(4)]
        event = {"type": "play", "seat": 2, "card": "C10"}
        assert words(event, names) == "gongzhu/greed (2) plays ♣10 the transformer"

    def test_every_event_of_a_match(self):
        told = [(event, words(event)) for match in positions(1) for event in match.events(0)]
        assert [event["type"] for event, _ in told] == [
            *(["play"] * 4 + ["trick"]) * 13,
            "match_over",
        ]
        for event, text in told:
            if event["type"] == "play":
                assert cards_in(text) == {event["card"]}


def test_moves_are_ordered_by_suit_and_rank():
    shuffled = random.Random(1).sample(DECK, len(DECK))
    assert terminal.order(shuffled) == DECK
    assert terminal.order(["CA", "H10", "H9", "S2", "HA"]) == ["S2", "H9", "H10", "HA", "CA"]
