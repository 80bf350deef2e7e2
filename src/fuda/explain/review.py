"""Reviews: what a seat's moves gave away in a match, what the others gave, and what was luck.

An agent values every choice of the match from the mover's own view, as it saw it then. From one choice of the
reviewed seat to its next one the expectation changes by

    result = luck - cost + others_cost

where `cost` is the best value minus that of the move played, `others_cost` the same of the other seats'
moves, counted for the reviewed seat, and luck is the rest: cards that came, and what they told. So it is over
the whole match, in which the expectation begins at an even game and ends with what was won.

The sums are exact: all values are rounded to parts of 2**-20, which floats add without error.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np

from fuda.agents import Agent, agent_info, agent_of
from fuda.agents.bot import BotAgent
from fuda.agents.model import model_players
from fuda.agents.ties import best_move, loss
from fuda.core.errors import echo
from fuda.core.generator import AGENT, streams
from fuda.core.match import Match
from fuda.explain.choices import Choice, Walk, walk_choices
from fuda.explain.second_look import SecondLook
from fuda.explain.standing import AgentCost, agent_costs
from fuda.explain.values import valued_models
from fuda.records import replay

STRONGEST = "best"  # the name of the strongest shipped model of a game
PARTS = 2.0**20  # of a unit, to which all is rounded
EVEN = {"points": 0.0, "probability": 0.5}
SCENARIOS = 128  # of a second look
GLANCE = 24  # scenarios of the glance that says which choices get one
MOST_GLANCES = 24  # choices that get that: those that cost most
WORTH_A_LOOK = 0.005  # what is less, in a chance or in parts of the game's point scale, is no mistake
ERRORS = 2.0  # a mistake costs more than so many standard errors of the second look


@dataclass(frozen=True)
class Swing:
    """How an expectation changed, and why: result == luck - cost + others_cost, exactly."""

    result: float
    luck: float
    cost: float
    others_cost: float


@dataclass(frozen=True)
class Decision(Swing):
    """A choice of the reviewed seat, and all until its next one."""

    index: int  # the moves before it: the place of the move in the record
    deal: int  # from 0
    kind: str  # in the game's words
    move: str
    best: str
    before: float  # what the best move was expected to bring
    after: float  # what the move played was


@dataclass(frozen=True)
class Mistake:
    """A move that cost something, also by a second, deeper look."""

    index: int
    move: str
    best: str
    cost: float  # by the agent's values, as in `decisions`
    stderr: float  # of the second look, which `cost` exceeds twice
    second_cost: float  # what the second look says


@dataclass(frozen=True)
class Review:
    """What a seat did in a match. All figures are in `unit`."""

    game: str
    players: list[str]
    seat: int
    agent: str  # whose values these are
    weights: str | None  # a hash of what it has learned
    looker: str  # who played the second looks
    scenarios: int  # of each
    unit: str  # "probability" of winning the match, or "points"
    over: bool  # a match that was not played to its end has no other result than what is expected of it
    moves: int
    start: float  # an even game, from which `result` is counted
    result: float
    luck: float
    cost: float
    others_cost: float
    opening: Swing  # until the first choice: the deal
    decisions: list[Decision]  # all with a choice, in order
    mistakes: list[Mistake]  # worst first
    standing: list[AgentCost]  # what a game costs agents, the dearest first; none where nothing compares
    # Rules of the match that the agent did not learn: its values are for others.
    unlearned: dict[str, int | str]

    @property
    def costs_by_kind(self) -> dict[str, float]:
        """What each kind of decision cost, the dearest first."""
        found: defaultdict[str, float] = defaultdict(float)
        for decision in self.decisions:
            found[decision.kind] += decision.cost
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON has it."""
        return asdict(self) | {"costs_by_kind": self.costs_by_kind}


def review(
    record: Match | dict[str, Any],
    seat: int = 0,
    agent: str | PathLike[str] | Agent | None = None,
    *,
    scenarios: int = SCENARIOS,
    seed: int = 0,
) -> Review:
    """Judge the moves of a seat by an agent's values: of the game's strongest that tells them quickly.

    `seed` sets the luck of agents and second looks; `scenarios` is how many deals each of these has: with
    0 there are none, and no mistakes are told.
    """
    told = record if isinstance(record, Match) else replay(record)
    number = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
    if not number or not 0 <= seat < told.game.spec.seats:
        raise ValueError(f"a seat is 0 to {told.game.spec.seats - 1}, not {echo(seat)}")
    if not told.moves:
        raise ValueError("nothing was played in this match, so there is nothing to review")
    if scenarios < 0 or scenarios == 1:
        raise ValueError(f"a second look has 2 scenarios or more, or 0 for none, not {echo(scenarios)}")
    judge = judge_of(told, agent)
    walk = walk_choices(told)
    values = _values(judge, walk, seed)
    opening, decisions = _account(walk, values, judge, int(seat))
    looker, mistakes = looker_of(judge), []
    if scenarios:
        look = SecondLook(looker, str(judge.info.unit), told.game.options, judge, seed)
        mistakes = _mistakes(walk, decisions, look, scenarios, worth_a_look(judge))
    swings = [opening, *decisions]
    return Review(
        told.game.id, list(told.players), int(seat), judge.name, judge.weights, looker.name, scenarios,
        str(judge.info.unit), told.over, len(told.moves), EVEN[str(judge.info.unit)],
        sum(swing.result for swing in swings), sum(swing.luck for swing in swings),
        sum(swing.cost for swing in swings), sum(swing.others_cost for swing in swings),
        opening, decisions, mistakes, _standing(told, judge), judge.info.other_options(told.game),
    )  # fmt: skip


