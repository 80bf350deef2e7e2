"""Gongzhu drawn in a terminal with rich: the trick, who took what, the hand, and events in words."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from fuda.core.protocols import YOU
from fuda.games.gongzhu.text import NO_SHOW_TEXT, SHOWABLE_TEXTS
from fuda.games.tricks.french import NUM_RANKS, SUIT_NAMES
from fuda.games.tricks.terminal import (
    COLOURS,
    MARKS,
    NAME_WIDTH,
    WIDTH,
    ask_for_card,
    draw_hand,
    draw_last_trick,
    draw_trick,
    face,
    line,
    seats_around,
    short,
    side_by_side,
    signed,
)
from fuda.games.tricks.terminal import order as order_cards

__all__ = ["WIDTH", "draw", "order", "say"]

NICKNAMES = {"SQ": "pig", "DJ": "sheep", "C10": "transformer"}  # RULES 1.4
OURS, THEIRS = "cyan", "magenta"  # the two teams


def order(moves: list[str]) -> list[str]:
    """Cards by suit as in the hand; what may be shown likewise, and no more of it last."""
    if NO_SHOW_TEXT not in moves:
        return order_cards(moves)
    cards = order_cards([move.removeprefix("show") for move in moves if move != NO_SHOW_TEXT])
    return [*(f"show{card}" for card in cards), NO_SHOW_TEXT]


def say(event: dict[str, Any], players: Sequence[str]) -> str:
    """An event in words, as rich markup."""
    names = [escape(name) for name in players]
    who = names[event.get("seat", event.get("winner", 0))]
    s = "" if who == YOU else "s"
    match event["type"]:
        case "show":
            return f"{who} show{s} {_named(event['card'])}"
        case "no_show":
            return f"[dim]{who} show{s} no more[/]"
        case "play":
            return f"{who} play{s} {_named(event['card'])}"
        case "deal":
            lead = f"{names[event['leader']]} lead{'' if names[event['leader']] == YOU else 's'}"
            return f"[bold]Deal {event['deal']}: {lead}.[/]"
        case "deal_over":
            each = zip(names, event["points"], event["totals"], strict=True)
            told = ", ".join(f"{name} {signed(gained)} ({signed(total)})" for name, gained, total in each)
            return f"[reverse] The deal is over [/] {told}"
        case "trick":
            scoring = [card for card in order_cards(event["cards"]) if _scores(card)]
            scoring.sort(key=lambda card: card in NICKNAMES)  # these last
            found = ", ".join(_named(card) for card in scoring) or "nothing in it"
            return f"  [bold]{who} take{s} the trick:[/] {found}{'!' if 'SQ' in scoring else ''}"
        case _:
            return _result(event["scores"], names)


def draw(view: dict[str, Any], players: Sequence[str], numbers: dict[str, int]) -> RenderableType:
    """The table as a seat sees it, with the number of each legal move."""
    trick = draw_trick(view, players, lambda seat: _team_style(view, seat))
    beside = Group(draw_last_trick(view, players), _not_taken(view))
    return Group(
        side_by_side(trick, beside),
        _standings(view, players),
        *draw_hand(view["hand"], numbers),
        _ask_to_show(numbers) if view["phase"] == "show" and numbers else ask_for_card(view, numbers),
    )


def _ask_to_show(numbers: dict[str, int]) -> Text:
    """What may be shown before play, with the numbers to type (RULES 8.1)."""
    question = Text("Show a card? It counts double.", "bold")
    for move, number in numbers.items():
        card = move.removeprefix("show")
        name = f"{NICKNAMES.get(card, 'all hearts')} {face(card)}" if card in SHOWABLE_TEXTS else "no more"
        question.append(f"  {number}", "bold green").append(f" {name}", "not bold")
    return question


def _named(card: str) -> str:
    """A card in its colour, as rich markup, with its nickname if it has one."""
    nickname = f" the {NICKNAMES[card]}" if card in NICKNAMES else ""
    return f"[{COLOURS[card[0]]}]{face(card)}{nickname}[/]"


def _scores(card: str) -> bool:
    return card[0] == "H" or card in NICKNAMES


def _result(scores: Sequence[int], names: Sequence[str]) -> str:
    """The end of a match: both teams, player by player, and who won (RULES 4.4)."""
    lines, totals, teams = ["[reverse] The match is over [/]"], [], []
    for team in (0, 1):
        first, second = sorted((team, team + 2), key=lambda seat: names[seat] != YOU)  # you first
        totals.append(scores[first] + scores[second])
        teams.append(f"{names[first]} and {names[second]}")
        lines.append(
            f"  {names[first]} {signed(scores[first])}, {names[second]} {signed(scores[second])}: "
            f"together [bold]{signed(totals[team])}[/]"
        )
    won = int(totals[1] > totals[0])
    even = totals[0] == totals[1]
    end = "Nobody wins." if even else f"{teams[won]} win by {totals[won] - totals[1 - won]} points."
    return "\n".join([*lines, f"[bold]{end}[/]"])


def _team_style(view: dict[str, Any], seat: int) -> str:
    return OURS if (seat - view["seat"]) % 2 == 0 else THEIRS


def _not_taken(view: dict[str, Any]) -> Panel:
    """The scoring cards that lie on no pile yet, by name and number."""
    taken = {card for pile in view["piles"] for card in pile}
    lines = []
    names = [Text(name, COLOURS[card[0]]) for card, name in NICKNAMES.items() if card not in taken]
    if names:
        lines.append(Text(", ").join(names))
    hearts = NUM_RANKS - sum(card[0] == "H" for card in taken)
    if hearts:
        lines.append(Text(f"{hearts} heart{'' if hearts == 1 else 's'}", COLOURS["H"]))
    lines = lines or [Text("nothing", "dim")]
    return Panel(Text("\n").join(lines), title="Not yet taken", title_align="left", height=4)


def _standings(view: dict[str, Any], players: Sequence[str]) -> Table:
    """Both teams: cards left, shown voids, scoring cards taken, points."""
    table = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    table.width = WIDTH
    table.add_column(width=NAME_WIDTH + 1, no_wrap=True)
    table.add_column(width=5, justify="right")
    table.add_column(width=4)
    table.add_column(ratio=1)
    table.add_column(width=15, justify="right", no_wrap=True)
    table.add_row("", *(Text(head, "dim") for head in ("cards", "void", "scoring cards taken", "points")))
    below, left, above, right = seats_around(view)
    for team, name, style in (((below, above), "Your team", OURS), ((left, right), "Other team", THEIRS)):
        total = sum(view["points"][seat] for seat in team)
        table.add_row(Text(name, f"bold {style}"), "", "", "", Text(signed(total), f"bold {style}"))
        for seat in team:
            table.add_row(
                line((f" {short(players[seat])}", style), justify="left"),
                str(view["hand_sizes"][seat]),
                Text.assemble(*((MARKS[suit], COLOURS[suit]) for suit in view["voids"][seat])),
                Text("  ").join([_shown(view, seat), _taken(view["piles"][seat])]),
                _count(view, seat),
            )
    return table


def _taken(pile: Sequence[str]) -> Text:
    """The scoring cards of a pile: those with a nickname first."""
    named = [Text(f"{face(card)} {NICKNAMES[card]}", COLOURS[card[0]]) for card in NICKNAMES if card in pile]
    hearts = [Text(face(card), COLOURS["H"]) for card in pile if card[0] == "H"]
    if len(hearts) == NUM_RANKS:
        hearts = [Text(f"all {NUM_RANKS} {SUIT_NAMES[1]}", COLOURS["H"])]
    return Text(" ").join([*named, *hearts])


def _shown(view: dict[str, Any], seat: int) -> Text:
    """What a seat has shown before play and still holds (RULES 8.2)."""
    gone = {card for pile in view["piles"] for card in pile} | {card for _, card in view["table"]}
    held = [card for card in view["shown"][seat] if card not in gone] if "shown" in view else []
    return Text(" ").join(Text(f"shows {face(card)}", COLOURS[card[0]]) for card in held)


def _count(view: dict[str, Any], seat: int) -> str:
    """The points of a pile, with what multiplies them if there is something (RULES 4.3, 8.3)."""
    pile, points = view["piles"][seat], view["points"][seat]
    if "C10" not in pile or sum(map(_scores, pile)) == 1:
        return signed(points)
    factor = 4 if any("C10" in cards for cards in view.get("shown", [])) else 2
    return f"{signed(points // factor)} x {factor} = {signed(points)}"
