"""Runs in which each kind of decision, a seat's role, has its own agent; they are trained against each other.

Or one side of the table is a guest's, a policy of the game, and only the roles of the other are learned. In
each tick every game makes one choice, which is played with all that is forced after it (`deals.py`). When a
deal ends its choices are told to the agents that made them, with what came after. What an agent is asked and
how it learns is the algorithm's: Q-learning (`q_learning.py`), an actor with a critic (`actor_critic.py`).

B games or choices, W words of a position, G the most groups that one is chosen from.
"""

from abc import ABC, abstractmethod
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from fuda.arena.seats import games_won
from fuda.core.generator import TRAINING_SAMPLE, fork_all, training_streams
from fuda.core.threads import split
from fuda.games import game as find_game
from fuda.games import part
from fuda.nets.action_outputs import ActionReader
from fuda.nets.export import write_model
from fuda.nets.folder import CARD, ModelCard, read_card
from fuda.nets.group_reader import GroupReader
from fuda.nets.readers import encode_action
from fuda.training.conduct import CHOOSING_SEED, MODEL, TrainingRun
from fuda.training.deals import Deals, Play, Seating, alone
from fuda.training.rewards import find_reward
from fuda.training.run_folder import packed, read_checkpoint, read_games, unpacked, write_checkpoint
from fuda.training.torch_agent import model_on
from fuda.training.trainer import Trainer

CHOICES_GROUP = 1  # the group of the generators that choices are made by; that of the games is 0
NUM_DRAWS = 4  # of a choice: what it is chosen from; whether it explores, and what in either stage


class Words(NamedTuple):
    """What the games write of a choice: the position's words, and of a move its number."""

    encoding: Any
    num_words: int
    encode: Any
    num_move_words: int = 1
    encode_move: Any = encode_action
    has_columns: bool = False


class Choices(NamedTuple):
    """What was chosen, and what it was chosen from."""

    words: np.ndarray  # [B, W]
    seeds: np.ndarray  # [B] of the generators that drew the decompositions
    groups: np.ndarray  # [B, G] the chosen decomposition; BEYOND where it has no more
    playable: np.ndarray  # [B, G]
    places: np.ndarray  # [B] of the group that is played

    @classmethod
    def blank(cls, count: int, num_words: int, num_groups: int) -> "Choices":
        """Room for so many."""
        return cls(
            np.zeros((count, num_words), np.int64), np.zeros(count, np.uint64),
            np.zeros((count, num_groups), np.int16), np.zeros((count, num_groups), np.bool_),
            np.zeros(count, np.int8),
        )  # fmt: skip

    def write(self, index: Any, others: "Choices") -> None:
        """Write others into these rows."""
        for mine, fresh in zip(self, others, strict=True):
            mine[index] = fresh

    def take(self, index: np.ndarray) -> "Choices":
        """These rows."""
        return Choices(*(column[index] for column in self))


class Ends(NamedTuple):
    """What came after choices."""

    outcomes: np.ndarray  # [B] of the deal, for the mover
    decisions_left: np.ndarray  # [B] of the mover in this deal; 0 after the last
    next_words: np.ndarray  # [B, W] its next decision, if there is one
    next_seeds: np.ndarray  # [B]


