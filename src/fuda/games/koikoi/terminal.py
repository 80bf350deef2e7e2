"""Koi-Koi drawn in a terminal with rich: cards, piles, yaku progress, and events in words."""

from collections.abc import Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from fuda.core.protocols import YOU
from fuda.games.koikoi.cards import (
    BLUE_RIBBONS,
    CARD_NAMES,
    DROSS,
    LIGHTS,
    MONTH_NAMES,
    NUM_CARDS,
    NUM_IN_MONTH,
    RED_RIBBONS,
    RIBBONS,
    SAKE_CUP,
    SEEDS,
)
from fuda.games.koikoi.text import CARD_IDS

CARD_WIDTH = 17
KINDS = (  # name, cards, colour; the Sake Cup is shown as the seed that it is
    ("light", LIGHTS, "bold yellow"),
    ("seed", SEEDS, "bold magenta"),
    ("red ribbon", RED_RIBBONS, "bold red"),
    ("blue ribbon", BLUE_RIBBONS, "bold blue"),
    ("ribbon", RIBBONS, "bold cyan"),
    ("dross", DROSS & ~SAKE_CUP, "dim"),
)
PILE_ROWS = (("lights", LIGHTS), ("seeds", SEEDS), ("ribbons", RIBBONS), ("dross", DROSS & ~SAKE_CUP))


def kind_of(card: str) -> tuple[str, str]:
    """A card's kind and colour."""
    bit = 1 << CARD_IDS[card]
    return next((name, style) for name, cards, style in KINDS if cards & bit)


