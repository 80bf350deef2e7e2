"""Gongzhu drawn in a terminal with rich: the trick, who took what, the hand, and events in words."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from fuda.games.gongzhu.cards import CARD_IDS, NUM_RANKS, SUIT_LETTERS, SUIT_NAMES
from fuda.games.gongzhu.rules import HAND_SIZE, NUM_SEATS

YOU = "You"  # the name under which the person at the terminal sits
MARKS = dict(zip(SUIT_LETTERS, "♠♥♦♣", strict=True))
COLOURS = dict(zip(SUIT_LETTERS, ("bold", "bold red", "bold bright_blue", "bold green"), strict=True))
NICKNAMES = {"SQ": "pig", "DJ": "sheep", "C10": "transformer"}  # RULES 1.4
OURS, THEIRS = "cyan", "magenta"  # the two teams
WIDTH = 80
TABLE_WIDTH = 46
NAME_WIDTH = 13


def face(card: str) -> str:
    """A card as it is drawn: `♠Q`."""
    return MARKS[card[0]] + card[1:]


def order(moves: list[str]) -> list[str]:
    """Legal moves in the order in which they are numbered: by suit as in the hand, low to high."""
    return sorted(moves, key=CARD_IDS.__getitem__)


def say(event: dict[str, Any], players: Sequence[str]) -> str:
    """An event in words, as rich markup."""
    names = [escape(name) for name in players]
    who = names[event.get("seat", event.get("winner", 0))]
    s = "" if who == YOU else "s"
    match event["type"]:
        case "play":
            return f"{who} play{s} {_named(event['card'])}"
        case "trick":
            scoring = [card for card in order(event["cards"]) if _scores(card)]
            scoring.sort(key=lambda card: card in NICKNAMES)  # these last
            found = ", ".join(_named(card) for card in scoring) or "nothing in it"
            return f"  [bold]{who} take{s} the trick:[/] {found}{'!' if 'SQ' in scoring else ''}"
        case _:
            return _result(event["scores"], names)


def draw(view: dict[str, Any], players: Sequence[str], numbers: dict[str, int]) -> RenderableType:
    """The table as a seat sees it, with the number of each legal move."""
    middle = Table.grid()
    middle.add_column(width=TABLE_WIDTH)
    middle.add_column(width=WIDTH - TABLE_WIDTH)
    middle.add_row(_trick(view, players), Group(_last_trick(view, players), _not_taken(view)))
    return Group(middle, _standings(view, players), *_hand(view["hand"], numbers), _question(view, numbers))


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
            f"  {names[first]} {_signed(scores[first])}, {names[second]} {_signed(scores[second])}: "
            f"together [bold]{_signed(totals[team])}[/]"
        )
    won = int(totals[1] > totals[0])
    even = totals[0] == totals[1]
    end = "Nobody wins." if even else f"{teams[won]} win by {totals[won] - totals[1 - won]} points."
    return "\n".join([*lines, f"[bold]{end}[/]"])


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _short(name: str) -> str:
    """A name that fits into a column; the end stays, as it may tell twins apart."""
    return name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 4]}…{name[-3:]}"


def _seats(view: dict[str, Any]) -> tuple[int, int, int, int]:
    """The seats below, left, above and right: the own one, then in order of play."""
    below, left, above, right = ((view["seat"] + place) % NUM_SEATS for place in range(NUM_SEATS))
    return below, left, above, right


def _team_style(view: dict[str, Any], seat: int) -> str:
    return OURS if (seat - view["seat"]) % 2 == 0 else THEIRS


def _line(*parts: str | tuple[str, str], justify: Any = "center") -> Text:
    """Text that never takes more room than it has."""
    return Text.assemble(*parts, justify=justify, no_wrap=True, overflow="ellipsis")


# ---- The trick on the table, the last one, and what is still out ----


def _trick(view: dict[str, Any], players: Sequence[str]) -> Panel:
    """The unfinished trick: each seat's card before it, the one that takes so far in green."""
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
        return _line((_short(players[seat]), f"bold {_team_style(view, seat)}"))

    below, left, above, right = _seats(view)
    grid = Table.grid(expand=True)
    for _ in range(3):
        grid.add_column(ratio=1, justify="center", vertical="middle")
    grid.add_row(
        Group(name(left), *place(left)),
        Group(name(above), *place(above), *place(below), name(below)),
        Group(name(right), *place(right)),
    )
    title = "The match is over"
    if view["leader"] is not None:
        leader = players[view["leader"]]
        leads = "led" if played else "lead" if leader == YOU else "leads"
        title = f"Trick {view['trick']} of {HAND_SIZE}: {_short(leader)} {leads}"
    return Panel(grid, title=Text(title), title_align="left")