class RoleAgent(ABC):
    """What learns to make one kind of decision."""

    trainer: Trainer

    @property
    def net(self) -> Any:
        """That plays, as it is in the model."""
        return self.trainer.average

    @property
    def num_steps(self) -> int:
        """Steps of learning."""
        return self.trainer.num_steps

    @property
    def num_parameters(self) -> int:
        """How many numbers are learned."""
        return sum(weights.numel() for weights in self.trainer.net.parameters())

    @abstractmethod
    def choose(self, words: np.ndarray, seeds: np.ndarray, chances: np.ndarray, epsilon: float) -> Choices:
        """What is played in positions [B, W], by numbers from 0 to 1 [B, 3]."""

    @abstractmethod
    def remember(self, choices: Choices, ends: Ends) -> None:
        """Keep choices of deals that have ended."""

    @abstractmethod
    def learn(self, done: float) -> None:
        """The steps that are due."""

    @abstractmethod
    def errors(self) -> dict[str, float]:
        """The mean parts of the error since the last call."""

    @abstractmethod
    def start_from(self, folder: Path, number: int) -> None:
        """Take over a network of a model."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """For a checkpoint."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """What it remembers, for a checkpoint."""

    @abstractmethod
    def restore(self, state: dict[str, Any], arrays: dict[str, Tensor] | None) -> None:
        """Go on from a checkpoint; without what it remembered that is gathered anew."""


class RoleRun(TrainingRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    evaluated = "its networks, as they play"

    def __init__(self, recipe: Any, out: Path, device: torch.device, minutes: float | None):
        super().__init__(recipe, out, device, minutes)
        self.game = find_game(recipe.game, **recipe.options)
        self.encoding = encoding = part(recipe.game, recipe.encoding)
        self.check_told(encoding)
        torch.manual_seed(recipe.seed)
        kind = ActionReader if encoding.PLAYED_BY == "actions" else GroupReader
        self.reader = kind(encoding, device, half=True)
        self.agents = [self.new_agent(number) for number in range(len(encoding.DECISION_KINDS))]
        size, spec = recipe.group_size, self.game.spec
        told: Any = Words(encoding, encoding.NUM_WORDS, encoding.encode)
        reward = find_reward(recipe.reward, spec, 1.0, ())
        self.deals = Deals(self.game, told, reward, self._seating(size), Play(), recipe.seed)
        self.rngs = training_streams(recipe.seed, TRAINING_SAMPLE, CHOICES_GROUP, 0, size)
        # Slots tick % T x B + game, as the deals count them.
        num_slots = self.deals.num_ticks * size
        self.slots = Choices.blank(num_slots, encoding.NUM_WORDS, encoding.MAX_GROUPS)
        self.nothing = np.zeros((size, reward.width), np.float32)
        self.num_ticks = self.num_choices = 0  # over all sessions
        self._games_before = 0  # finished in games that were not gone on with

    @abstractmethod
    def new_agent(self, number: int) -> RoleAgent:
        """What learns the decisions of a kind."""

    @property
    @abstractmethod
    def unit(self) -> str | None:
        """Of the values that its model tells."""

    @property
    def epsilon(self) -> float:
        """The chance of a random choice now."""
        return 0.0

    def _seating(self, size: int) -> Seating:
        """All games without guests, or all with the same one in the same seats."""
        seating, guest_seats = alone(size), self.recipe.guest_seats
        if not guest_seats:
            return seating
        match, rules = self.game.start(0), self.game.spec.rules
        (side,) = {rules.side(match.view_record(seat)[0], seat) for seat in guest_seats}
        return seating._replace(
            guest_sides=np.full(size, side), policies=np.zeros(size, np.int64), names=(self.recipe.guest,)
        )

    def advance(self) -> None:
        """One choice in every game, and the steps of learning that are due."""
        choices = self.choose()
        tick, size = self.deals.tick % self.deals.num_ticks, self.deals.size
        self.slots.write(np.arange(tick * size, (tick + 1) * size), choices)
        actions = choices.groups[np.arange(size), choices.places].astype(np.int64)
        slots, targets = self.deals.play(self._places_of(actions), self.nothing, Play())
        self._remember(slots, targets[:, 0])
        for agent in self.agents:
            agent.learn(self.done)
        self.num_ticks += 1
        self.num_choices += size
        self.num_games = self._games_before + self.deals.num_games

    def choose(self) -> Choices:
        """What all games do next."""
        words = self.deals.choices.words.copy()
        draws = np.empty((len(words), NUM_DRAWS), np.uint64)
        split(fork_all, self.rngs, draws, count=len(words))
        seeds, chances = draws[:, 0].copy(), (draws[:, 1:] >> np.uint64(33)) / 2.0**31
        kinds = self.encoding.decision_kinds(words)
        choices = Choices.blank(len(words), words.shape[1], self.encoding.MAX_GROUPS)
        for number, agent in enumerate(self.agents):
            mine = np.flatnonzero(kinds == number)
            if len(mine):
                choices.write(mine, agent.choose(words[mine], seeds[mine], chances[mine], self.epsilon))
        return choices

    def _places_of(self, actions: np.ndarray) -> np.ndarray:
        """Where the legal moves of each game have these [B]; legal moves rise."""
        choices, num_actions = self.deals.choices, self.game.spec.num_actions
        keys = choices.positions.astype(np.int64) * num_actions + choices.actions
        wanted = np.arange(len(actions)) * num_actions + actions
        rows = np.searchsorted(keys, wanted)
        if not np.array_equal(keys[np.minimum(rows, len(keys) - 1)], wanted):
            raise RuntimeError("a group was chosen that is no legal move")
        return rows - choices.starts[:-1]

    def _remember(self, slots: np.ndarray, outcomes: np.ndarray) -> None:
        """Tell the agents of their choices in deals that have ended."""
        size = self.deals.size
        games, ticks = slots % size, slots // size
        movers = self.deals.games.slots["mover"][games, ticks]
        # A deal's slots come in the order of play: sorted by mover, each one's next decision follows it.
        order = np.lexsort((np.arange(len(slots)), movers, games))
        games, movers, slots, outcomes = games[order], movers[order], slots[order], outcomes[order]
        is_last = np.ones(len(slots), bool)
        is_last[:-1] = (games[1:] != games[:-1]) | (movers[1:] != movers[:-1])
        last_of = np.flatnonzero(is_last)
        place = np.arange(len(slots))
        left = last_of[np.searchsorted(last_of, place)] - place
        following = slots[np.minimum(place + 1, len(slots) - 1)]
        choices = self.slots.take(slots)
        ends = Ends(outcomes, left, self.slots.words[following], self.slots.seeds[following])
        kinds = self.encoding.decision_kinds(choices.words)
        for number, agent in enumerate(self.agents):
            mine = np.flatnonzero(kinds == number)
            agent.remember(choices.take(mine), Ends(*(column[mine] for column in ends)))

    def figures(self) -> dict[str, float]:
        """Steps of learning, choices made, the chance of a random one."""
        steps = sum(agent.num_steps for agent in self.agents)
        return {"steps": steps, "choices": self.num_choices, "epsilon": round(self.epsilon, 4)}

    def errors(self) -> dict[str, float]:
        """The mean parts of the error, by the kind of decision."""
        return {
            f"{what}_error_{kind}": error
            for agent, kind in zip(self.agents, self.encoding.DECISION_KINDS, strict=True)
            for what, error in agent.errors().items()
        }

    def evaluate(self, games: int) -> dict[str, float]:
        """The model as it is now against some other players."""
        self.export()
        player = model_on(self.device, self.out / MODEL, f"{self.game.id}/in-training")
        guest, seats = self.recipe.guest, self.recipe.guest_seats
        if not seats:
            return self.against(player, self.recipe.opponents, games)
        rest = [seat for seat in range(self.game.spec.seats) if seat not in seats]
        won, stderr = games_won(self.game, player, f"{self.game.id}/{guest}", rest, games, CHOOSING_SEED)
        figures = {f"{guest}_win_rate": won, f"{guest}_win_rate_stderr": stderr}
        return figures | {f"{guest}_points": 2 * won - 1, f"{guest}_stderr": 2 * stderr}  # 1 or -1 a game

    def export(self) -> None:
        """The networks as a model folder."""
        spec, encoding = self.game.spec, self.encoding
        card = ModelCard(
            spec.id, spec.rules_version, self.recipe.encoding, encoding.ENCODING_VERSION,
            title=self.out.resolve().name, line=self.recipe.line, unit=self.unit, scale=1.0,
            options=self.game.options, made=self.made(),
        )  # fmt: skip
        nets: list[Any] = [agent.net for agent in self.agents]
        made_by = [(net, [kind]) for net, kind in zip(nets, encoding.DECISION_KINDS, strict=True)]
        write_model(self.out / MODEL, card, made_by)

    def save(self, with_games: bool = True) -> None:
        """Write a checkpoint."""
        games = None
        if with_games:
            games = {
                "deals": packed(self.deals.arrays()), "slots": packed(self.slots._asdict()),
                "rngs": packed({"rngs": self.rngs}),
                "memories": [packed(agent.arrays()) for agent in self.agents],
            }  # fmt: skip
        write_checkpoint(self.out, {
            "recipe": asdict(self.recipe), "agents": [agent.state() for agent in self.agents],
            "seconds": self.seconds, "num_games": self.num_games, "num_ticks": self.num_ticks,
            "num_choices": self.num_choices, "start": self.start,
        }, games, self.num_ticks)  # fmt: skip

    def restore(self) -> None:
        """Go on from the checkpoint. Without its file of games new ones begin, with the same weights."""
        stored = read_checkpoint(self.out, asdict(self.recipe))
        games = read_games(self.out, stored)
        self.seconds, self.num_games, self.start = stored["seconds"], stored["num_games"], stored["start"]
        self.num_ticks, self.num_choices = stored["num_ticks"], stored["num_choices"]
        for number, (agent, state) in enumerate(zip(self.agents, stored["agents"], strict=True)):
            agent.restore(state, None if games is None else games["memories"][number])
        if games is not None:
            self.deals.restore(unpacked(games["deals"], self.deals.arrays()))
            for name, array in unpacked(games["slots"], self.slots._asdict()).items():
                getattr(self.slots, name)[...] = array
            self.rngs[...] = unpacked(games["rngs"], {"rngs": self.rngs})["rngs"]
        self._games_before = self.num_games - self.deals.num_games

    def start_from(self, folder: Path) -> None:
        """Take over the networks of a model or a run: its games are behind it, the schedules begin anew."""
        model = folder if (folder / CARD).exists() else folder / MODEL
        card = read_card(model)
        for number, agent in enumerate(self.agents):
            agent.start_from(model, number)
        before = (card.made.get("start") or {}).get("games", 0)
        self.start = {"name": folder.resolve().name, "games": card.made.get("games", 0) + before}

    @property
    def num_parameters(self) -> int:
        """How many numbers the networks learn."""
        return sum(agent.num_parameters for agent in self.agents)
