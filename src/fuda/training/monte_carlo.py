"""Monte-Carlo self-play, from nothing: play, label decisions by how their deal ended, regress.

One process. Each tick a group of matches makes one decision each: the CPU plays the network's choices
and encodes the next views, the GPU values them and then learns from the row of decisions that is just
old enough to be complete. With two groups in turn both work at the same time.
"""

import fcntl
import importlib
import json
import os
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter

from fuda.agents.agent import AgentInfo
from fuda.agents.network import NetworkAgent
from fuda.arena import duel
from fuda.core.provenance import commit, machine, sources, versions
from fuda.core.state import PLAYING
from fuda.games import game as find_game
from fuda.nets.export import write_model
from fuda.nets.folder import ModelCard
from fuda.nets.token_transformer import TokenTransformer, unpack
from fuda.training.device import pinned
from fuda.training.learner import Learner
from fuda.training.lock_step import SelfPlay, spread
from fuda.training.recipes import SelfPlayRecipe

CHECKPOINT = "checkpoint.pt"
MODEL = "model"  # the folder of the averaged network, as good as it is
CHECKPOINT_SECONDS = 120.0
LOG_SECONDS = 10.0
EVALUATE_SECONDS = 120.0
EVALUATE_GAMES = 1000
EVALUATE_GAMES_ON_CPU = 100  # there a game takes a hundred times as long
CHOOSING_SEED = 1_000_003  # deals on which checkpoints are compared: never trained on, never reported
REFIT_TICKS = 200  # how often the winning chances follow the play


class Group:
    """Matches that advance together, and their decisions waiting to be learned from."""

    def __init__(self, number: int, run: "Run"):
        encoding, size, rows = run.encoding, run.recipe.group_size, run.rows
        seed = run.recipe.seed * 1000 + number
        recipe = run.recipe
        self.play = SelfPlay(run.game, size, rows, seed, run.reward, recipe.guest, recipe.guest_share)
        self.places = pinned((size, encoding.NUM_PLACE_ROWS), torch.int64, run.device)
        self.progress = pinned((size, encoding.NUM_PROGRESS), torch.int8, run.device)
        self.legal = pinned((size, run.game.spec.max_legal), torch.int64, run.device)
        self.num_legal = pinned((size,), torch.int64, run.device)
        self.greedy = pinned((size,), torch.int64, run.device)
        self.best = pinned((size,), torch.float32, run.device)
        self.old_places = torch.zeros(rows, *self.places.shape, dtype=torch.int64, device=run.device)
        self.old_progress = torch.zeros(rows, *self.progress.shape, dtype=torch.int8, device=run.device)
        self.ready = torch.cuda.Event() if run.device.type == "cuda" else None

    def encode(self, run: "Run") -> None:
        """The movers' views, as the network sees them, into pinned memory."""
        play = self.play
        places, progress = self.places.numpy(), self.progress.numpy()
        spread(run.encoding.encode_all, play.views, play.seats, places, progress, count=play.size)
        self.legal.numpy()[:] = play.legal_actions
        self.num_legal.numpy()[:] = play.num_legal


