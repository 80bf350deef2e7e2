"""Every game as a PettingZoo AEC environment: `fuda.pettingzoo.env("koikoi", rounds=4)`.

An observation is the agent's view as bytes, with the mask of its legal actions. Rewards come at
the end of the match: the seat's margin, as `fuda.duel` counts it. Needs the extra `pettingzoo`.
"""

from typing import Any

import numpy as np

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"fuda.pettingzoo needs {error.name}: run make dev", name=error.name) from None

from fuda.core.errors import echo
from fuda.core.match import Match
from fuda.games import game as find_game


def env(game: str, render_mode: str | None = None, **options: object) -> AECEnv:
    """The environment with PettingZoo's usual checks around it."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(RawEnv(game, render_mode, **options))
    )


class RawEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match as an AEC environment; agent `seat_0` sits in seat 0, and so on."""

    def __init__(self, game: str, render_mode: str | None = None, **options: object):
        super().__init__()
        self.game = find_game(game, **options)
        spec = self.game.spec
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not {echo(render_mode)}")
        self.metadata = {
            "name": f"fuda_{spec.id}_v{spec.rules_version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(spec.seats)]
        observation = Dict(
            {
                "observation": Box(0, 255, (spec.rules.STATE.itemsize,), np.uint8),
                "action_mask": Box(0, 1, (spec.num_actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = {name: Discrete(spec.num_actions) for name in self.possible_agents}
        self._seeds: np.random.Generator | None = None  # matches without a seed
        self._match: Match

    def observation_space(self, agent: str) -> Dict:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What an agent answers."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match; the same seed gives the same cards, also in the resets after it."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        drawn = None if self._seeds is None else int(self._seeds.integers(2**63))
        self._match = self.game.start(drawn, deal=(options or {}).get("deal"))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self._mover()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The agent's view as bytes, and the mask of its legal actions (none out of turn)."""
        spec = self.game.spec
        seat = self.possible_agents.index(agent)
        view = self._match.view_record(seat)
        mask = np.zeros(spec.num_actions, np.int8)
        if self._match.seat == seat:
            mask[list(self._match.legal_actions().values())] = 1
        return {"observation": view.view(np.uint8).reshape(-1).view(np.ndarray), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._match.play(self.game.spec.text.move_text(int(action)))  # type: ignore[arg-type]
        if self._match.over:
            scores = np.array(self._match.scores)
            for seat, name in enumerate(self.agents):
                self.rewards[name] = float(self.game.spec.margin(scores, self._side(seat)))
                self.terminations[name] = True
        self._accumulate_rewards()
        self.agent_selection = self._mover()

    def render(self) -> str | None:
        """The view of the agent to move, as text."""
        if self.render_mode is None:
            return None
        view = self._match.view(self.possible_agents.index(self.agent_selection))
        return "\n".join(f"{key}: {value}" for key, value in view.items())

    def close(self) -> None:
        """Nothing is held open."""

    def _mover(self) -> str:
        """The agent to move; at the end they are called in order of seats."""
        seat = self._match.seat
        return self.agents[0] if seat is None else self.possible_agents[seat]

    def _side(self, seat: int) -> list[bool]:
        """The seats that win and lose together with a seat."""
        view, side = self._match.view_record(seat)[0], self.game.spec.rules.side
        return [side(view, other) == side(view, seat) for other in range(self.game.spec.seats)]