def _box(card: str | None, empty: str, border: str) -> list[Text]:
    """A card as three lines of five columns."""
    inside = (f"{face(card):>3}", COLOURS[card[0]]) if card else (f"{empty:^3}", "bold green")
    if card and border == "dim":
        inside = (inside[0], "dim")
    return [_line(("╭───╮", border)), _line(("│", border), inside, ("│", border)), _line(("╰───╯", border))]


def _last_trick(view: dict[str, Any], players: Sequence[str]) -> Panel:
    """The trick before this one in small, the card that took it reversed."""
    if not view["tricks"]:
        return Panel(_line("\n", ("none yet", "dim"), "\n\n"), title="Last trick", title_align="left")
    last = view["tricks"][-1]
    cards = {(last["leader"] + place) % NUM_SEATS: card for place, card in enumerate(last["cards"])}
    winner = last["winner"]

    def small(seat: int) -> tuple[str, str]:
        colour = COLOURS[cards[seat][0]]
        return f"{face(cards[seat]):^4}", f"{colour} reverse" if seat == winner else colour

    below, left, above, right = (small(seat) for seat in _seats(view))
    took = _line(f"{_short(players[winner])} took it")
    lines = Group(_line(above), _line(left, " " * 6, right), _line(below), took)
    title = f"Last trick: {_short(players[last['leader']])} led"
    return Panel(lines, title=Text(title), title_align="left")


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


# ---- Who has what ----


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
    below, left, above, right = _seats(view)
    for team, name, style in (((below, above), "Your team", OURS), ((left, right), "Other team", THEIRS)):
        total = sum(view["points"][seat] for seat in team)
        table.add_row(Text(name, f"bold {style}"), "", "", "", Text(_signed(total), f"bold {style}"))
        for seat in team:
            table.add_row(
                _line((f" {_short(players[seat])}", style), justify="left"),
                str(view["hand_sizes"][seat]),
                Text.assemble(*((MARKS[suit], COLOURS[suit]) for suit in view["voids"][seat])),
                _taken(view["piles"][seat]),
                _count(view["piles"][seat], view["points"][seat]),
            )
    return table


def _taken(pile: Sequence[str]) -> Text:
    """The scoring cards of a pile: those with a nickname first."""
    named = [Text(f"{face(card)} {NICKNAMES[card]}", COLOURS[card[0]]) for card in NICKNAMES if card in pile]
    hearts = [Text(face(card), COLOURS["H"]) for card in pile if card[0] == "H"]
    if len(hearts) == NUM_RANKS:
        hearts = [Text(f"all {NUM_RANKS} {SUIT_NAMES[1]}", COLOURS["H"])]
    return Text(" ").join([*named, *hearts])


def _count(pile: Sequence[str], points: int) -> str:
    """The points of a pile, with the doubling if there is one (RULES 4.3)."""
    if "C10" not in pile or sum(map(_scores, pile)) == 1:
        return _signed(points)
    return f"{_signed(points // 2)} x 2 = {_signed(points)}"


# ---- The own hand ----


def _hand(hand: Sequence[str], numbers: dict[str, int]) -> list[Text]:
    """The cards side by side, a gap between suits; below the legal ones their numbers, the others dim."""
    lines = [Text(no_wrap=True) for _ in range(4)]
    suit = hand[0][0] if hand else ""
    for card in hand:
        if card[0] != suit:
            suit = card[0]
            for line in lines:
                line.append("  ")
        legal = card in numbers or not numbers
        below = Text(f"{numbers.get(card, ''):^5}", "bold green")
        for line, part in zip(lines, [*_box(card, "", "" if legal else "dim"), below], strict=True):
            line.append_text(part)
    return lines


def _question(view: dict[str, Any], numbers: dict[str, int]) -> Text:
    if not numbers:
        return Text("The match is over." if view["to_move"] is None else "It is not your turn.", "dim")
    if not view["table"]:
        return Text("You lead. Which card do you play?", "bold")
    suit = view["table"][0][1][0]
    led = (MARKS[suit], COLOURS[suit])
    if suit in {card[0] for card in numbers}:
        return Text.assemble("Follow ", led, ". Which card do you play?", style="bold")
    return Text.assemble("You have no ", led, ": any card. Which one do you play?", style="bold")