class Run:
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    def __init__(self, recipe: SelfPlayRecipe, out: Path, device: torch.device, minutes: float | None):
        self.recipe = recipe
        self.out = out
        self.device = device
        self.minutes = minutes
        self.game = find_game(recipe.game)
        self.encoding = importlib.import_module(f"fuda.games.{recipe.game}.encoding")
        self.rewards = importlib.import_module(f"fuda.games.{recipe.game}.winning")
        self.reward = (
            self.rewards.winning_reward if recipe.reward == "winning" else self.rewards.points_reward
        )
        self.rows = self.game.spec.max_deal_decisions + 2  # complete, being complete, being written
        self.learner = Learner(recipe, self.encoding, device)
        self.groups = [Group(number, self) for number in range(recipe.groups)]
        spec = self.game.spec
        self.learner.prepare(
            recipe.group_size, self.encoding.NUM_PLACE_ROWS, self.encoding.NUM_PROGRESS, spec.max_legal
        )
        self.gains = self.rewards.first_gains()  # how deals end, newest play counted most
        self.table = self.rewards.induce(self.gains, self._total_points())
        self.seconds = 0.0  # spent in training, over all sessions
        self.ticks = 0
        self.losses: list[torch.Tensor] = []

    @property
    def num_games(self) -> int:
        """Matches finished, over all sessions."""
        return sum(group.play.num_games for group in self.groups)

    @property
    def done(self) -> float:
        """The part of the run that is behind it."""
        if self.minutes is not None:
            return self.seconds / (60 * self.minutes)
        return self.num_games / self.recipe.games

    @property
    def epsilon(self) -> float:
        """The chance of a random move now."""
        recipe = self.recipe
        part = min(1.0, self.done / recipe.epsilon_until)
        return recipe.epsilon + part * (recipe.final_epsilon - recipe.epsilon)

    def _total_points(self) -> int:
        return 2 * int(self.game.options["points"])

    def tick(self) -> None:
        """One decision in every match of every group, and as many samples learned."""
        for group in self.groups:
            if group.play.tick == 0:
                self._value(group)  # the first views
            self._play(group)
            self._value(group)
            self._learn(group)
        self.ticks += 1
        if self.ticks % REFIT_TICKS == 0:
            self.table = self.rewards.induce(self.gains, self._total_points())

    def _play(self, group: Group) -> None:
        if group.ready is not None:
            group.ready.synchronize()
        play = group.play
        play.play(group.greedy.numpy(), group.best.numpy(), self.epsilon, self.recipe.keep, self.table)
        over = np.flatnonzero(play.ended != PLAYING)
        self.rewards.count_gains(play.states[over], self.gains)
        play.deal()
        play.observe()

    def _value(self, group: Group) -> None:
        """Queue the valuing of the views that are due, and keep them to learn from."""
        group.encode(self)
        act = self.learner.act
        for room, fresh in zip(
            act.inputs, (group.places, group.progress, group.legal, group.num_legal), strict=True
        ):
            room.copy_(fresh, non_blocking=True)
        row = group.play.tick % self.rows
        group.old_places[row].copy_(act.inputs[0])
        group.old_progress[row].copy_(act.inputs[1])
        for kept, found in zip((group.greedy, group.best), act(), strict=True):
            kept.copy_(found, non_blocking=True)
        if group.ready is not None:
            group.ready.record()

    def _learn(self, group: Group) -> None:
        """Learn from the oldest row: all its deals have ended."""
        play = group.play
        if play.tick + 1 < self.rows:
            return
        row = (play.tick + 1) % self.rows  # the next to be overwritten
        labels = [
            torch.from_numpy(part[row]).to(self.device) for part in (play.actions, play.targets, play.weights)
        ]
        actions, targets, weights = labels
        batch, train = self.recipe.batch, self.learner.train
        for first in range(0, play.size, batch):
            part = slice(first, first + batch)
            train.inputs[0].copy_(group.old_places[row, part])
            train.inputs[1].copy_(group.old_progress[row, part])
            train.inputs[2].copy_(actions[part, None])
            train.inputs[3].copy_(targets[part])
            train.inputs[4].copy_(weights[part])
            self.learner.set_step(self.done)
            loss = train()[0]
            self.learner.num_steps += 1
        self.losses.append(loss.clone())

    def save(self) -> None:
        """Write a checkpoint: first the matches under way, then what refers to them."""
        games = self.out / f"games-{self.ticks}.pt"
        _write(games, [_group_state(group) for group in self.groups])
        _write(
            self.out / CHECKPOINT,
            {
                "recipe": asdict(self.recipe),
                "learner": self.learner.state(),
                "gains": torch.from_numpy(self.gains),
                "table": torch.from_numpy(self.table),
                "seconds": self.seconds,
                "ticks": self.ticks,
                "num_games": [group.play.num_games for group in self.groups],
                "games": games.name,
            },
        )
        for old in self.out.glob("games-*.pt"):
            if old != games:
                old.unlink()

    def restore(self) -> None:
        """Go on from the checkpoint. Without its file of matches new ones begin, with the same weights."""
        path = self.out / CHECKPOINT
        try:
            stored = torch.load(path, map_location=self.device, weights_only=True)
        except FileNotFoundError:
            raise ValueError(
                f"there is no checkpoint in {self.out}; give the folder of an earlier run"
            ) from None
        except (OSError, RuntimeError, EOFError, pickle.UnpicklingError):
            raise ValueError(f"{path} is damaged; resume from another folder") from None
        if stored["recipe"] != asdict(self.recipe):
            raise ValueError(f"{path} was made by another recipe; resume with the same one")
        self.learner.load(stored["learner"])
        self.gains = stored["gains"].cpu().numpy()
        self.table = stored["table"].cpu().numpy()
        self.seconds, self.ticks = stored["seconds"], stored["ticks"]
        for group, num_games in zip(self.groups, stored["num_games"], strict=True):
            group.play.num_games = num_games
        games = self.out / stored["games"]
        if games.exists():
            for group, state in zip(self.groups, torch.load(games, weights_only=True), strict=True):
                _restore_group(group, state)