def reviewer_of(game_id: str) -> str:
    """The agent by which a game's matches are reviewed: its strongest model, as far as it values at once."""
    name = _quick_model(game_id)
    if name is None:
        raise ValueError(f"{game_id} has no model that tells values at once; name an agent that tells values")
    return name


@cache
def can_review(game_id: str) -> bool:
    """Whether a game has an agent for that without being told one."""
    return _quick_model(game_id) is not None


def _quick_model(game_id: str) -> str | None:
    """A model that values at once: the strongest, or what is nearest to it."""
    players = model_players(game_id)

    def preferred(name: str) -> tuple[bool, bool, str]:
        """First the strongest model's, then those that value the whole match rather than a deal of it."""
        is_strongest = players[name.partition("/")[2]][0].name == STRONGEST
        return not is_strongest, agent_info(name).unit != "probability", name

    at_once = [name for name in valued_models(game_id) if not agent_info(name).searches]
    return min(at_once, key=preferred, default=None)


def judge_of(told: Match, given: str | PathLike[str] | Agent | None = None) -> Agent:
    """The agent that values the moves, or a `ValueError` that says why it cannot."""
    game_id = told.game.id
    judge = given if isinstance(given, Agent) else agent_of(game_id, given or reviewer_of(game_id))
    if judge.spec is not told.game.spec:
        raise ValueError(f"{judge.name} does not play {game_id}, of which this match is")
    if isinstance(judge, BotAgent):
        raise ValueError(f"{judge.name} is a bot, which cannot be asked about single views; name an agent")
    if judge.info.unit not in EVEN:
        raise ValueError(f"{judge.name} does not tell what moves are worth; name an agent that does")
    return judge


def looker_of(judge: Agent) -> Agent:
    """Who plays choices out: the judge, or if it takes its time one that plays at once."""
    if not judge.info.searches:
        return judge
    game_id = judge.spec.id
    return agent_of(game_id, _quick_model(game_id) or f"{game_id}/{judge.spec.fallback}")


def worth_a_look(judge: Agent) -> float:
    """The least cost that may be a mistake, in the judge's unit."""
    return WORTH_A_LOOK * (judge.spec.point_scale if judge.info.unit == "points" else 1)


def _standing(told: Match, judge: Agent) -> list[AgentCost]:
    """What the agents gave away in whole matches of these rules; half a match has half a cost."""
    if not told.over:
        return []
    return list(agent_costs(told.game.id, judge.name, judge.weights, told.game.options))


def is_mistake(cost: float, second_cost: float, stderr: float, least: float) -> bool:
    """Whether a second look says so too, and both by more than its doubled error."""
    return min(cost, second_cost) > ERRORS * stderr and second_cost >= least


def _rounded(value: float) -> float:
    return float(np.round(value * PARTS) / PARTS)


def _values(judge: Agent, walk: Walk, seed: int) -> dict[int, Mapping[int, float]]:
    """The values of the actions at each choice by its index; of those alone that are in the judge's unit."""
    unit = judge.info.unit
    asked = [choice for choice in walk.choices if judge.info.unit_for(choice.is_bid) == unit]
    if not asked:
        return {}
    views = np.concatenate([choice.view for choice in asked]).view(np.recarray)
    seats = np.array([choice.seat for choice in asked])
    found = judge.evaluate(views, seats, streams(seed, AGENT, 0, len(asked)))
    assert found is not None  # it has a unit
    # A search may not have tried the move that was played: of that choice nothing can be said.
    return {
        choice.index: row
        for choice, row in zip(asked, found, strict=True)
        if choice.action in row and len(row) > 1
    }


