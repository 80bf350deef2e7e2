"""Dou Dizhu drawn in a terminal with rich: the table, the hand, the moves by kind, and events in words."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, groupby
from typing import Any, NamedTuple

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from fuda.core.protocols import YOU
from fuda.games.doudizhu.moves import (
    BOMB,
    FULL_DECK,
    GROUP_KIND,
    GROUP_LENGTH,
    GROUP_RANK,
    KIND_NAMES,
    MAIN_COPIES,
    MOVE_GROUP,
    NO_CARDS,
    PASS,
    RANKS,
    ROCKET,
)
from fuda.games.doudizhu.rules import BID, NUM_SEATS
from fuda.games.doudizhu.text import BEFORE_PLAY, RANK_OF, SHOW_TEXTS, cards_text, read_move

FACES = {rank: rank for rank in RANKS} | {"T": "10", "B": "B★", "R": "R★"}
COLOURS = dict.fromkeys(RANKS, "bold") | {"B": "bold reverse", "R": "bold reverse red"}
OURS, THEIRS = "cyan", "magenta"  # the two sides
WIDTH = 80
NAME_WIDTH = 21
MOVE_WIDTH = 37  # of what a seat played, in the table
LABELS = (
    "pass", "solo", "pair", "trio", "solo chain", "pair chain", "trio chain", "trio+solo", "trio+pair",
    "chain+solos", "chain+pairs", "quad+2 solos", "quad+2 pairs", "bomb", "rocket",
)  # fmt: skip
LABEL_WIDTH = 14
KICKER_LINES = 6  # for all kinds with kickers together; there are six
ALARM = 2  # from so few cards on
FIRST_NUMBER = 11  # 2 to 10 are cards
NO_KIND = -1
BEFORE_PLAY_NUMBERS = dict(zip(BEFORE_PLAY, (0, 1, 2, 3, 0, 1, 0, 1, 0, 1), strict=True))
IN_WORDS = dict(
    zip(
        BEFORE_PLAY,
        ("no bid", "bid 1", "bid 2", "bid 3", "do not call", "call", "do not rob", "rob", "hide", "show"),
        strict=True,
    )
)


def order(moves: list[str]) -> list[str]:
    """Legal moves in the order in which they are numbered: by kind, those with kickers last."""
    read = {move: _read(move) for move in moves}
    return sorted(moves, key=lambda move: (read[move].kickers != "", read[move]))


def number(moves: Sequence[str]) -> dict[str, int]:
    """Numbers that cannot be read as cards: 0 passes, a bid is its own number, others from 11 on."""
    free = _free_numbers()
    own = {"pass": 0} | {text: int(place) for text, place in BEFORE_PLAY_NUMBERS.items()}
    return {move: own[move] if move in own else next(free) for move in moves}


def typed(text: str) -> str:
    """A move as the rules write it, from cards in any order and case: `10 j q k a`, `333+5`, `33-55`."""
    word = re.sub(r"[\s,+]", "", text).upper().replace("10", "T")
    if word in ("P", "PASS"):
        return "pass"
    if word.lower() in BEFORE_PLAY:
        return word.lower()
    cards = re.sub(r"(\w)(\1*)-(\w)(\3*)", _fill_chain, word)
    return "".join(sorted(cards, key=RANKS.index)) if set(cards) <= set(RANKS) else text


def say(event: dict[str, Any], players: Sequence[str]) -> str:
    """An event in words, as rich markup."""
    names = [escape(name) for name in players]
    who = names[event.get("seat", 0)]
    s = "" if who == YOU else "s"
    match event["type"]:
        case "bid":
            return f"{who} bid{s} {event['bid'] or 'nothing'}"
        case "call" | "rob":
            does = event["type"] + s if event["does"] else f"do{'es' if s else ''} not {event['type']}"
            return f"{who} {does} the landlord"
        case "show" if event["cards"] is None:
            return f"[dim]{who} keep{s} the hand hidden[/]"
        case "show":
            return f"[bold]{who} show{s} the hand, the points double:[/] {_faces(event['cards'])}"
        case "spring":
            return f"[bold red]{'Spring' if event['landlord'] else 'Anti-spring'}![/] The points double."
        case "landlord":
            is_landlord = "are" if who == YOU else "is"
            bottom = _faces(event["bottom"])
            return f"[bold]{who} {is_landlord} the landlord for {event['bid']}; the bottom is {bottom}[/]"
        case "nobody_bid":
            return "Nobody wants to be the landlord."
        case "deal":
            again = f" again; this is deal {event['deal']}" if event["deal"] > 1 else ""
            return f"[bold]The cards are dealt{again}.[/]"
        case "play":
            move = _read(event["cards"])
            alarm = f"[bold red], {_cards_left(event['left'])}![/]" if 0 < event["left"] <= ALARM else ""
            return f"{who} play{s} [bold]{move.spaced}[/] ({move.name}){alarm}"
        case "bomb":
            return f"  [bold red]{_read(event['cards']).name.title()}![/] Bombs so far: {event['bombs']}"
        case "pass":
            return f"[dim]{who} pass{'es' if s else ''}[/]"
        case "lead":
            return f"  Nobody beats it; [bold]{who} lead{s}[/]"
        case _:
            return _result(event["scores"], names)


def draw(view: dict[str, Any], players: Sequence[str], numbers: dict[str, int]) -> RenderableType:
    """The table as a seat sees it, with the number of each legal move."""
    inside = Group(_seat_rows(view, players), _unseen(view))
    table = Panel(inside, title=_bottom(view), title_align="left", subtitle=_stake(view), width=WIDTH)
    shown = []
    if view.get("shown") and view["landlord"] != view["seat"]:
        shown.append(Text(f"The landlord's hand: {_faces(view['shown'])}", "bold yellow"))
    return Group(
        table, *shown, *_hand(view["hand"]), *_moves(view["hand"], numbers), _question(view, players)
    )


# ---- Moves and cards in text ----


class Move(NamedTuple):
    """A legal move, taken apart. Sorts by its id, which is first by kind."""

    action: int
    kind: int  # of cards; bids have no kind
    copies: int  # cards of each main rank
    mains: str  # main ranks
    kickers: str

    @property
    def name(self) -> str:
        """The name of the kind, as in RULES 3.1."""
        return KIND_NAMES[self.kind]

    @property
    def short(self) -> str:
        """The move in few letters, which `typed` understands: `3-7`, `33-55`, `333-444+57`, `TT`."""
        if self.kind in (NO_CARDS, ROCKET):
            return self.mains
        chain = self.mains[0] * self.copies
        if len(self.mains) > 1:
            chain += f"-{self.mains[-1] * self.copies}"
        return f"{chain}+{self.kickers}" if self.kickers else chain

    @property
    def spaced(self) -> str:
        """The move card by card: `9 10 J Q K`, `3 3 3 + 5`."""
        cards = _faces("".join(rank * self.copies for rank in self.mains))
        return f"{cards} + {_faces(self.kickers)}" if self.kickers else cards


def _read(move: str) -> Move:
    if move in BEFORE_PLAY:
        return Move(BID + BEFORE_PLAY.index(move), NO_KIND, 0, "", "")
    action = PASS if move == "pass" else read_move(move)
    group = MOVE_GROUP[action]
    kind, length, rank = (int(column[group]) for column in (GROUP_KIND, GROUP_LENGTH, GROUP_RANK))
    mains = "" if action == PASS else RANKS[rank : rank + length]
    kickers = "" if action == PASS else move.translate(dict.fromkeys(map(ord, mains)))
    return Move(action, kind, int(MAIN_COPIES[kind]), mains, kickers)


def _fill_chain(ends: re.Match[str]) -> str:
    """All cards of a chain of which the first and the last rank are given."""
    first, more, last, as_many = ends.groups()
    if not {first, last} <= set(RANKS) or len(more) != len(as_many):
        return ends[0]
    return "".join(rank + rank * len(more) for rank in RANKS[RANK_OF[first] : RANK_OF[last] + 1])


def _free_numbers() -> Iterator[int]:
    """Numbers that are no move of the game when typed as cards: 22 is the pair."""
    for candidate in count(FIRST_NUMBER):
        try:
            read_move(typed(str(candidate)))
        except ValueError:
            yield candidate


def _faces(cards: str) -> str:
    return " ".join(FACES[card] for card in cards)


def _cards_left(left: int) -> str:
    return "one card left" if left == 1 else f"{left} cards left"


def _short_name(name: str) -> str:
    """A name that fits into its column; the end stays, as it may tell twins apart."""
    return name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 4]}…{name[-3:]}"


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _line(*parts: str | tuple[str, str]) -> Text:
    """Text that never takes more room than it has."""
    return Text.assemble(*parts, no_wrap=True, overflow="ellipsis")


def _result(scores: Sequence[int], names: Sequence[str]) -> str:
    """The end of a match: who won on which side, and the points (RULES 5)."""
    over = "[reverse] The match is over [/]"
    if not any(scores):
        return f"{over}\n[bold]Nobody wanted to be the landlord: no points.[/]"
    won = [seat for seat in range(NUM_SEATS) if scores[seat] > 0]
    lost = [seat for seat in range(NUM_SEATS) if scores[seat] < 0]
    won.sort(key=lambda seat: names[seat] != YOU)  # you first
    winners, losers = (" and ".join(names[seat] for seat in side) for side in (won, lost))
    if len(won) == 1:
        wins = "win" if winners == YOU else "wins"
        end = f"{winners} {wins} as landlord: {_signed(scores[won[0]])}"
        return f"{over}\n[bold]{end}[/]\n{losers}: {_signed(scores[lost[0]])} each"
    end = f"{winners} win as peasants: {_signed(scores[won[0]])} each"
    return f"{over}\n[bold]{end}[/]\n{losers}: {_signed(scores[lost[0]])}"


# ---- The table: who plays for whom, what was played, what is unseen ----


def _bottom(view: dict[str, Any]) -> Text:
    """The bottom when all see it; bright what must still be in the landlord's hand."""
    again = f"Deal {view['deal']}   " if view["deal"] > 1 else ""
    if view["bottom"] is None:
        return Text.assemble((again, "bold"), "Bottom ", ("? ? ?", "dim"))
    played = Counter(view["played"][view["landlord"]])
    title = Text.assemble((again, "bold"), "Bottom")
    for card in view["bottom"]:
        held = played[card] == 0
        played[card] -= not held
        title.append(f" {FACES[card]}", "bold yellow" if held else "dim")
    return title


