"""Ratings of persons and of those whom they play, game by game, by openskill's Bradley-Terry model.

All figures are on the Elo scale: a lead of 400 is odds of ten to one. A side is as strong as its members are
on average, so that two peasants are not taken for twice as strong as the landlord: openskill itself adds up
the members of a team. What it rates here is the lead of one side over another one, a sum over the players
that sit there; the same agent may sit on both sides. What a game tells of the lead is shared among the
players by how little is known of each and by how much it counts in the lead.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot, log, sqrt
from typing import Any

from openskill.models import BradleyTerryFull

ELO = 400 / log(10)
NEWCOMER_ERROR = 250.0  # of somebody of whom nothing is known
AGENT_ERROR = 50.0  # of an agent's stored rating: what holds among agents need not hold against persons
LEARNING = 3.0  # by how much a person may change from one game to the next
EVEN_ERROR = 1e-6  # of the other side of a lead, which has no rating of its own


def _all(*_: Any, **__: Any) -> float:
    """How much of what a game tells lessens the error: all, so that it is a standard error."""
    return 1.0


MODEL = BradleyTerryFull(mu=0.0, sigma=EVEN_ERROR, beta=ELO / sqrt(2), tau=0.0, kappa=1e-6, gamma=_all)


@dataclass(frozen=True)
class Skill:
    """A rating and its standard error."""

    rating: float
    error: float


def after_game(
    skills: Mapping[Hashable, Skill],
    players: Sequence[Hashable],
    sides: Sequence[Hashable],
    places: Sequence[float],
) -> dict[Hashable, Skill]:
    """The skills after a game, by player, side and place of each seat: lower is better, a draw is equal.

    Of more than two sides each two have played.
    """
    found = dict(skills)
    seats: defaultdict[Hashable, list[int]] = defaultdict(list)
    for seat, side in enumerate(sides):
        seats[side].append(seat)
    for one, other in combinations(seats.values(), 2):
        weights: defaultdict[Hashable, float] = defaultdict(float)  # of the players in the lead of the first
        for mine, sign in ((one, 1), (other, -1)):
            for seat in mine:
                weights[players[seat]] += sign / len(mine)
        found |= _after(found, weights, places[one[0]], places[other[0]])
    return found


def grown(skill: Skill) -> Skill:
    """A person's skill before the next game: less sure, since persons learn."""
    return Skill(skill.rating, hypot(skill.error, LEARNING))


def _after(
    skills: Mapping[Hashable, Skill], weights: Mapping[Hashable, float], place: float, other_place: float
) -> dict[Hashable, Skill]:
    """What the players of a lead are worth once it was put to the test."""
    lead = sum(weight * skills[player].rating for player, weight in weights.items())
    variance = sum((weight * skills[player].error) ** 2 for player, weight in weights.items())
    if not variance:  # the same players on both sides
        return {}
    given = [[MODEL.rating(mu=lead, sigma=sqrt(variance))], [MODEL.rating()]]
    (new,), _ = MODEL.rate(given, ranks=[place, other_place])
    told = {}
    for player, weight in weights.items():
        skill = skills[player]
        part = weight * skill.error**2 / variance  # by how much it moves with the lead
        told[player] = Skill(
            skill.rating + part * (new.mu - lead),
            sqrt(skill.error**2 - part**2 * (variance - new.sigma**2)),
        )
    return told
