"""A verdict on one move where a match stands: what it gives away, and whether that is a mistake."""

from dataclasses import dataclass
from os import PathLike

import numpy as np

from fuda.agents import Agent
from fuda.agents.ties import best_move, loss
from fuda.core.errors import IllegalMove
from fuda.core.generator import AGENT, streams
from fuda.core.match import Match
from fuda.explain.review import SCENARIOS, is_mistake, judge_of, looker_of, worth_a_look
from fuda.explain.second_look import SecondLook


@dataclass(frozen=True)
class Verdict:
    """What a move is worth beside the others, all from the mover's view."""

    move: str
    best: str
    agent: str  # whose values these are
    unit: str  # "probability" of winning the match, or "points"
    values: dict[str, float]
    cost: float
    mistake: bool


def judge_move(
    match: Match,
    move: str,
    agent: str | PathLike[str] | Agent | None = None,
    *,
    scenarios: int = SCENARIOS,
    seed: int = 0,
) -> Verdict:
    """Judge a move of the seat to move as `review` would, by an agent's values and a second look.

    With 0 scenarios there is no second look: what costs as much as a mistake is one.
    """
    legal = match.legal_actions()
    if move not in legal:
        raise IllegalMove(f"{move} is not among the legal moves")
    judge = judge_of(match, agent)
    unit = str(judge.info.unit)
    if judge.info.unit_for(match.awaits_bid) != unit:
        raise ValueError(f"{judge.name} does not tell what bids are worth")
    view, seat = match.view_record(match.seat), np.array([match.seat])
    found = judge.evaluate(view, seat, streams(seed, AGENT, 0, 1))
    assert found is not None  # it has a unit
    name = match.game.spec.text.move_text
    values = {name(action): float(value) for action, value in found[0].items()}
    best, cost = best_move(values, match.game.spec, unit), loss(values, move, match.game.spec, unit)
    least = worth_a_look(judge)
    mistake = cost >= least
    if mistake and scenarios:
        look = SecondLook(looker_of(judge), unit, match.game.options, judge, seed)
        actions = (np.array([legal[each]]) for each in (best, move))
        ahead, errors = look.compare(view, seat, *actions, scenarios)
        mistake = is_mistake(cost, float(ahead[0]), float(errors[0]), least)
    return Verdict(move, best, judge.name, unit, values, cost, mistake)