def _stake(view: dict[str, Any]) -> Text:
    """How many points the match is for, and what the bombs did to them (RULES 5.2 to 5.4)."""
    bombs, stake = view["bombs"], view["stake"]
    thrown = f"{bombs} bomb{'' if bombs == 1 else 's'}"
    is_robbing = view["options"]["bidding"] == "robbing"
    bid = f"bid {stake}, " if view["options"]["bidding"] == "on" else ""
    stake <<= view.get("doublings", 0)
    if view["landlord"] is None:
        said = "called, " if is_robbing else "highest bid "
        times = f"x{stake}" if is_robbing else f"{stake}"
        return Text(
            f"{said}{times}" if stake else "nobody has called so far" if is_robbing else "no bid so far"
        )
    if view["options"]["score"] == "wp":
        each = f"{stake} point{'' if stake == 1 else 's'} each"
        return Text(f"{bid}{thrown} (no extra points): {each}")
    stake <<= bombs
    twice = f" x{1 << bombs}" if bombs else ""
    return Text(f"{bid}{thrown}{twice}: landlord {2 * stake} points, peasants {stake} each")


def _seat_rows(view: dict[str, Any], players: Sequence[str]) -> Table:
    """The landlord first, the peasants in order of play; each with cards left and last move."""
    table = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(width=8, no_wrap=True)
    table.add_column(width=NAME_WIDTH, no_wrap=True, overflow="ellipsis")
    table.add_column(width=5, no_wrap=True, justify="right")
    table.add_column(width=1)
    table.add_column(width=MOVE_WIDTH, no_wrap=True, overflow="ellipsis")
    head = "bid" if view["landlord"] is None else "last played"
    table.add_row("", "", *(Text(word, "dim") for word in ("cards", "", head)))
    first = view["landlord"] or 0
    for seat in ((first + place) % NUM_SEATS for place in range(NUM_SEATS)):
        role, colour = _role(view, seat)
        size = view["hand_sizes"][seat]
        alarm = "bold reverse red" if size <= ALARM else ""
        table.add_row(
            Text(role, colour),
            _line((_short_name(players[seat]), f"bold {colour}")),
            Text(f" {size}! " if alarm and size else f"{size}  ", alarm),
            Text("▸", "bold green") if seat == view["beat_seat"] else "",
            _bid(view, seat) if view["landlord"] is None else _last_move(view, seat),
        )
    return table


