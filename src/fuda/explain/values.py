"""The predicted value of every legal move in a position, by any agents side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuda.agents import Agent, agent_info
from fuda.agents.agent import POLICY
from fuda.agents.decompositions import DecompositionAgent
from fuda.agents.model import model_players
from fuda.agents.ties import best_first, best_move
from fuda.core.match import Match

UNIT_WORDS = {
    "points": "points expected",
    "probability": "chance to win the match",
    POLICY: "how likely it is played",
}


@dataclass(frozen=True)
class Judgement:
    """What one agent thinks of a position."""

    agent: str
    unit: str | None
    values: dict[str, float]  # of the legal moves; empty if the agent tells none
    best: str  # the move of the highest value; its choice if it tells none, takes hands apart, or names parts
    decomposition: Sequence[str] = ()  # the moves that it takes the hand apart in, if it does that

    @property
    def unit_words(self) -> str:
        """What its numbers are."""
        return UNIT_WORDS[self.unit] if self.unit in UNIT_WORDS and self.values else "its choice alone"

    def value_text(self, move: str) -> str:
        """A move's value for people; nothing where it tells none."""
        return value_text(self.values[move], self.unit) if move in self.values else ""


@dataclass(frozen=True)
class Explanation:
    """A position with what agents think of it."""

    match: Match
    played: str | None  # the move that followed, if one did
    judgements: list[Judgement]

    def moves(self) -> list[str]:
        """The legal moves, best first by the first agent that tells values."""
        valued = next((one for one in self.judgements if one.values), None)
        first = best_first(valued.values, self.match.game.spec, valued.unit) if valued else []
        return [*first, *(move for move in self.match.legal_actions() if move not in first)]

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON has it."""
        return {
            "game": self.match.game.id,
            "move": len(self.match.moves) + 1,
            "seat": self.match.seat,
            "legal": self.match.legal(),
            "played": self.played,
            "agents": [
                {
                    "agent": one.agent,
                    "unit": one.unit,
                    "meaning": one.unit_words,
                    "best": one.best,
                    "values": one.values,
                    **({"decomposition": list(one.decomposition)} if one.decomposition else {}),
                }
                for one in self.judgements
            ],
        }


def value_text(value: float, unit: str | None) -> str:
    """A value for people."""
    return f"{value:.1%}" if unit in ("probability", POLICY) else f"{value:+.2f}"


def explain_move(told: Match, number: int, agents: Sequence[Agent]) -> Explanation:
    """What agents think of the position before move `number`, counted from 1, of a match."""
    match = position_before(told, number)
    played = told.moves[number - 1][1] if number <= len(told.moves) else None
    return Explanation(match, played, [judge(one, match) for one in agents])


def position_before(told: Match, number: int) -> Match:
    """The match as it stood before move `number`, counted from 1; one past the last if it goes on."""
    last = len(told.moves) + (not told.over)
    if not 1 <= number <= last:
        raise ValueError(f"the match has moves 1 to {last}, not {number}")
    match = told.game.start(told.seed, told.deals, told.players)
    for _, move in told.moves[: number - 1]:
        match.play(move)
    return match


def judge(agent: Agent, match: Match) -> Judgement:
    """One agent's values and its best move."""
    if isinstance(agent, DecompositionAgent) and not match.awaits_bid:
        return _taken_apart(agent, match)
    values, unit = agent.values(match), agent.info.unit_for(match.awaits_bid)
    if values is None:
        return Judgement(agent.name, unit, {}, agent.choose(match))
    best = agent.choose(match) if unit == POLICY else best_move(values, agent.spec, unit)
    return Judgement(agent.name, unit, values, best)


def _taken_apart(agent: DecompositionAgent, match: Match) -> Judgement:
    """The same of one draw of decompositions: values, its choice, and what that is chosen from."""
    opinion, name = agent.opinion(match), agent.spec.text.move_text
    told = opinion.values if agent.info.unit is not None else {}
    values = {name(action): value for action, value in told.items()}
    groups = [name(int(group)) for group in np.sort(opinion.decomposition)]
    return Judgement(agent.name, agent.info.unit, values, name(opinion.action), groups)


def valued_models(game_id: str) -> list[str]:
    """The players of a game's shipped models that tell values: those at once, if there are such, else all."""
    names = [f"{game_id}/{name}" for name in sorted(model_players(game_id))]
    valued = [name for name in names if agent_info(name).unit is not None]
    return [name for name in valued if not agent_info(name).searches] or valued
