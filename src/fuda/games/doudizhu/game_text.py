"""Games as text, for records from elsewhere; docs/doudizhu-records.md has the format.

A game is some lines, each a key and what it says; an empty line, or the next game's `game`, ends it. Games
are played through the rules as they are read: what these do not allow is refused with its line, never bent.
"""

from dataclasses import dataclass, field

from fuda.core.errors import IllegalMove, LineError, echo
from fuda.core.match import Match
from fuda.games import game
from fuda.games.doudizhu.rules import BOTTOM_SIZE, HAND_SIZE, MAX_BID, NUM_SEATS
from fuda.games.doudizhu.text import RANK_OF, move_text, read_cards, read_move

FORMAT = "doudizhu-games 1"  # the first line
KEYS = ("game", "players", "hands", "bottom", "landlord", "bids", "plays")
REPEATED = "plays"
PASS = "pass"


@dataclass
class _Entry:
    """One game: what its keys say, and the lines where they do."""

    line: int
    said: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    plays: list[tuple[int, str]] = field(default_factory=list)  # each with its line

    def words(self, key: str, count: int, what: str) -> tuple[int, list[str]]:
        """The line and the words of a key that must be there."""
        if key not in self.said:
            raise LineError(self.line, f"the game that begins here has no line {key}")
        line, words = self.said[key]
        if len(words) != count:
            raise LineError(line, f"{key} are {count} {what}, not {len(words)}")
        return line, words


def read_games(text: str) -> list[Match]:
    """The matches of a text, or a `LineError`; none of them if one is wrong."""
    return [_played(entry) for entry in _entries(text)]


def _entries(text: str) -> list[_Entry]:
    """The games as they stand there, with nothing checked but the keys."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != FORMAT:
        raise LineError(1, f"the first line is {FORMAT!r}, not {echo(lines[0] if lines else '')}")
    found: list[_Entry] = []
    entry: _Entry | None = None
    for number, line in enumerate(lines[1:], 2):
        key, *words = line.partition("#")[0].split() or [""]
        if not key:
            if not line.strip():
                entry = None  # a line with a comment alone ends nothing
            continue
        if key not in KEYS:
            raise LineError(number, f"a line begins with {', '.join(KEYS)}, not {echo(key)}")
        if entry is None or key == "game":
            entry = _Entry(number)
            found.append(entry)
        if key == REPEATED:
            entry.plays += [(number, word) for word in words]
        elif key in entry.said:
            raise LineError(number, f"{key} is there twice in one game")
        else:
            entry.said[key] = number, words
    if not found:
        raise LineError(len(lines), "there are no games in this file")
    return found


def _played(entry: _Entry) -> Match:
    """The match of a game, played through the rules."""
    line, hands = entry.words("hands", NUM_SEATS, "texts of cards")
    bottom_line, (bottom,) = entry.words("bottom", 1, "text of three cards")
    players = entry.words("players", NUM_SEATS, "names")[1] if "players" in entry.said else None
    for seat, hand in enumerate(hands):
        _checked(line, f"the hand of seat {seat}", hand, HAND_SIZE)
    _checked(bottom_line, "the bottom", bottom, BOTTOM_SIZE)
    if ("landlord" in entry.said) == ("bids" in entry.said):
        raise LineError(entry.line, "a game has either a line bids or a line landlord")
    if "bids" in entry.said:
        table, deal = game("doudizhu", bidding="on"), {"hands": hands, "bottom": bottom}
    else:
        first = _landlord(entry)
        hands, players = _turned(hands, first), players and _turned(players, first)
        table, deal = game("doudizhu"), {"hands": [hands[0] + bottom, *hands[1:]], "bottom": bottom}
    try:
        match = table.start(None, deal, players)
    except ValueError as error:
        raise LineError(line, str(error)) from None
    _bid(match, entry)
    for number, word in entry.plays:
        _play(match, number, word)
    if not match.over:
        raise LineError(
            entry.plays[-1][0] if entry.plays else entry.line, "the plays end before the game does"
        )
    return match


def _checked(line: int, name: str, cards: str, size: int) -> None:
    try:
        read_cards(name, cards, size, size)
    except ValueError as error:
        raise LineError(line, str(error)) from None


def _landlord(entry: _Entry) -> int:
    """The seat of the landlord; here it becomes seat 0, and the others follow in turn."""
    line, (word,) = entry.words("landlord", 1, "number of a seat")
    if word not in map(str, range(NUM_SEATS)):
        raise LineError(line, f"landlord is a seat from 0 to {NUM_SEATS - 1}, not {echo(word)}")
    return int(word)


def _turned(items: list[str], first: int) -> list[str]:
    return items[first:] + items[:first]


def _bid(match: Match, entry: _Entry) -> None:
    line, bids = entry.said.get("bids", (entry.line, []))
    for word in bids:
        if word not in map(str, range(MAX_BID + 1)):
            raise LineError(line, f"a bid is a number from 0 to {MAX_BID}, not {echo(word)}")
        if not match.awaits_bid or match.seat != len(match.moves):
            raise LineError(line, f"the bidding is over before the bid {word}")
        try:
            match.play(f"bid{word}")
        except IllegalMove as error:
            raise LineError(line, str(error)) from None
    if match.awaits_bid:
        raise LineError(line, "the bids name no landlord")


def _play(match: Match, line: int, word: str) -> None:
    """Play cards in any order, or pass."""
    if match.over:
        raise LineError(line, f"the game is over before {echo(word)}")
    move = word
    if word != PASS and word and all(char in RANK_OF for char in word):
        try:
            move = move_text(read_move(word))
        except ValueError as error:
            raise LineError(line, str(error)) from None
    try:
        match.play(move)
    except IllegalMove as error:
        raise LineError(line, str(error)) from None
