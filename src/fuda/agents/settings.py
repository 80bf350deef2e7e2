"""The settings of players that search: a game gives them as plain data (its `players.py`), checked here.

Whatever is in points has no default: each game says it in its own.
"""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from fuda.core.errors import echo
from fuda.core.game import RANDOM, GameSpec

FEW_SCENARIOS = 16  # whose trees take no time worth mentioning


@dataclass(frozen=True)
class SearchSetting:
    """A player by tree search: how many trees and iterations, and what an outcome is worth."""

    kind: ClassVar[str] = "search"

    name: str
    title: str
    line: str
    trees: int  # each on a redeal of its own; with `information_set` they share one tree
    iterations: int  # in each tree
    exploration: float  # in points
    rollout: str = RANDOM  # or the name of a policy of the game
    information_set: bool = False


@dataclass(frozen=True, kw_only=True)
class ScenarioSetting:
    """A player that asks a network about open hands, in scenarios of what it cannot see."""

    kind: ClassVar[str] = "scenarios"
    pool: ClassVar[int] = 1  # as below
    floor: ClassVar[float] = 0.0

    name: str  # added to the model's
    title: str
    line: str
    method: str = "search"  # or "policy": what the network would play, without search
    scenarios: int = 9  # 0, for a policy: the view itself, with parts of unseen cards
    sampling: str = "stratified"  # by where the key cards lie; or "uniform"
    counted: bool = False  # strata weigh as much as they have deals; else all the same
    weighting: str = "iec"  # by what the others played: none, iec, iec-linear, bayes
    beta: float  # how much a point of regret tells in that
    per_legal: int = 2  # iterations of a tree for each legal action
    extra: int = 10  # and so many more
    exploration: float  # in points
    use_prior: bool = False  # trees follow the network's policy (PUCT)
    skip_forced: bool = False  # forced actions are no leaves
    exact: int = 0  # from so many rounds of play before the end on, scenarios are solved

    @property
    def searches(self) -> bool:
        """Whether it takes its time: small trees in a few scenarios are grown in milliseconds."""
        return self.method == "search" and self.scenarios > FEW_SCENARIOS


@dataclass(frozen=True, kw_only=True)
class RolloutSetting:
    """A player by a network of views, which may look further where its best actions are close.

    Then they are played out in scenarios, every seat by the network from its own view. What is said in points
    is in the players' unit.
    """

    kind: ClassVar[str] = "views"

    name: str  # added to the model's
    title: str
    line: str
    unit: str = "points"  # of the models that play so; those with values in another are networks alone
    scenarios: int = 0  # none: the network alone
    sampling: str = "uniform"  # or "stratified"
    counted: bool = True  # strata weigh as much as they have deals
    weighting: str = "belief"  # a network's guess who holds what, or as above: none, iec, iec-linear, bayes
    beta: float  # how much a point of regret tells in those
    floor: float = 0.0  # the chance, in bayes, that a play was a random one
    pool: int = 1  # so many deals are drawn and weighed for each scenario; of more than one, some are drawn
    close: float  # actions so many points behind the best are looked at
    candidates: int = 3  # at most
    doubt: float  # how many points the network may err about a difference: more weigh play-outs more
    deviation: float  # of such a difference over deals, in points, before any was played out
    plies: int = 0  # after so many choices the network values a play-out; 0: they go to the end
    exact: int = 0  # endings not larger than this, as the game counts them, are solved instead

    @property
    def searches(self) -> bool:
        """Whether it looks further than its network."""
        return self.scenarios > 0


@dataclass(frozen=True, kw_only=True)
class SoftenedSetting:
    """A weaker player: another's values, by which it chooses less strictly."""

    kind: ClassVar[str] = "softened"

    name: str
    title: str
    line: str
    of: str  # a player of a shipped model of the game, which gives the values
    temperature: float  # in the unit of those: a move so much worse is chosen e times as seldom
    among: int  # at most so many of the best moves are thought of


Setting = TypeVar("Setting", SearchSetting, ScenarioSetting, RolloutSetting, SoftenedSetting)
KINDS = [kind.kind for kind in (SearchSetting, ScenarioSetting, RolloutSetting, SoftenedSetting)]


def settings(spec: GameSpec, kind: type[Setting]) -> dict[str, Setting]:
    """A game's players of one kind by name; a `ValueError` says what is wrong with its players.py."""
    for other in spec.players:
        if other not in KINDS:
            raise ValueError(f"{spec.id}: players.py has {echo(other)}; the kinds are {', '.join(KINDS)}")
    fields = {field.name: field for field in dataclasses.fields(kind) if field.name != "name"}
    found = {}
    for name, given in spec.players.get(kind.kind, {}).items():
        whose = f"{spec.id}: the player {echo(name)} of the kind {kind.kind} in players.py"
        for key in given:
            if key not in fields:
                raise ValueError(f"{whose} has no setting {echo(key)}; it has {', '.join(fields)}")
        for key, field in fields.items():
            if field.default is dataclasses.MISSING and key not in given:
                raise ValueError(f"{whose} lacks the setting {key}")
        rollouts = (RANDOM, *(policy.name for policy in spec.policies))
        if given.get("rollout", RANDOM) not in rollouts:
            raise ValueError(
                f"{whose} has the rollout {echo(given['rollout'])}, which is one of {', '.join(rollouts)}"
            )
        found[name] = kind(name=name, **given)
    return found
