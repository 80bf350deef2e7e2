"""Programs of others as agents: each seat of a match is played by a process that knows nothing else."""

import hashlib
import shlex
import shutil
import weakref
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Literal

import numpy as np

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.policy import PolicyAgent
from fuda.bots.limits import limits_from
from fuda.bots.process import BotFault
from fuda.bots.protocol import VERSION, BotHello, Choice, Hello, Verdict
from fuda.bots.seat import Seat
from fuda.bots.talk import Bot
from fuda.core.errors import AgentError, echo
from fuda.core.game import GameSpec
from fuda.core.generator import bits
from fuda.core.match import Match
from fuda.core.provenance import versions
from fuda.games import list_games, spec

GAME = "game"  # the parameter that says which game, where a bot plays several
MAX_EXAMPLES = 5  # of verdicts, kept to be shown
RESIGNED: Literal["resigned"] = "resigned"  # is counted beside the verdicts
EMPTY: Mapping[str, object] = {}


class BotAgent(Agent):
    """A bot by its command. It plays matches, not views: it is told what happens, move by move.

    A place is a seat that it takes in match after match; each has a process of its own, so that no process
    sees the cards of two seats of one deal. Where the bot fails, the game's fallback plays the match to its
    end; `on_verdict` says whether the match is lost then, whatever becomes of it.
    """

    def __init__(
        self,
        command: str,
        game_id: str | None = None,
        seed: int = 0,
        parameters: Mapping[str, object] = EMPTY,
    ):
        self.limits = limits_from({key: value for key, value in parameters.items() if key != GAME})
        given = "".join(f",{key}={value}" for key, value in sorted(parameters.items()))
        name = f"bot{given}:{command}"
        self._command = _words(command)
        self._hello = _hello()
        first = Bot(self._command, self._hello, self.limits)
        bots = [first]
        self._close = weakref.finalize(self, _close_all, bots)  # also when Python ends
        self._bots = bots
        self.hello = _started(first, echo(name))
        game = _game_of(echo(name), self.hello, game_id or parameters.get(GAME))
        super().__init__(name, game, _info(self.hello), seed)
        self.weights = _hash_of(self._command)  # a duel does not go on with another program
        self.verdicts: Counter[Verdict | str] = Counter()  # by name; and how often it resigned
        self.examples: list[str] = []  # of verdicts, as sentences
        self.seconds: list[float] = []  # that questions took, each with how many positions
        self.asked: list[int] = []
        self._idle = [first]
        self._of_place: dict[Hashable, Bot] = {}
        self._names = count(1)
        self._fallback = PolicyAgent(game, game.policy(game.fallback))
        self._at_table: dict[int, Seat] = {}  # by seat number, those of `choose`

    @property
    def matches_at_once(self) -> int:
        """In how many matches a place may sit at once."""
        return self.hello.batch

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """Refused: a bot is told of whole matches."""
        raise AgentError(f"{self.name} is a bot: it plays matches, and cannot be asked about single views")

    def warm_up(self) -> None:
        """Nothing: it has said hello."""

    def sit(
        self,
        match: Match,
        seat: int,
        place: Hashable,
        luck: int,
        mates: Sequence[int] = (),
        role: str | None = None,
    ) -> Seat:
        """Take a seat in a match that has just begun; `luck` is the state of a random stream of its own."""
        self._bot_of(place).replace_worn()
        name, told_luck = f"{next(self._names)}", luck if self.limits.luck == "arena" else _own_luck(luck)
        found = Seat(match, seat, name, told_luck, self.limits, self.hello.wants, mates, role, place)
        self._bot_of(place).num_open += 1
        return found

    def moves(self, seats: Sequence[Seat], rngs: np.ndarray, values: bool = False) -> list[str]:
        """The moves of seats that are to move; `rngs` [K] are for the fallback, where it has to play."""
        choices = self._choices(seats, values)
        for seat, choice in zip(seats, choices, strict=True):
            seat.note = None if choice is None else choice.note
        return [
            self._stand_in(seat, rngs[k : k + 1]) if choice is None or choice.move is None else choice.move
            for k, (seat, choice) in enumerate(zip(seats, choices, strict=True))
        ]

    def leave(self, seat: Seat) -> None:
        """The match is over."""
        bot = self._bot_of(seat.place)
        bot.num_open -= 1
        if seat.out is None and seat.process == bot.number:
            bot.tell(seat.end())

    def is_forfeited(self, seat: Seat) -> bool:
        """Whether the match is lost for the seat, however it ends."""
        return seat.out == RESIGNED or (seat.out is not None and self.limits.on_verdict == "forfeit")

    def choose(self, match: Match) -> str:
        """The move for the seat to move."""
        seat = self._seat_at_table(match)
        return self.moves([seat], self._rng)[0]

    def values(self, match: Match) -> dict[str, float] | None:
        """The values that the bot tells of the legal moves, if it has any."""
        if self.hello.unit is None:
            return None
        choice = self._choices([self._seat_at_table(match)], values=True)[0]
        return None if choice is None else choice.values

    def why_out(self, seat: int) -> str | None:
        """Why the bot does not play any more in the seat of the match that `choose` was asked about last."""
        return self._at_table[seat].out

    def note(self, seat: int) -> str | None:
        """What the bot said with its last move in that seat, for people."""
        said = self._at_table[seat].note
        return _printable(said) if said else None

    def ping(self) -> float:
        """The most seconds that one of its processes takes to answer; a `BotFault` if one does not."""
        running = [bot for bot in self._bots if bot.is_running]
        return max((bot.ping(self.limits.move_seconds) for bot in running), default=0.0)

    def restart(self) -> None:
        """Kill its processes, whatever they do; they are started again when they are asked."""
        for bot in self._bots:
            bot.close(grace=0)

    def ends_by_itself(self, seconds: float) -> bool:
        """End the input of its processes; whether all of them end in time."""
        return all(bot.ends_by_itself(seconds) for bot in self._bots)

    def close(self) -> None:
        """End all its processes."""
        self._close()

    def _seat_at_table(self, match: Match) -> Seat:
        """The seat to move of a match that somebody plays with `choose`."""
        self._ask(match)  # says what is wrong with it
        assert match.seat is not None
        seat = self._at_table.get(match.seat)
        if seat is None or not seat.goes_on_to(match):
            if seat is not None:
                seat.catch_up()
                self.leave(seat)
            luck = int(bits(self._rng)) << 32 | int(bits(self._rng))
            seat = self._at_table[match.seat] = self.sit(match, match.seat, match.seat, luck)
        seat.match = match
        seat.catch_up()
        return seat

    def _bot_of(self, place: Hashable) -> Bot:
        if place not in self._of_place:
            if not self._idle:
                self._bots.append(Bot(self._command, self._hello, self.limits))
                self._idle.append(self._bots[-1])
            self._of_place[place] = self._idle.pop()
        return self._of_place[place]

    def _choices(self, seats: Sequence[Seat], values: bool) -> list[Choice | None]:
        """What the bot answers for each seat; None where it has failed, now or before."""
        found: list[Choice | None] = [None] * len(seats)
        by_bot: dict[Bot, list[int]] = {}
        for k, seat in enumerate(seats):
            if seat.out is None and seat.left <= 0:
                self._judge(seat, BotFault("timeout", "no time is left on the clock of the match"))
            if seat.out is None:
                by_bot.setdefault(self._bot_of(seat.place), []).append(k)
        for bot, index in by_bot.items():
            for first in range(0, len(index), self.hello.batch):
                some = index[first : first + self.hello.batch]
                for k, choice in zip(some, self._asked(bot, [seats[k] for k in some], values), strict=True):
                    found[k] = choice
        return found

    def _asked(self, bot: Bot, seats: Sequence[Seat], values: bool) -> Sequence[Choice | None]:
        """The choices of one process."""
        try:
            if not bot.is_running:
                bot.start()
            for seat in seats:
                if seat.process != bot.number:
                    bot.tell(seat.start())
                    seat.process = bot.number
            positions = [seat.position(values) for seat in seats]
            allowed = sum(min(seat.left, self.limits.move_seconds) for seat in seats)
            choices, spent = bot.ask(positions, allowed)
        except BotFault as fault:
            for seat in seats:
                self._judge(seat, fault)
            return [None] * len(seats)
        self.seconds.append(spent)
        self.asked.append(len(seats))
        for seat in seats:
            seat.left -= spent / len(seats)
        return [self._checked(bot, seat, choice) for seat, choice in zip(seats, choices, strict=True)]

    def _checked(self, bot: Bot, seat: Seat, choice: Choice) -> Choice | None:
        """The choice if it is one that can be made."""
        if choice.resign:
            seat.out = RESIGNED
            self.verdicts[RESIGNED] += 1
            bot.tell(seat.end())
            return None
        legal = seat.match.legal()
        if choice.move not in legal:
            why = self.spec.text.why_illegal(seat.match.view_record(seat.seat)[0], str(choice.move))
            fault = BotFault("illegal", f"{echo(choice.move)} cannot be played: {why}")
        elif unknown := set(choice.values or ()) - set(legal):
            fault = BotFault("bad_message", f"a value of {echo(min(unknown))}, which is no legal move")
        else:
            return choice
        self._judge(seat, fault)
        bot.tell(seat.end(fault.detail[:200]))
        return None

    def _judge(self, seat: Seat, fault: BotFault) -> None:
        """Note a verdict: the seat's match goes on without the bot."""
        seat.out = fault.verdict
        self.verdicts[fault.verdict] += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(f"match {seat.name}, move {len(seat.match.moves) + 1}: {fault}")

    def _stand_in(self, seat: Seat, rng: np.ndarray) -> str:
        """The fallback's move."""
        legal = {action: move for move, action in seat.match.legal_actions().items()}
        view = seat.match.view_record(seat.seat)
        return legal[int(self._fallback.act(view, np.array([seat.seat]), rng)[0])]


