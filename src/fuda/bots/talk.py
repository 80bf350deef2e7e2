"""Talking with a bot: its hello, questions and answers; every failure is a verdict."""

import itertools
import time
from collections.abc import Sequence
from typing import Any

from fuda.bots.limits import GRACE_SECONDS, Limits
from fuda.bots.process import BotFault, BotProcess
from fuda.bots.protocol import (
    VERSION,
    Act,
    ActMany,
    BotHello,
    Choice,
    FromBot,
    Hello,
    Moved,
    MovedMany,
    NotJson,
    Ping,
    Pong,
    Position,
    ToBot,
    decode,
    encode,
)
from fuda.bots.shape import ShapeError

MAX_STARTS = 3  # that may fail one after the other


class Bot:
    """A bot that is started when it is needed, and again after it had to be ended."""

    def __init__(self, command: Sequence[str], hello: Hello, limits: Limits):
        self.command = list(command)
        self.limits = limits
        self.number = 0  # of its process: one that is started again knows nothing of what was before
        self.num_open = 0  # matches in which it sits
        self.last_words = ""  # what the last process that failed had written to its standard error
        self._hello = hello
        self._process: BotProcess | None = None
        self._failed_starts = 0
        self._ids = itertools.count(1)

    def start(self) -> BotHello:
        """Start it and wait for its hello."""
        if self._failed_starts >= MAX_STARTS:
            raise BotFault("crash", f"it did not start {MAX_STARTS} times in a row")
        self.close()
        self._failed_starts += 1
        self._process = BotProcess(self.command, self.limits)
        self.number += 1
        told = self._exchange(self._hello, BotHello, self.limits.load_seconds)
        if told.v != VERSION:
            raise self._fail(BotFault("bad_message", f"it speaks version {told.v}, the arena {VERSION}"))
        self._failed_starts = 0
        return told

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not failed since."""
        return self._process is not None

    def tell(self, message: ToBot) -> None:
        """Say something that needs no answer."""
        if self._process is not None:
            self._process.send(encode(message))

    def ask(self, positions: Sequence[Position], seconds: float) -> tuple[list[Choice], float]:
        """Its choices in one position, or in several if it said that it can; and the seconds that it took."""
        number = next(self._ids)
        began = time.monotonic()
        if len(positions) == 1:
            answer = self._exchange(Act(id=number, **vars(positions[0])), Moved, seconds)
            choices: list[Choice] = [answer]
        else:
            answer = self._exchange(ActMany(number, list(positions)), MovedMany, seconds)
            choices = answer.moves
        spent = time.monotonic() - began
        if answer.id != number:
            raise self._fail(BotFault("bad_message", f"id is {number}, not {answer.id}"))
        if len(choices) != len(positions):
            raise self._fail(BotFault("bad_message", f"{len(choices)} moves for {len(positions)} positions"))
        return choices, spent

    def ping(self, seconds: float) -> float:
        """The seconds until it answers."""
        number, began = next(self._ids), time.monotonic()
        answer = self._exchange(Ping(number), Pong, seconds)
        if answer.id != number:
            raise self._fail(BotFault("bad_message", f"id is {number}, not {answer.id}"))
        return time.monotonic() - began

    def replace_worn(self) -> None:
        """End it, between matches, before its processor time runs out; it is started again when asked."""
        if self._process is not None and not self.num_open and self._process.is_worn:
            self.close()

    def ends_by_itself(self, seconds: float) -> bool:
        """Whether it ends in time when its input ends."""
        return self._process is None or self._process.ends_by_itself(seconds)

    def unasked(self) -> bytes:
        """What it has said that nobody had asked for."""
        return b"" if self._process is None else self._process.unasked()

    def close(self, grace: float = GRACE_SECONDS) -> None:
        """End it, at once if there is no `grace`; nothing of it is left."""
        if self._process is not None:
            self._process.close(grace)
            self._process = None

    def _exchange(self, message: ToBot, kind: Any, seconds: float) -> Any:
        assert self._process is not None
        try:
            answer = decode(self._process.ask(encode(message), seconds), FromBot)
        except BotFault as fault:
            raise self._fail(fault) from None
        except NotJson as error:
            raise self._fail(BotFault("not_json", str(error))) from None
        except ShapeError as error:
            raise self._fail(BotFault("bad_message", str(error))) from None
        if not isinstance(answer, kind):
            why = f"{kind.type!r} is the answer to {message.type!r}, not {answer.type!r}"
            raise self._fail(BotFault("bad_message", why))
        return answer

    def _fail(self, fault: BotFault) -> BotFault:
        """End the process: it has lost step with us."""
        if self._process is not None:
            self._process.close(grace=0)
            self.last_words = self._process.last_words
            self._process = None
        return fault