def _role(view: dict[str, Any], seat: int) -> tuple[str, str]:
    """What a seat is to the own one, and its colour."""
    landlord, own = view["landlord"], view["seat"]
    if landlord is None:
        return f"Seat {seat}", OURS if seat == own else THEIRS
    if seat == landlord:
        return "Landlord", OURS if seat == own else THEIRS
    if own == landlord:
        return "Peasant", THEIRS
    return "Peasant" if seat == own else "Partner", OURS


def _bid(view: dict[str, Any], seat: int) -> Text:
    bid = view["bids"][seat]
    if bid is None:
        return Text("to bid" if seat == view["to_move"] else "", "dim")
    return Text(str(bid), "bold") if bid else Text("nothing", "dim")


def _last_move(view: dict[str, Any], seat: int) -> Text:
    """A seat's last move: bright if it is the one to beat, dim if it lies in the past."""
    moves = [move for mover, move in view["history"] if mover == seat and move not in BEFORE_PLAY]
    if not moves:
        return Text("")
    if moves[-1] == "pass":
        return Text("pass", "dim")
    move = _read(moves[-1])
    fits = len(move.spaced) + 2 + len(move.name) <= MOVE_WIDTH
    style = "bold green" if seat == view["beat_seat"] else "dim"
    return _line((move.spaced if fits else move.short, style), "  ", (move.name, "dim"))


