"""Duels with bots: whole matches move by move, since a bot is told what happens in each.

The cards, the luck of all other agents, and so their moves, are those of the lock-step runner.
"""

from collections.abc import Sequence

import numpy as np

from fuda.agents import Agent
from fuda.agents.bot import BotAgent
from fuda.bots.seat import Seat
from fuda.core.chance import SeededChance
from fuda.core.errors import AgentError
from fuda.core.game import Game
from fuda.core.match import Match
from fuda.core.runner import agents_luck


class SeatedMatch:
    """A match with the bots that sit in it."""

    def __init__(
        self,
        table: Game,
        entrants: Sequence[Agent],
        seed: int,
        deal: int,
        seating: tuple[int, ...],
        luck: np.ndarray,
    ):
        self.match = Match(table, None, None, None, chance=SeededChance(seed, deal))
        self.seating = seating
        self.luck = luck  # [S]
        self.seats: dict[int, Seat] = {}  # of bots, by seat number
        self.forfeited_by: int | None = None  # the entrant who was first to
        for seat, who in enumerate(seating):
            bot = entrants[who]
            if isinstance(bot, BotAgent):
                mates = [other for other, its in enumerate(seating) if its == who and other != seat]
                self.seats[seat] = bot.sit(
                    self.match, seat, (seating, seat), int(luck[seat]), mates, _role(table, seating, who)
                )

    def play(self, move: str, entrants: Sequence[Agent]) -> None:
        """Play a move, and let the bots hear of it."""
        self.match.play(move)
        for number, seat in self.seats.items():
            seat.hear()
            bot = entrants[self.seating[number]]
            assert isinstance(bot, BotAgent)
            if bot.is_forfeited(seat) and self.forfeited_by is None:
                self.forfeited_by = self.seating[number]
            if self.match.over:
                bot.leave(seat)

    def margin(self) -> float:
        """By how much entrant 0 won. Who forfeits loses as its stand-in did, and never wins."""
        spec = self.match.game.spec
        margin = float(spec.margin(np.array(self.match.scores), [who == 0 for who in self.seating]))
        if self.forfeited_by is None:
            return margin
        return min(margin, -spec.point_scale) if self.forfeited_by == 0 else max(margin, spec.point_scale)


def play_matches(
    table: Game, entrants: Sequence[Agent], seed: int, deals: np.ndarray, seatings: np.ndarray
) -> np.ndarray:
    """Margins [B] of entrant 0 in matches of deals [B] and seatings [B, S]."""
    luck = agents_luck(seed, deals, seatings)
    rows = [tuple(map(int, row)) for row in seatings]
    # A bot may sit in so many matches of one seating at a time.
    width = min(bot.matches_at_once for bot in entrants if isinstance(bot, BotAgent)) * len(set(rows))
    margins = np.empty(len(deals))
    for first in range(0, len(deals), width):
        some = range(first, min(first + width, len(deals)))
        matches = [SeatedMatch(table, entrants, seed, int(deals[b]), rows[b], luck[b]) for b in some]
        running = matches
        while running:
            mover = [seated.seating[seated.match.seat or 0] for seated in running]
            for number, entrant in enumerate(entrants):
                mine = [seated for seated, who in zip(running, mover, strict=True) if who == number]
                if mine:
                    for seated, move in zip(mine, _moves(entrant, mine), strict=True):
                        seated.play(move, entrants)
            running = [seated for seated in running if not seated.match.over]
        margins[first : first + len(matches)] = [seated.margin() for seated in matches]
    return margins


def _moves(entrant: Agent, matches: Sequence[SeatedMatch]) -> list[str]:
    """An entrant's moves in matches in which it is to move."""
    seats = np.array([seated.match.seat for seated in matches], np.int64)
    luck = np.array([seated.luck[seat] for seated, seat in zip(matches, seats, strict=True)], np.uint64)
    if isinstance(entrant, BotAgent):
        moves = entrant.moves([seated.seats[seat] for seated, seat in zip(matches, seats, strict=True)], luck)
    else:
        views = np.concatenate(
            [seated.match.view_record(int(seat)) for seated, seat in zip(matches, seats, strict=True)]
        )
        actions = entrant.act(views.view(np.recarray), seats, luck)
        moves = [
            _text(entrant, seated.match, int(action)) for seated, action in zip(matches, actions, strict=True)
        ]
    for seated, seat, state in zip(matches, seats, luck, strict=True):
        seated.luck[seat] = state
    return moves


def _text(entrant: Agent, match: Match, action: int) -> str:
    for move, legal in match.legal_actions().items():
        if legal == action:
            return move
    raise AgentError(f"{entrant.name} chose action {action}, which is not legal")


def _role(table: Game, seating: tuple[int, ...], who: int) -> str | None:
    """The part that an entrant has in a seating, in the words that results use for entrant 0."""
    roles = table.spec.roles(table.all_options)
    mine = seating if who == 0 else tuple(1 - other for other in seating)
    seatings = table.seatings
    return roles[seatings.index(mine)] if roles and mine in seatings else None