def _group_state(group: Group) -> dict[str, torch.Tensor]:
    arrays = group.play.arrays()
    arrays["states"] = arrays["states"].view(np.uint8)
    arrays["chance"], arrays["luck"] = arrays["chance"].view(np.int64), arrays["luck"].view(np.int64)
    tensors = {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()}
    kept = {
        "greedy": group.greedy,
        "best": group.best,
        "old_places": group.old_places,
        "old_progress": group.old_progress,
    }
    return tensors | {name: tensor.cpu() for name, tensor in kept.items()}


def _restore_group(group: Group, state: dict[str, torch.Tensor]) -> None:
    for name in ("greedy", "best", "old_places", "old_progress"):
        getattr(group, name).copy_(state.pop(name))
    arrays = {name: tensor.numpy() for name, tensor in state.items()}
    arrays["states"] = arrays["states"].view(group.play.states.dtype)
    arrays["chance"], arrays["luck"] = arrays["chance"].view(np.uint64), arrays["luck"].view(np.uint64)
    group.play.restore(arrays)


def _write(path: Path, content: Any) -> None:
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("wb") as file:
        torch.save(content, file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def train(
    recipe: SelfPlayRecipe,
    out: Path,
    *,
    minutes: float | None = None,
    resume: bool = False,
    device: torch.device,
    progress: Callable[[float, str], None] | None = None,
) -> None:
    """Run a recipe to its end in a folder; a run that was killed goes on with `resume`."""
    out.mkdir(parents=True, exist_ok=True)
    run = Run(recipe, out, device, minutes)
    if resume:
        run.restore()
    describe(run)
    with _only_one(out), SummaryWriter(out) as writer:
        try:
            _train(run, writer, progress)
        except KeyboardInterrupt:
            run.save()
            raise


@contextmanager
def _only_one(out: Path) -> Iterator[None]:
    """Hold a lock on the run's folder: two runs in it would overwrite each other."""
    with (out / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(
                f"another run is training in {out}; wait for it or choose another folder"
            ) from None
        yield


def _train(run: Run, writer: SummaryWriter, progress: Callable[[float, str], None] | None) -> None:
    games = EVALUATE_GAMES if run.device.type == "cuda" else EVALUATE_GAMES_ON_CPU
    began = checkpointed = logged = evaluated = time.perf_counter()
    games_before, first = run.num_games, time.perf_counter()
    while run.done < 1:
        run.tick()
        now = time.perf_counter()
        run.seconds += now - began
        began = now
        if now - logged > LOG_SECONDS:
            rate = (run.num_games - games_before) / (now - logged)
            log(run, writer, {"games_per_second": rate} | mean_loss(run))
            games_before, logged = run.num_games, now
            if progress is not None:
                progress(run.done, f"{run.num_games:,} games, {rate:,.0f}/s")
        if now - evaluated > EVALUATE_SECONDS:
            log(run, writer, evaluate(run, games))
            export(run)
            evaluated = began = time.perf_counter()
        if now - checkpointed > CHECKPOINT_SECONDS:
            run.save()
            checkpointed = began = time.perf_counter()
    run.save()
    export(run)
    if progress is not None:
        progress(1.0, "the last evaluation")
    log(run, writer, evaluate(run, games) | {"wall_seconds": time.perf_counter() - first})


def mean_loss(run: Run) -> dict[str, float]:
    """The mean loss since the last call, if there was a step."""
    losses, run.losses = run.losses, []
    return {"loss": float(torch.stack(losses).mean())} if losses else {}


def evaluate(run: Run, games: int) -> dict[str, float]:
    """The averaged network, playing greedily, against the players without learning."""
    player = torch_agent(run.learner.average, run.game.id, run.encoding, run.device)
    figures: dict[str, float] = {}
    for opponent in ("random", *(policy.name for policy in run.game.spec.policies)):
        result = duel(run.game, player, f"{run.game.id}/{opponent}", games, CHOOSING_SEED)
        figures |= {f"{opponent}_win_rate": result.win_rate, f"{opponent}_points": result.mean_diff}
    return figures


def export(run: Run) -> None:
    """The averaged network as a model folder, which `fuda duel` and `fuda play` take."""
    spec, encoding = run.game.spec, run.encoding
    unit, scale = run.rewards.UNITS[run.recipe.reward]
    card = ModelCard(
        spec.id, spec.rules_version, encoding.__name__.rpartition(".")[2], encoding.ENCODING_VERSION,
        title=run.out.resolve().name, line=run.recipe.line, unit=unit, scale=scale,
        made={
            "recipe": asdict(run.recipe), "games": run.num_games, "minutes": round(run.seconds / 60, 2),
            "commit": commit(), "device": run.device.type,
        },
    )  # fmt: skip
    table = run.table if unit == "probability" else None
    write_model(run.out / MODEL, card, [(run.learner.average, encoding.DECISION_KINDS)], table)


def torch_agent(net: TokenTransformer, game_id: str, encoding: Any, device: torch.device) -> NetworkAgent:
    """An agent that plays a network where it is."""

    @torch.no_grad()
    def values(places: np.ndarray, progress: np.ndarray, read: np.ndarray) -> np.ndarray:
        tensors = (torch.from_numpy(array).to(device) for array in (places, progress, read))
        bits, numbers, tokens = tensors
        found = net(unpack(bits, len(net.attributes)).float(), numbers.float(), tokens)
        return found[:, :, 0].cpu().numpy()

    spec = find_game(game_id).spec
    return NetworkAgent(
        f"{game_id}/in-training", spec, encoding, values, AgentInfo("In training", "A run's network.")
    )


def log(run: Run, writer: SummaryWriter, figures: dict[str, float]) -> dict[str, Any]:
    """Add a line to log.jsonl and to TensorBoard."""
    line = {
        "games": run.num_games,
        "minutes": round(run.seconds / 60, 3),
        "steps": run.learner.num_steps,
        "epsilon": round(run.epsilon, 4),
    } | figures
    with (run.out / "log.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")
    for name, value in figures.items():
        writer.add_scalar(name, value, run.num_games)
    return line


def describe(run: Run) -> None:
    """What the run is and where it ran, beside its figures."""
    origin = {
        "commit": commit(),
        "sources": sources(),
        "machine": machine(),
        "versions": versions() | {"torch": torch.__version__},
    }
    if run.device.type == "cuda":
        origin["machine"] = machine() | {"gpu": torch.cuda.get_device_name()}
    described = {"recipe": asdict(run.recipe), "minutes": run.minutes, "parameters": count(run.learner.net)}
    (run.out / "run.json").write_text(json.dumps(described | origin, indent=1) + "\n")


def count(net: TokenTransformer) -> int:
    """How many numbers the network learns."""
    return sum(weights.numel() for weights in net.parameters())
