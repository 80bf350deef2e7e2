"""Cards, tricks and hands drawn in a terminal with rich, from views with the keys of `text.py`.

A game's `terminal.py` puts them together: the trick on the table, the last one, the own hand, the question.
"""

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from fuda.core.protocols import YOU
from fuda.games.tricks.french import CARD_IDS, SUIT_LETTERS
from fuda.games.tricks.play import NUM_SEATS

MARKS = dict(zip(SUIT_LETTERS, "♠♥♦♣", strict=True))
COLOURS = dict(zip(SUIT_LETTERS, ("bold", "bold red", "bold bright_blue", "bold green"), strict=True))
WIDTH = 80
TABLE_WIDTH = 46
NAME_WIDTH = 13


def face(card: str) -> str:
    """A card as it is drawn: `♠Q`."""
    return MARKS[card[0]] + card[1:]


def order(moves: list[str]) -> list[str]:
    """Cards by suit as in the hand, low to high."""
    return sorted(moves, key=CARD_IDS.__getitem__)


def signed(points: int) -> str:
    """Points with their sign."""
    return f"{points:+d}" if points else "0"


def short(name: str) -> str:
    """A name that fits into a column; the end stays, as it may tell twins apart."""
    return name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 4]}…{name[-3:]}"


def seats_around(view: dict[str, Any]) -> tuple[int, int, int, int]:
    """The seats below, left, above and right: the own one, then in order of play."""
    below, left, above, right = ((view["seat"] + place) % NUM_SEATS for place in range(NUM_SEATS))
    return below, left, above, right


def line(*parts: str | tuple[str, str], justify: Any = "center") -> Text:
    """Text that never takes more room than it has."""
    return Text.assemble(*parts, justify=justify, no_wrap=True, overflow="ellipsis")


def side_by_side(left: Any, right: Any) -> Table:
    """The trick on the table, and what is told beside it."""
    grid = Table.grid()
    grid.add_column(width=TABLE_WIDTH)
    grid.add_column(width=WIDTH - TABLE_WIDTH)
    grid.add_row(left, right)
    return grid


def draw_trick(view: dict[str, Any], players: Sequence[str], style: Callable[[int], str]) -> Panel:
    """The unfinished trick: each seat's card before it, the one that takes so far in green.

    `style` is that of a seat's name.
    """
    played = dict(view["table"])
    best = None
    if played:
        led = view["table"][0][1][0]
        best = max((card for card in played.values() if card[0] == led), key=CARD_IDS.__getitem__)

    def place(seat: int) -> list[Text]:
        card = played.get(seat)
        border = "dim" if card is None else "bold green" if card == best else ""
        return _box(card, "?" if seat == view["to_move"] else "", border)

    def name(seat: int) -> Text:
        return line((short(players[seat]), f"bold {style(seat)}"))

    below, left, above, right = seats_around(view)
    grid = Table.grid(expand=True)
    for _ in range(3):
        grid.add_column(ratio=1, justify="center", vertical="middle")
    grid.add_row(
        Group(name(left), *place(left)),
        Group(name(above), *place(above), *place(below), name(below)),
        Group(name(right), *place(right)),
    )
    title = "The match is over" if view["to_move"] is None else "Before the first trick"
    if view["leader"] is not None:
        leader = players[view["leader"]]
        leads = "led" if played else "lead" if leader == YOU else "leads"
        cards_left = sum(view["hand_sizes"]) + len(view["table"])
        num_tricks = len(view["tricks"]) + cards_left // NUM_SEATS
        title = f"Trick {view['trick']} of {num_tricks}: {short(leader)} {leads}"
    return Panel(grid, title=Text(title), title_align="left")


def draw_last_trick(view: dict[str, Any], players: Sequence[str]) -> Panel:
    """The trick before this one in small, the card that took it reversed."""
    if not view["tricks"]:
        return Panel(line("\n", ("none yet", "dim"), "\n\n"), title="Last trick", title_align="left")
    last = view["tricks"][-1]
    cards = {(last["leader"] + place) % NUM_SEATS: card for place, card in enumerate(last["cards"])}
    winner = last["winner"]

    def small(seat: int) -> tuple[str, str]:
        colour = COLOURS[cards[seat][0]]
        return f"{face(cards[seat]):^4}", f"{colour} reverse" if seat == winner else colour

    below, left, above, right = (small(seat) for seat in seats_around(view))
    took = line(f"{short(players[winner])} took it")
    lines = Group(line(above), line(left, " " * 6, right), line(below), took)
    title = f"Last trick: {short(players[last['leader']])} led"
    return Panel(lines, title=Text(title), title_align="left")


def draw_hand(hand: Sequence[str], numbers: dict[str, int]) -> list[Text]:
    """The cards side by side, a gap between suits; below the legal ones their numbers, the others dim."""
    lines = [Text(no_wrap=True) for _ in range(4)]
    suit = hand[0][0] if hand else ""
    for card in hand:
        if card[0] != suit:
            suit = card[0]
            for row in lines:
                row.append("  ")
        legal = card in numbers or not numbers
        below = Text(f"{numbers.get(card, ''):^5}", "bold green")
        for row, part in zip(lines, [*_box(card, "", "" if legal else "dim"), below], strict=True):
            row.append_text(part)
    return lines


def ask_for_card(view: dict[str, Any], numbers: dict[str, int]) -> Text:
    """What the person is asked, or why nothing."""
    if not numbers:
        return Text("The match is over." if view["to_move"] is None else "It is not your turn.", "dim")
    if not view["table"]:
        return Text("You lead. Which card do you play?", "bold")
    suit = view["table"][0][1][0]
    led = (MARKS[suit], COLOURS[suit])
    if suit in {card[0] for card in numbers}:
        return Text.assemble("Follow ", led, ". Which card do you play?", style="bold")
    return Text.assemble("You have no ", led, ": any card. Which one do you play?", style="bold")


def _box(card: str | None, empty: str, border: str) -> list[Text]:
    """A card as three lines of five columns."""
    inside = (f"{face(card):>3}", COLOURS[card[0]]) if card else (f"{empty:^3}", "bold green")
    if card and border == "dim":
        inside = (inside[0], "dim")
    return [line(("╭───╮", border)), line(("│", border), inside, ("│", border)), line(("╰───╯", border))]