def card_name(card: str) -> str:
    """A card as people call it: its own name, or its month and kind."""
    number = CARD_IDS[card]
    month = MONTH_NAMES[number // NUM_IN_MONTH]
    return CARD_NAMES.get(number, f"{month} {kind_of(card)[0]}")


def named(card: str) -> str:
    """A card with its name, in its colour, as rich markup."""
    return f"[{kind_of(card)[1]}]{card} {card_name(card)}[/]"


def label(move: str) -> str:
    """A move in words, as rich markup."""
    return named(move) if move in CARD_IDS else move


def order(moves: list[str]) -> list[str]:
    """Legal moves in the order in which they are numbered: that of the deck."""
    return sorted(moves, key=lambda move: CARD_IDS.get(move, NUM_CARDS))


def draw(view: dict[str, Any], players: Sequence[str], numbers: dict[str, int]) -> RenderableType:
    """The table as the seat to move sees it, with the number of each legal move."""
    seat = view["seat"]
    other = 1 - seat
    head = Text.assemble(
        (f" Round {view['round']} of {view['options']['rounds']} ", "reverse"),
        f"  turn {view['turn']}   dealer: {players[view['dealer']]}   ",
        (f"{players[seat]} {view['points'][seat]}", "bold green"),
        f" : {view['points'][other]} {players[other]}   stock {view['stock_size']}",
    )
    piles = Table.grid(expand=True, padding=(0, 2))
    piles.add_column(ratio=1)
    piles.add_column(ratio=1)
    piles.add_row(*(_pile(view, player, players[player]) for player in (seat, other)))
    discarding = view["phase"] == "discard"
    return Group(
        head,
        piles,
        Text(f"Field ({len(view['field'])}); * you can take", style="bold"),
        Columns([_field_card(card, card in _matching(view)) for card in view["field"]]),
        Text(f"Your hand ({len(view['hand'])}); {players[other]} holds {view['hand_sizes'][other]}", "bold"),
        Columns([_hand_card(card, view, numbers if discarding else {}) for card in view["hand"]]),
        Text.from_markup(_question(view), style="bold"),
        *(
            Text.from_markup(f"  {number}  {_label(view, move)}")
            for move, number in numbers.items()
            if not discarding
        ),
    )


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def _label(view: dict[str, Any], move: str) -> str:
    if move == "stop":
        total = sum(points for _, points in view["yaku"][view["seat"]])
        return f"stop: take {_points(total)} now"
    return "koi-koi: go on for more" if move == "koikoi" else named(move)


def _question(view: dict[str, Any]) -> str:
    if view["phase"] == "hand yaku":
        name, points = view["yaku"][view["seat"]][0]
        return f"You were dealt {name}: it wins {_points(points)} at once."
    if view["phase"] == "koikoi":
        yaku = ", ".join(f"{name} {points}" for name, points in view["yaku"][view["seat"]])
        return f"You have {yaku}. Koi-koi?"
    if view["phase"] == "pick":
        return f"{named(view['shown'])} has two matches. Which one do you take?"
    return "Which card do you play?"


def say(event: dict[str, Any], players: Sequence[str]) -> str:
    """An event in words, as rich markup."""
    names = [escape(name) for name in players]
    who = names[event.get("seat", event.get("winner", event.get("dealer"))) or 0]
    s = "" if who == YOU else "s"
    match event["type"]:
        case "discard":
            return f"{who} play{s} {named(event['card'])}"
        case "draw":
            return f"{who} draw{s} {named(event['card'])}"
        case "take":
            return f"  and take{s} {', '.join(named(card) for card in event['cards'][1:])}"
        case "stay":
            return "  it stays on the field"
        case "choose":
            return f"  it matches {' and '.join(named(card) for card in event['between'])}"
        case "yaku":
            yaku = ", ".join(f"{name} {points}" for name, points in event["yaku"])
            return f"[bold green]{who}: {yaku} = {_points(event['points'])}[/]"
        case "hand_yaku":
            yaku = ", ".join(name for name, _ in event["yaku"])
            cards = ", ".join(named(card) for card in event["cards"])
            return f"[bold green]{who} show{s} {yaku}: {cards}[/]"
        case "koikoi":
            return f"[bold red]{who}: koi-koi![/]"
        case "stop":
            return f"[bold]{who} stop{s}.[/]"
        case "round_over":
            if event["winner"] is None:
                return "[reverse] Nobody stopped: nobody wins this round [/]"
            why = " (nobody stopped; the dealer's point)" if event["reason"] == "exhausted" else ""
            return f"[reverse] {who} win{s} {_points(event['points'])}{why} [/]"
        case "deal":
            return f"\n[bold]Round {event['round']}: {who} deal{s}.[/]"
        case _:
            scores = event["scores"]
            tally = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
            winner = names[scores.index(max(scores))]
            end = "a draw" if scores[0] == scores[1] else f"{winner} win{'' if winner == YOU else 's'}"
            return f"[reverse] The game is over, {end}: {tally} [/]"


def _face(card: str) -> Text:
    kind, style = kind_of(card)
    month = MONTH_NAMES[CARD_IDS[card] // NUM_IN_MONTH]
    return Text(f"{month}\n{CARD_NAMES.get(CARD_IDS[card], kind)}", style=style, justify="center")


def _field_card(card: str, lit: bool) -> Panel:
    border = "bold green" if lit else kind_of(card)[1]
    return Panel(
        _face(card), title=f"{card} *" if lit else card, width=CARD_WIDTH, padding=0, border_style=border
    )


def _hand_card(card: str, view: dict[str, Any], numbers: dict[str, int]) -> Panel:
    """A card of the hand; below it what it would take."""
    takes = [other for other in view["field"] if _month(other) == _month(card)]
    title = f"{numbers[card]}: {card}" if card in numbers else card
    below = " or ".join(takes) if len(takes) == 2 else "takes all" if len(takes) == 3 else None
    below = f"takes {takes[0]}" if len(takes) == 1 else below
    style = kind_of(card)[1]
    return Panel(_face(card), title=title, subtitle=below, width=CARD_WIDTH, padding=0, border_style=style)


def _month(card: str) -> str:
    return card.partition("-")[0]


def _matching(view: dict[str, Any]) -> set[str]:
    """The field cards that the mover's hand, or the card to be paired, could take."""
    cards = [view["shown"]] if view["shown"] else view["hand"]
    months = {_month(card) for card in cards}
    return {card for card in view["field"] if _month(card) in months}


def _pile(view: dict[str, Any], player: int, name: str) -> Panel:
    pile = view["piles"][player]
    lines = Text()
    for row, cards in PILE_ROWS:
        mine = [card for card in pile if cards >> CARD_IDS[card] & 1]
        lines.append(f"{row:8}{len(mine):2} ", "bold")
        if row == "dross":
            lines.append("\n")
            continue
        for card in mine:
            lines.append(f"{card_name(card)}  ", kind_of(card)[1])
        lines.append("\n")
    for goal, have, need, possible in view["progress"][player]:
        if not have:
            continue
        style = (
            "green"
            if have >= need
            else "strike dim"
            if not possible
            else "yellow"
            if have == need - 1
            else ""
        )
        lines.append(f"{goal} {have}/{need}", style)
        lines.append("  ")
    total = sum(points for _, points in view["yaku"][player])
    claims = view["koikoi"][player]
    title = f"{name}: {_points(total)}" + (f", koi-koi x{claims}" if claims else "")
    return Panel(lines, title=title, title_align="left")