def introduced(command: str, parameters: Mapping[str, object]) -> tuple[AgentInfo, BotHello, str]:
    """What a bot says of itself, whatever its games are, and a hash of its program."""
    limits = limits_from(parameters)
    words = _words(command)
    bot = Bot(words, _hello(), limits)
    try:
        hello = _started(bot, echo(f"bot:{command}"))
    finally:
        bot.close()
    return _info(hello), hello, _hash_of(words)


def _hello() -> Hello:
    return Hello(VERSION, versions()["fuda"], {game: spec(game).rules_version for game in list_games()})


def _started(bot: Bot, name: str) -> BotHello:
    """A bot's hello, or an `AgentError` that says why there is none."""
    try:
        return bot.start()
    except BotFault as fault:
        words = " ".join(bot.last_words.split())[-200:]
        said = f"; its last words: {words}" if words else ""
        raise AgentError(f"{name} does not say hello: {fault}{said}") from None


def _info(hello: BotHello) -> AgentInfo:
    unit = hello.unit
    return AgentInfo(_printable(hello.name), _line(hello), unit, bids=True, bid_unit=unit, searches=True)


def _own_luck(luck: int) -> int:
    """A random stream for a bot, from which that of the arena, and so of the others, cannot be told."""
    digest = hashlib.blake2b(luck.to_bytes(8, "big"), digest_size=8).digest()
    return int.from_bytes(digest, "big") | 1 << 32 | 1  # neither half is zero, as the generator wants it


