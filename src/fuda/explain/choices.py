"""The choices of a match: where a seat had more than one legal move, and what it saw then."""

from dataclasses import dataclass

import numpy as np

from fuda.core.match import Match


@dataclass(frozen=True)
class Choice:
    """A position with a choice, and what was played there."""

    index: int  # the moves before it
    deal: int  # from 0
    seat: int
    move: str
    action: int
    kind: str  # of decision, in the game's words
    is_bid: bool
    sides: list[int]  # the side of each seat
    view: np.recarray  # [1], the mover's


@dataclass(frozen=True)
class Walk:
    """A match, walked through."""

    match: Match
    choices: list[Choice]
    payoffs: list[tuple[int, list[float]]]  # of each deal that ended: after how many moves, and what it paid


def walk_choices(told: Match) -> Walk:
    """Play a match again and note its choices."""
    match = told.game.start(told.seed, told.deals, told.players)
    choices, payoffs = [], []
    for index, (seat, move) in enumerate(told.moves):
        legal = match.legal_actions()
        if len(legal) > 1:
            view = match.view_record(seat)
            choices.append(
                Choice(
                    index, len(match.deals) - 1, seat, move, legal[move], _kind(match, view),
                    match.awaits_bid, match.sides, view,
                )
            )  # fmt: skip
        match.play(move)
        if match.payoffs is not None:
            payoffs.append((index + 1, match.payoffs))
    return Walk(told, choices, payoffs)


def _kind(match: Match, view: np.recarray) -> str:
    """A decision's kind as the game calls it, or whether it is a bid."""
    tell = getattr(match.game.spec.text, "decision_kind", None)
    if tell is not None:
        return str(tell(view[0]))
    return "bid" if match.awaits_bid else "move"
