"""Monte-Carlo self-play: the value of the move that was made is learned from how its deal ended.

One process, or several ranks. In each tick every game of a group makes one choice: the CPU plays the moves of
the highest value, and those that are forced (`deals.py`), and encodes positions and legal moves; the GPU
values these (`chooser.py`) and learns from decisions whose deals have ended (`store.py`, `trainer.py`). With
two groups in turn both work at the same time. Every decision is learned from once.

B games of a group on this rank, T ticks of its ring, N decisions.
"""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fuda.agents.agent import Agent, AgentInfo
from fuda.games import game as find_game
from fuda.games import part
from fuda.nets.export import write_model
from fuda.nets.folder import CARD, ModelCard, read_card
from fuda.nets.move_values import MoveShape
from fuda.nets.readers import READERS
from fuda.training.chooser import Chooser
from fuda.training.conduct import MODEL, TrainingRun
from fuda.training.deals import Deals
from fuda.training.device import Mark, pinned
from fuda.training.ranks import ALONE, Ranks
from fuda.training.rewards import REWARDS, Reward
from fuda.training.run_folder import packed, read_checkpoint, read_games, unpacked, write_checkpoint
from fuda.training.schedule import epsilon
from fuda.training.store import Store
from fuda.training.torch_agent import PLAYERS
from fuda.training.trainer import Parts, Trainer

SPARE = 65_536  # decisions that a lane has room for beside the next round; few games need less


@dataclass(frozen=True)
class ValuesRecipe:
    """All that determines a run, but for its length."""

    game: str
    line: str
    options: dict[str, int | str] = field(default_factory=dict)  # of the game
    encoding: str = "encoding"  # the file in the game's folder
    shape: MoveShape = field(default_factory=MoveShape)
    reward: str = "payoff"  # what is learned of a deal's end (`rewards.py`)
    scale: float = 1.0  # points in one of the network's units
    lambda_return: float = 1.0  # 1 learns from outcomes alone
    groups: int = 2  # in turn: one is played on the CPU while the GPU works for the other
    group_size: int = 16_384  # games that are played together
    batch: int = 16_384
    shuffled: int = 8  # batches whose decisions are shuffled together
    lanes: int = 8  # queues of decisions; any number of ranks that divides it learns from the same batches
    games: int = 30_000_000  # the length of the schedules, unless the run is given minutes
    optimizer: str = "muon"
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-5  # by a cosine
    warmup_steps: int = 300
    weight_decay: float = 1e-4
    clip: float = 1.0
    average: float = 0.999  # of the weights, from step to step
    epsilon: float = 0.05
    final_epsilon: float = 0.01
    epsilon_until: float = 0.7  # the part of the run after which epsilon stays
    opponents: tuple[str, ...] = ("random",)  # in the evaluations
    further: bool = False  # goes on from a model or a run
    seed: int = 1