def _words(command: str) -> list[str]:
    """The words of a command line, its program found."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the command of a bot cannot be read: {error}: {echo(command)}") from None
    if not words:
        raise ValueError("a bot is bot:COMMAND, such as bot:./my-bot; the command is missing")
    if "/" not in words[0] and shutil.which(words[0]) is None:
        hint = f"; give ./{words[0]} for a file here" if Path(words[0]).exists() else ""
        raise ValueError(f"there is no program {echo(words[0])} to be a bot{hint}")
    return words


def _hash_of(words: Sequence[str]) -> str:
    """A hash of the files that a command names: of the bot, as far as we can see it."""
    digest = hashlib.sha256()
    for word in words:
        path = Path(shutil.which(word) or word)
        digest.update(word.encode() + b"\0" + (path.read_bytes() if path.is_file() else b"") + b"\0")
    return digest.hexdigest()[:16]


def _game_of(name: str, hello: BotHello, wanted: object) -> GameSpec:
    """The game that a bot is to play, in the version of its rules that is here."""
    games = list(hello.games)
    if wanted is None and len(games) > 1:
        raise ValueError(f"{name} plays {echo(', '.join(games))}; say which: bot,game={games[0]}:COMMAND")
    game_id = games[0] if wanted is None else wanted
    if not isinstance(game_id, str) or game_id not in games or game_id not in list_games():
        raise ValueError(f"{name} plays {echo(', '.join(games))}, not {echo(game_id)[1:-1]}")
    game = spec(game_id)
    if hello.games[game_id] != game.rules_version:
        raise ValueError(
            f"{name} was made for version {hello.games[game_id]} of the {game_id} rules; "
            f"here they have version {game.rules_version}"
        )
    return game


def _line(hello: BotHello) -> str:
    by = f" by {_printable(hello.author)}" if hello.author else ""
    return f"A program of its own{by}."


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def _close_all(bots: list[Bot]) -> None:
    for bot in bots:
        bot.close()
