"""What a bot is told of one seat in one match."""

import base64
from collections.abc import Hashable, Sequence
from typing import Literal

from fuda.bots.limits import Limits
from fuda.bots.protocol import Clock, End, Happened, Part, Position, Start, Verdict
from fuda.core.match import Match

VIEW: Part = "view"
SINCE: Part = "since"
BYTES: Part = "bytes"


class Seat:
    """A seat that a bot has in a match. All that it is told comes from this seat's views.

    `luck` is the state of a random stream, of which the bot may draw. `out` says why it does not play any
    more: it has resigned, or a verdict.
    """

    def __init__(
        self,
        match: Match,
        seat: int,
        name: str,
        luck: int,
        limits: Limits,
        wants: Sequence[Part],
        mates: Sequence[int] = (),
        role: str | None = None,
        place: Hashable = None,
    ):
        self.match = match
        self.seat = seat
        self.place = place  # whose process plays it
        self.name = name  # of the match, as the bot is told
        self.left = limits.match_seconds
        self.out: Literal["resigned"] | Verdict | None = None
        self.note: str | None = None  # what it said with its last move
        self.process = 0  # the number of the process that was told of the start
        self._luck, self._limits, self._mates, self._role = luck, limits, list(mates), role
        self._wants = wants
        self._happened: list[Happened] = []
        self._num_told = 0

    @property
    def wants_to_move(self) -> bool:
        """Whether its answer is due."""
        return self.match.seat == self.seat

    def goes_on_to(self, match: Match) -> bool:
        """Whether a match is the seat's own, or a copy of it that has gone on."""
        mine = self.match
        return match is mine or (match.game == mine.game and match.log[: len(mine.log)] == mine.log)

    def hear(self) -> None:
        """Note the last move; to be called after each."""
        if SINCE in self._wants:
            self._note(self.match)

    def catch_up(self) -> None:
        """Note the moves that were played since the last was noted."""
        if SINCE not in self._wants or len(self._happened) == len(self.match.moves):
            return
        twin = self.match.game.start(self.match.seed, list(self.match.deals))
        for number, (_, move) in enumerate(self.match.moves):
            twin.play(move)
            if number >= len(self._happened):
                self._note(twin)

    def _note(self, match: Match) -> None:
        mover, move = match.last_move(self.seat)
        self._happened.append(Happened(mover, move, match.events(self.seat)))

    def start(self) -> Start:
        """For a process that knows nothing of the match: all moves will be new to it."""
        self._num_told = 0
        game = self.match.game
        return Start(
            match=self.name,
            game=game.id,
            rules_version=game.spec.rules_version,
            options=dict(game.all_options),
            seat=self.seat,
            seats=game.spec.seats,
            mates=self._mates,
            role=self._role,
            clock=Clock(self._limits.match_seconds, self._limits.move_seconds),
            luck=f"{self._luck:016x}",
        )

    def position(self, values: bool) -> Position:
        """The position in which the seat is to move, with the parts that the bot wants."""
        record = self.match.view_record(self.seat).tobytes() if BYTES in self._wants else None
        return Position(
            match=self.name,
            seq=len(self.match.moves),
            left=round(max(self.left, 0.0), 3),
            values=values,
            view=self.match.view(self.seat) if VIEW in self._wants else None,
            since=self._since() if SINCE in self._wants else None,
            bytes=None if record is None else base64.b64encode(record).decode(),
        )

    def end(self, detail: str | None = None) -> End:
        """For the bot, the match is over."""
        return End(
            match=self.name,
            reason=self.out or "played",
            detail=detail,
            scores=self.match.scores,
            margin=self.match.margin(self.seat),
            since=self._since() if SINCE in self._wants else None,
        )

    def _since(self) -> list[Happened]:
        found = self._happened[self._num_told :]
        self._num_told = len(self._happened)
        return found