class Group:
    """Games that are played together, and the positions and moves of their last T ticks on the device."""

    def __init__(self, number: int, run: "Run"):
        recipe, ranks, device = run.recipe, run.ranks, run.device
        self.size = size = ranks.part_of(recipe.group_size, "games of a group")
        self.deals = Deals(
            run.game, run.reader, run.reward.bound_judge, 1, size, recipe.seed, number, ranks.number * size,
            lambda shape, dtype: pinned(shape, torch.from_numpy(np.zeros(0, dtype)).dtype, device).numpy(),
        )  # fmt: skip
        ticks = self.deals.num_ticks
        self.words = torch.zeros(ticks, size, run.reader.num_words, dtype=torch.int64, device=device)
        self.move_words = torch.zeros(
            ticks, size, run.reader.num_move_words, dtype=torch.int64, device=device
        )
        self.given = pinned((size,), torch.int64, device)
        self.rows, self.values = (pinned((size,), dtype, device) for dtype in (torch.int64, torch.float32))
        self._ripe = self._room(4 * size, device)
        self._valued, self._copied = Mark(device), Mark(device)

    @staticmethod
    def _room(count: int, device: torch.device) -> tuple[Tensor, ...]:
        """Pinned memory for decisions that can be learned from: slots, places in the store, targets."""
        return tuple(pinned((count,), dtype, device) for dtype in (torch.int64, torch.int64, torch.float32))

    def value(self, chooser: Chooser) -> None:
        """Queue the choice of all moves that are due, and keep positions and moves to learn from."""
        self.given.numpy()[:] = self.deals.games.given
        rows, values = chooser(self.deals.choices, self.given)
        tick = self.deals.tick % self.deals.num_ticks
        self.words[tick].copy_(chooser.words)
        if chooser.device.type == "cuda":
            torch.index_select(chooser.move_words, 0, rows, out=self.move_words[tick])
        else:
            self.move_words[tick] = torch.from_numpy(self.deals.choices.move_words)[rows]
        self.rows.copy_(rows, non_blocking=True)
        self.values.copy_(values, non_blocking=True)
        self._valued.set()

    def play(self, epsilon: float, lambda_return: float, store: Store) -> None:
        """Play what was chosen, and give the store what can be learned from now."""
        self._valued.wait()
        rows = self.rows.numpy()
        if (rows >= self.deals.choices.starts[1:]).any():
            raise RuntimeError("the network's values are no numbers any more: its learning rate is too high")
        slots, targets = self.deals.play(rows, self.values.numpy()[:, None], epsilon, lambda_return)
        count, device = len(slots), self.words.device
        self._copied.wait()
        if count > len(self._ripe[0]):
            self._ripe = self._room(2 * count, device)
        lanes = slots % self.size * store.lanes // self.size
        for room, fresh in zip(self._ripe, (slots, store.places(lanes), targets[:, 0]), strict=True):
            room.numpy()[:count] = fresh
        index, places, worth = (room[:count].to(device, non_blocking=True) for room in self._ripe)
        self._copied.set()
        kept = (self.words.flatten(0, 1)[index], self.move_words.flatten(0, 1)[index], worth)
        for column, rows_of_it in zip(store.columns, kept, strict=True):
            column.index_copy_(0, places, rows_of_it)

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        self._valued.wait()
        ticks = self._ticks()
        return {
            "deals": packed(self.deals.arrays()), "rows": self.rows.clone(), "values": self.values.clone(),
            "words": self.words[ticks].cpu(), "move_words": self.move_words[ticks].cpu(),
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where `state` was taken."""
        self._valued.wait()
        self.deals.restore(unpacked(state["deals"], self.deals.arrays()))
        ticks = self._ticks()
        self.rows.copy_(state["rows"])
        self.values.copy_(state["values"])
        self.words[ticks] = state["words"].to(self.words.device)
        self.move_words[ticks] = state["move_words"].to(self.words.device)

    def _ticks(self) -> Tensor:
        """The rows of the ring that deals under way have decisions in."""
        ticks = np.arange(self.deals.games.deal_began.min(), self.deals.tick + 1) % self.deals.num_ticks
        return torch.from_numpy(ticks).to(self.words.device)


class Run(TrainingRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: ValuesRecipe
    is_quick = True  # its network alone
    first_evaluation = 30.0
    is_parallel = True

    def __init__(
        self,
        recipe: ValuesRecipe,
        out: Path,
        device: torch.device,
        minutes: float | None,
        ranks: Ranks = ALONE,
    ):
        super().__init__(recipe, out, device, minutes)
        self.ranks = ranks
        self.game = find_game(recipe.game, **recipe.options)
        self.encoding = part(recipe.game, recipe.encoding)
        self.reward: Reward = REWARDS[recipe.reward](self.game.spec, recipe.scale)
        lanes = ranks.part_of(recipe.lanes, "lanes")
        if recipe.batch % recipe.lanes or recipe.group_size % recipe.lanes:
            raise ValueError(f"the batch and the games of a group are shared by {recipe.lanes} lanes evenly")
        if recipe.lambda_return < 1 and not self.reward.can_bootstrap:
            raise ValueError(f"the reward {recipe.reward} learns from outcomes alone: lambda_return is 1")
        if self.encoding.PLAYED_BY not in PLAYERS:
            raise ValueError(
                f"{recipe.game} has its {recipe.encoding} for players by {self.encoding.PLAYED_BY}; "
                f"values are learned for players by {', '.join(PLAYERS)}"
            )
        torch.manual_seed(recipe.seed)
        kind = READERS[self.encoding.PLAYED_BY]
        self.reader = kind(self.encoding, self.game.spec, device, half=True)
        net = self.reader.new(recipe.shape, self.reward.outputs).to(device)
        self.trainer = Trainer(net, recipe, ranks)
        self.groups = [Group(number, self) for number in range(recipe.groups)]
        size = self.groups[0].size
        like = [self.groups[0].words[0, 0], self.groups[0].move_words[0, 0], torch.zeros((), device=device)]
        self.store = Store(
            like, lanes, ranks.number * lanes, recipe.batch // recipe.lanes, recipe.shuffled,
            min(SPARE, recipe.groups * size // lanes * self.groups[0].deals.num_ticks), recipe.seed,
        )  # fmt: skip
        self.chooser = Chooser(self.trainer.average, self.reader, self.reward, size)
        self.trainer.record(
            self._errors, self._decisions, ranks.part_of(recipe.batch, "decisions of a batch")
        )
        self.num_ticks = 0  # over all sessions
        self._games_before = 0  # finished in games that were not gone on with
        for group in self.groups:
            group.value(self.chooser)

    def _decisions(self, index: Tensor) -> list[Tensor]:
        """Words [N, W], words of the move that was made [N, V] and target [N] of some rows of the store."""
        return [column[index] for column in self.store.columns]

    def _errors(self, net: Any, words: Tensor, move_words: Tensor, targets: Tensor) -> Parts:
        """How far off a network is [N]."""
        told = self.reader.position(net, words)
        return {"error": self.reward.errors(self.reader.one_value(net, told, move_words), targets)}

    @property
    def epsilon(self) -> float:
        """The chance of a random move now."""
        return epsilon(self.recipe, self.done)

    def advance(self) -> None:
        """One choice in every game, and the steps of learning that are due."""
        for group in self.groups:
            group.play(self.epsilon, self.recipe.lambda_return, self.store)
            group.value(self.chooser)
            for _ in range(self.ranks.least(self.store.num_ready)):
                for index in self.store.take():
                    self.trainer.step(index, self.done)
        self.num_ticks += 1
        self.num_games = self._games_before + self._num_finished()

    def _num_finished(self) -> int:
        """How many games of the groups have ended, on all ranks."""
        return int(self.ranks.sums(sum(group.deals.num_games for group in self.groups))[0])

    def save(self, with_games: bool = True) -> None:
        """Write a checkpoint."""
        games = None
        if with_games:
            games = {"groups": [group.state() for group in self.groups], "store": self.store.state()}
        write_checkpoint(self.out, {
            "recipe": asdict(self.recipe), "trainer": self.trainer.state(), "seconds": self.seconds,
            "start": self.start, "num_games": self.num_games, "num_ticks": self.num_ticks,
        }, games, self.num_ticks, self.ranks)  # fmt: skip

    def restore(self) -> None:
        """Go on from the checkpoint. Without its file of games new ones begin, with the same weights."""
        stored = read_checkpoint(self.out, asdict(self.recipe))
        self.trainer.load(stored["trainer"])
        self.start, self.seconds, self.num_games = stored["start"], stored["seconds"], stored["num_games"]
        self.num_ticks = stored.get("num_ticks", stored["trainer"]["num_steps"])  # older ones do not know
        games = read_games(self.out, stored, self.ranks)
        if games is not None:
            self.store.load(games["store"])
        for number, group in enumerate(self.groups):
            if games is not None:
                group.restore(games["groups"][number])
            else:
                group.value(self.chooser)
        self._games_before = self.num_games - self._num_finished()

    def start_from(self, folder: Path) -> None:
        """Take over the network of a model or a run: its games are behind it, the schedules begin anew."""
        model = folder if (folder / CARD).exists() else folder / MODEL
        made = read_card(model).made
        try:
            self.trainer.start_from(self.reader.stored(model, 0).state_dict())
        except ValueError:
            raise ValueError(
                f"{folder} has a network of another shape; start from one of this recipe"
            ) from None
        before = (made.get("start") or {}).get("games", 0)
        self.start = {"name": folder.resolve().name, "games": made.get("games", 0) + before}
        for group in self.groups:
            group.value(self.chooser)

    def figures(self) -> dict[str, float]:
        """Steps of learning, decisions learned from, the chance of a random move."""
        steps = self.trainer.num_steps
        return {"steps": steps, "choices": steps * self.recipe.batch, "epsilon": round(self.epsilon, 4)}

    def errors(self) -> dict[str, float]:
        """The mean error of a decision."""
        return self.trainer.errors()

    def player(self) -> Agent:
        """The averaged network, playing its best move."""
        spec = self.game.spec
        reader = type(self.reader)(self.encoding, spec, self.device)
        info = AgentInfo("In training", self.recipe.line, self.reward.unit)
        play = PLAYERS[self.encoding.PLAYED_BY]
        return play(self.trainer.average, reader, spec, info, self.recipe.scale)

    def evaluate(self, games: int) -> dict[str, float]:
        """The run's player against some others."""
        return self.against(self.player(), self.recipe.opponents, games)

    def export(self) -> None:
        """The averaged network as a model folder."""
        spec, encoding = self.game.spec, self.encoding
        card = ModelCard(
            spec.id, spec.rules_version, self.recipe.encoding, encoding.ENCODING_VERSION,
            title=self.out.resolve().name, line=self.recipe.line, unit=self.reward.unit,
            scale=self.recipe.scale, made=self.made(),
        )  # fmt: skip
        write_model(self.out / MODEL, card, [(self.trainer.average, encoding.DECISION_KINDS)])  # type: ignore[list-item]

    @property
    def num_parameters(self) -> int:
        """How many numbers the network learns."""
        return sum(weights.numel() for weights in self.trainer.net.parameters())