def _account(
    walk: Walk, values: Mapping[int, Mapping[int, float]], judge: Agent, seat: int
) -> tuple[Swing, list[Decision]]:
    """What changed the seat's expectation: before its first choice, and from each to the next."""
    spec, unit = judge.spec, judge.info.unit
    judged = [choice for choice in walk.choices if choice.index in values]
    mine = [choice for choice in judged if choice.seat == seat]
    costs = {
        choice.index: _rounded(loss(values[choice.index], choice.action, spec, unit)) for choice in judged
    }
    best = {choice.index: best_move(values[choice.index], spec, unit) for choice in mine}
    # Where the expectation stands before each own choice, and at the end.
    before = [
        _rounded(_banked(walk, choice, seat, unit) + values[choice.index][best[choice.index]])
        for choice in mine
    ]
    after = [level - costs[choice.index] for choice, level in zip(mine, before, strict=True)]
    start = EVEN[str(unit)]
    final = _outcome(walk.match, seat, unit, walk.payoffs)
    levels = [start, *before, (after or [start])[-1] if final is None else _rounded(final)]
    indices = [0, *(choice.index for choice in mine), len(walk.match.moves)]
    gifts = [
        sum(
            _gift(choice, costs[choice.index], seat, spec.num_sides)
            for choice in judged
            if choice.seat != seat and first <= choice.index < last
        )
        for first, last in pairwise(indices)
    ]
    if final is None:  # what came after the last choice has no account yet
        gifts[-1] = 0.0
    own = [0.0, *(costs[choice.index] for choice in mine)]
    swings = []
    for number, (level, following) in enumerate(pairwise(levels)):
        result = following - level
        swings.append((result, result + own[number] - gifts[number], own[number], gifts[number]))
    name = spec.text.move_text
    decisions = [
        Decision(
            *swing, choice.index, choice.deal, choice.kind, choice.move,
            choice.move if swing[2] == 0 else name(best[choice.index]), level, end,
        )
        for choice, swing, level, end in zip(mine, swings[1:], before, after, strict=True)
    ]  # fmt: skip
    return Swing(*swings[0]), decisions


def _gift(choice: Choice, cost: float, seat: int, num_sides: int) -> float:
    """What another seat's cost is worth to the reviewed one: its partner's is a loss.

    Of several opponents each gains a part. While there are no sides yet, nobody can say who gains.
    """
    if choice.is_bid:
        return 0.0
    if choice.sides[choice.seat] == choice.sides[seat]:
        return -cost
    return _rounded(cost / (num_sides - 1))


def _banked(walk: Walk, choice: Choice, seat: int, unit: str | None) -> float:
    """The points of the deals that ended before a choice; a chance is of the whole match."""
    if unit != "points":
        return 0.0
    return sum(paid[seat] for index, paid in walk.payoffs if index <= choice.index)


def _outcome(
    match: Match, seat: int, unit: str | None, payoffs: list[tuple[int, list[float]]]
) -> float | None:
    """What the match brought the seat; None where it was not played to the end."""
    if not match.over:
        return None
    if unit == "points":
        return sum(paid[seat] for _, paid in payoffs)
    margin = match.margin(seat)
    assert margin is not None
    return float((np.sign(margin) + 1) / 2)


def _mistakes(
    walk: Walk, decisions: list[Decision], look: SecondLook, scenarios: int, least: float
) -> list[Mistake]:
    """The decisions that cost more than twice the error of a second look, which says so too; worst first."""
    dear = sorted((one for one in decisions if one.cost >= least), key=lambda one: -one.cost)[:MOST_GLANCES]
    choices = {choice.index: choice for choice in walk.choices}

    def compare(some: list[Decision], number: int) -> tuple[np.ndarray, np.ndarray]:
        asked = [choices[one.index] for one in some]
        better = [_actions(walk, choice)[one.best] for one, choice in zip(some, asked, strict=True)]
        return look.compare(
            np.concatenate([choice.view for choice in asked]).view(np.recarray),
            np.array([choice.seat for choice in asked]),
            np.array(better),
            np.array([choice.action for choice in asked]),
            number,
        )

    if dear:
        glanced, _ = compare(dear, min(GLANCE, scenarios))
        dear = [one for one, ahead in zip(dear, glanced, strict=True) if ahead > 0]
    if not dear:
        return []
    ahead, errors = compare(dear, scenarios)
    return [
        Mistake(one.index, one.move, one.best, one.cost, float(error), float(found))
        for one, found, error in zip(dear, ahead, errors, strict=True)
        if is_mistake(one.cost, float(found), float(error), least)
    ]


def _actions(walk: Walk, choice: Choice) -> dict[str, int]:
    """The legal moves of a choice with their actions."""
    spec = walk.match.game.spec
    legal = spec.kernels.legal_lists(choice.view)
    return {spec.text.move_text(int(action)): int(action) for action in legal.items}