def _unseen(view: dict[str, Any]) -> Table:
    """How many cards of each rank the own seat has seen nowhere: in other hands, or in the bottom."""
    seen = Counter("".join(view["played"]) + view["hand"])
    table = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(width=8)
    for _ in RANKS:
        table.add_column(width=3, justify="right")
    numbers = []
    for card, copies in Counter(cards_text(FULL_DECK)).items():
        left = copies - seen[card]
        numbers.append(Text(str(left) if left else "·", "bold" if left == 4 or card in "BR" else ""))
    table.add_row("", *(Text(FACES[card], "dim") for card in RANKS))
    table.add_row(Text("Unseen", "dim"), *numbers)
    return table


# ---- The own hand and its moves ----


def _hand(hand: str) -> list[Text]:
    """The cards as stacks of equal ranks."""
    lines = [Text(" ", no_wrap=True) for _ in range(3)]
    for card, stack in groupby(hand):
        for _ in stack:
            for line, edge in zip(lines, ("╭──", "│", "╰──"), strict=True):
                line.append(edge, "dim")
            lines[1].append(f"{FACES[card]:2}", COLOURS[card])
        for line, edge in zip(lines, "╮│╯", strict=True):
            line.append(edge, "dim")
    return lines if hand else []


def _moves(hand: str, numbers: dict[str, int]) -> list[Text]:
    """The legal moves with their numbers, each kind on lines of its own; of those with kickers only some."""
    if any(move in BEFORE_PLAY for move in numbers):
        label = "your hand" if SHOW_TEXTS[0] in numbers else "bids"
        return _columns(label, [(str(shown), IN_WORDS[move]) for move, shown in numbers.items()])
    named = {_read(move): (str(shown), _read(move).short) for move, shown in numbers.items()}
    plain = sorted(move for move in named if not move.kickers)
    with_kickers = sorted(move for move in named if move.kickers)
    most = KICKER_LINES // max(1, len({move.kind for move in with_kickers}))
    lines, left_out = [], 0
    for kind, group in groupby([*plain, *with_kickers], key=lambda move: move.kind):
        moves = list(group)
        if moves[0].kickers:
            best = _by_kickers(hand, moves)[: most * _per_line([named[move] for move in moves])]
            left_out += len(moves) - len(best)
            moves = sorted(best)
        lines += _columns(LABELS[kind], [named[move] for move in moves], "bold red" if kind >= BOMB else "")
    if left_out:
        lines.append(Text(f"{'':{LABEL_WIDTH}}and {left_out} more with kickers: type the cards", "dim"))
    return lines


