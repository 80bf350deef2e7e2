"""Every game as a PettingZoo AEC environment: `fuda.pettingzoo.env("koikoi", rounds=4)`.

An observation is the agent's view as bytes, with the mask of its legal actions. With `observation="encoded"`
it is what a network reads of the view (`env.layout` names the columns), zeros for who is not to move.
Rewards come at the end of the match: the seat's margin, as `fuda.duel` counts it. With `rewards="deal"` they
come at the end of each deal: what it was worth to the seat. The mover's `info["legal"]` lists the ids of its
legal actions, which is quicker to read than the mask. Needs the extra `pettingzoo`.
"""

from typing import Any

import numpy as np

from fuda.core.errors import how_to_get

try:
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"fuda.pettingzoo needs {error.name}: {how_to_get('pettingzoo')}", name=error.name
    ) from None

from fuda.core.errors import IllegalMove, echo
from fuda.core.match import Match
from fuda.envs import layout_of
from fuda.games import game as find_game


def env(
    game: str,
    render_mode: str | None = None,
    observation: str = "bytes",
    rewards: str = "match",
    **options: object,
) -> AECEnv:
    """The environment. It makes the checks of PettingZoo's wrappers itself, which would halve its speed."""
    return MatchEnv(game, render_mode, observation, rewards, **options)


class MatchEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match as an AEC environment; agent `seat_0` sits in seat 0, and so on."""

    def __init__(
        self,
        game: str,
        render_mode: str | None = None,
        observation: str = "bytes",
        rewards: str = "match",
        **options: object,
    ):
        super().__init__()
        self.game = find_game(game, **options)
        spec = self.game.spec
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not {echo(render_mode)}")
        if observation not in ("bytes", "encoded"):
            raise ValueError(f"observation is 'bytes' or 'encoded', not {echo(observation)}")
        if rewards not in ("match", "deal"):
            raise ValueError(f"rewards is 'match' or 'deal', not {echo(rewards)}")
        self.layout = layout_of(self.game) if observation == "encoded" else None
        self._is_by_deal = rewards == "deal"
        self.metadata = {
            "name": f"fuda_{spec.id}_v{spec.rules_version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(spec.seats)]
        seen = (
            Box(0, 255, (spec.rules.STATE.itemsize,), np.uint8)
            if self.layout is None
            else Box(self.layout.low, self.layout.high, dtype=np.float32)
        )
        space = Dict({"observation": seen, "action_mask": Box(0, 1, (spec.num_actions,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {name: Discrete(spec.num_actions) for name in self.possible_agents}
        self._seat_of = {name: seat for seat, name in enumerate(self.possible_agents)}
        self._is_rewarded = False  # whether the last step brought rewards
        self._seeds: np.random.Generator | None = None  # matches without a seed
        self._match: Match | None = None
        self.infos: dict[str, dict[str, Any]]

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
        self.rewards, self._is_rewarded = dict.fromkeys(self.agents, 0.0), False
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._hand_over()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What the agent sees, and the mask of its legal actions (none out of turn)."""
        match, seat = self._begun(), self._seat_of[agent]
        mask = np.zeros(self.game.spec.num_actions, np.int8)
        if match.seat == seat:
            mask[list(match.legal_actions().values())] = 1
        if self.layout is None:
            seen = match.view_bytes(seat)
        elif match.seat == seat:
            seen = self.layout.tell(match.view_record(seat), seat)
        else:
            seen = np.zeros(self.layout.width, np.float32)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move."""
        match = self._begun()
        if match.over:
            self._was_dead_step(action)
            return
        text = self._text_of(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        match.play(text)
        if self._is_rewarded:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        won = match.deal_payoffs() if self._is_by_deal else self._margins()
        self._is_rewarded = won is not None
        if won is not None:
            self.rewards = dict(zip(self.agents, won, strict=True))
            self._accumulate_rewards()
        if match.over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._hand_over()

    def _begun(self) -> Match:
        if self._match is None:
            raise ResetNeeded("call reset() before anything else: no match has begun")
        return self._match

    def _text_of(self, action: object) -> str:
        """The move that an action means."""
        spec = self.game.spec
        number = isinstance(action, int | np.integer) and not isinstance(action, bool)
        if not number or not 0 <= int(action) < spec.num_actions:  # type: ignore[call-overload]
            raise IllegalMove(
                f"an action is a whole number from 0 to {spec.num_actions - 1}, not {echo(action)}"
            )
        return spec.move_texts[int(action)]  # type: ignore[call-overload]

    def _margins(self) -> list[float] | None:
        """By how much each seat's side won the match, once it is over."""
        match = self._begun()
        margins = [match.margin(seat) for seat in range(self.game.spec.seats)] if match.over else []
        return [margin for margin in margins if margin is not None] or None

    def render(self) -> str | None:
        """The view of the agent to move, as text."""
        if self.render_mode is None:
            return None
        view = self._begun().view(self._seat_of[self.agent_selection])
        return "\n".join(f"{key}: {value}" for key, value in view.items())

    def close(self) -> None:
        """Nothing is held open."""

    def _hand_over(self) -> None:
        """Say whose turn it is and what is legal; at the end the agents are called in order of seats."""
        match = self._begun()
        self.agent_selection = self.agents[0] if match.seat is None else self.possible_agents[match.seat]
        self.infos = {name: {} for name in self.agents}
        self.infos[self.agent_selection]["legal"] = list(match.legal_actions().values())