def _columns(label: str, cells: Sequence[tuple[str, str]], style: str = "") -> list[Text]:
    """Numbers and what they stand for in columns, the label before the first line."""
    digits, letters = _widths(cells)
    per_line = _per_line(cells)
    lines = []
    for start in range(0, len(cells), per_line):
        line = Text(no_wrap=True)
        line.append(f"{'' if start else label:{LABEL_WIDTH}}", style)
        for shown, words in cells[start : start + per_line]:
            line.append(f"{shown:>{digits}}", "bold green")
            line.append(f" {words:{letters}}  ")
        line.rstrip()
        lines.append(line)
    return lines


def _per_line(cells: Sequence[tuple[str, str]]) -> int:
    return (WIDTH + 2 - LABEL_WIDTH) // (sum(_widths(cells)) + 3)


def _widths(cells: Sequence[tuple[str, str]]) -> tuple[int, int]:
    """Of the numbers, and of what they stand for."""
    return max(len(shown) for shown, _ in cells), max(len(words) for _, words in cells)


def _by_kickers(hand: str, moves: Sequence[Move]) -> list[Move]:
    """Each main's best kickers, then each main's second best, and so on.

    Good kickers leave no card of their rank in the hand, and are low.
    """
    held = Counter(hand)

    def cost(move: Move) -> tuple[int, list[int]]:
        broken = sum(held[card] > copies for card, copies in Counter(move.kickers).items())
        return broken, sorted((RANK_OF[card] for card in move.kickers), reverse=True)

    rounds = []
    for _, same in groupby(sorted(moves), key=lambda move: move.mains):
        rounds += list(enumerate(sorted(same, key=cost)))
    return [move for _, move in sorted(rounds)]


def _question(view: dict[str, Any], players: Sequence[str]) -> Text:
    if view["phase"] == "over":
        return Text("The match is over.", "dim")
    if "legal" not in view:
        return Text("It is not your turn.", "dim")
    if view["phase"] == "show":
        return Text("You are the landlord. Do you show your hand, to double the points?", "bold")
    if view["options"]["bidding"] == "robbing" and view["phase"] == "bid":
        ask = "Somebody has called. Do you rob, to double the points?" if view["stake"] else "Do you call?"
        return Text(f"{ask} Who claims it last is the landlord.", "bold")
    if view["phase"] == "bid":
        return Text("Who bids most is the landlord. What do you bid?", "bold")
    if view["beat"] is None:
        return _line(("You lead. What do you play?", "bold"), ("  A number, or cards such as 10 10.", "dim"))
    move, seat = _read(view["beat"]), view["beat_seat"]
    role, _ = _role(view, seat)
    whose = {"Landlord": "the landlord", "Partner": "your partner"}.get(role, _short_name(players[seat]))
    beat = f"{move.short} ({move.name}) of {whose}"
    if view["legal"] == ["pass"]:
        return _line((f"You cannot beat {beat}: only pass.", "bold"))
    return _line((f"Pass, or beat {beat}.", "bold"))
