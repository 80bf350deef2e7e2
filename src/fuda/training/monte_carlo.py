"""Monte-Carlo self-play: play, label decisions by how their deal ended, learn.

One process. Each tick a group of matches makes one decision each: the CPU plays the choices of the
networks and encodes the next views, the GPU values them and then learns from decisions that are old
enough for their deals to have ended. With two groups in turn both work at the same time.
"""

import copy
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from fuda.agents.model import model_folders
from fuda.core.game import GameSpec
from fuda.core.state import PLAYING
from fuda.games import part
from fuda.nets.folder import CARD, read_card
from fuda.training.conduct import TrainingRun
from fuda.training.device import Replayed, in_shares
from fuda.training.group import SPARE_ROWS, Group
from fuda.training.learner import Learner, Player, Views
from fuda.training.lock_step import view_waiting
from fuda.training.logistic import fit_logistic, greedy_rounds
from fuda.training.recipes import PAST, Guest, SelfPlayRecipe
from fuda.training.report import evaluate, export, model_names
from fuda.training.run_folder import CHECKPOINT, read_checkpoint, read_games, write_checkpoint
from fuda.training.schedule import epsilon
from fuda.training.torch_agent import read_networks

REFIT_TICKS = 200  # how often the winning chances follow the play
LOGISTIC_REFIT = 5  # and how many times as seldom if that means to play matches for it
PAST_REFIT = 20  # the same, for the guest that is the network as it was


class Run(TrainingRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: SelfPlayRecipe
    first_evaluation = 60.0  # against networks a game takes long, and for several aims

    def __init__(self, recipe: SelfPlayRecipe, out: Path, device: torch.device, minutes: float | None):
        super().__init__(recipe, out, device, minutes)
        self.models = list(model_names(recipe.aims).values())
        self.encoding = part(recipe.game, "encoding")
        self.rewards = part(recipe.game, "winning")
        self.outcomes = part(recipe.game, "outcomes")
        self.width = self.outcomes.NUM_CLASSES if recipe.classes else 1
        self.judge = self.outcomes.outcome if recipe.classes else self.rewards.REWARDS[recipe.aims[0]][0]
        spec = self.game.spec
        self.policy = next((guest.name for guest in recipe.guests if _is_policy(spec, guest)), spec.fallback)
        self.rows = spec.max_deal_decisions + 2 + SPARE_ROWS  # complete, being complete, being written
        self.turn = None
        if recipe.waiting_share:
            if not recipe.shared:
                raise ValueError("who waits is told by the network of all decisions: that is for shared ones")
            self.turn = part(recipe.game, "turn")
            self.view_waiting = spec.kernels.bind(view_waiting, waiting_seat=self.turn.waiting_seat)
        self.gains = self.rewards.first_gains()  # how deals end, newest play counted most
        self.table = self.rewards.induce(self.gains, self._total_points())
        self.learner = Learner(recipe, self.encoding, self.width, device)
        self.past = [copy.deepcopy(net).requires_grad_(False) for net in self.learner.averages]
        self.groups = [Group(number, self) for number in range(recipe.groups)]
        self._guests = self._network_guests()
        self.learner.prepare()
        self.act = Replayed(self._act, self._act_inputs())
        self.ticks = 0

    @property
    def epsilon(self) -> float:
        """The chance of a random move now."""
        return epsilon(self.recipe, self.done)

    def start_from(self, folder: Path) -> None:
        """Take over the networks of a model or a run: its games are behind it, the schedules begin anew."""
        if (folder / CHECKPOINT).exists():  # all that was learned, for every aim
            stored = read_checkpoint(folder)
            networks, games = stored["learner"]["averages"], sum(stored["num_games"])
            made: dict[str, Any] = {"start": stored.get("start")}
            self.gains, self.table = stored["gains"].cpu().numpy(), stored["table"].cpu().numpy()
        else:
            models = [folder]
            if not (folder / CARD).exists():  # a run without its checkpoint: a model for each aim
                models = [folder / name for name in model_names(self.recipe.aims).values()]
                for model in models:
                    if not (model / CARD).exists():
                        raise ValueError(f"{folder} has no {model.name}, which this recipe starts from")
            networks, made = self._networks_of(models), read_card(models[-1]).made
            games = made.get("games", 0)
        try:
            self.learner.start_from(networks)
        except (RuntimeError, ValueError):
            raise ValueError(
                f"{folder} has networks of other shapes; start from one of this recipe"
            ) from None
        for net, now in zip(self.past, self.learner.averages, strict=True):
            net.load_state_dict(now.state_dict())
        before = (made.get("start") or {}).get("games", 0)
        self.start = {"name": folder.resolve().name, "games": games + before}

    def _networks_of(self, models: Sequence[Path]) -> list[dict[str, torch.Tensor]]:
        """The weights of a model, or of the models of one run for each aim: their outputs together."""
        first, *others = (
            [net.state_dict() for net in read_networks(model, self.encoding, self.device)[0]]
            for model in models
        )
        for model, other in zip(models[1:], others, strict=True):
            if not _equal_but_in_values(first, other):
                raise ValueError(f"{models[0]} and {model} are not of one run")
            for together, weights in zip(first, other, strict=True):
                for name in ("value.weight", "value.bias"):
                    together[name] = torch.cat([together[name], weights[name]])
        return first

    def _total_points(self) -> int:
        score_sum = self.game.spec.score_sum
        if score_sum is None:
            raise ValueError(f"{self.game.id}: who wins a match is learned where its points have a fixed sum")
        return score_sum(self.game.options)

    def _network_guests(self) -> list[tuple[Player, int, int]]:
        """The guests that are networks, with their matches in each group."""
        found = []
        for guest in self.recipe.guests:
            first, last = self.groups[0].hosts.ranges[guest.name]
            if guest.name == PAST:
                player = Player(self.past, self.learner.owners, self.encoding, self.width)
            elif _is_policy(self.game.spec, guest):
                continue
            else:
                folder = model_folders(self.game.id).get(guest.name)
                if folder is None:
                    raise ValueError(
                        f"the recipe's guest {guest.name} is no model of {self.game.id} that ships"
                    )
                nets, owners = read_networks(folder, self.encoding, self.device)
                player = Player(nets, owners, self.encoding, width=1)
            found.append((player, first, last))
        return found

    def _act_inputs(self) -> list[torch.Tensor]:
        like = self.groups[0]
        return [tensor.to(self.device) for tensor in (*vars(like.inputs).values(), like.guest_moves)]

    def _act(self, *inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The choice [B] in each match, the network's or its guest's, and what the network found [B, O]."""
        views, guest_moves = Views(*inputs[:-1]), inputs[-1]
        chosen, found = in_shares(lambda *rows: self.learner.player.choose(Views(*rows)), inputs[:-1])
        for player, first, last in self._guests:
            theirs, _ = player.choose(views.part(first, last), compiled=False)
            chosen[first:last] = torch.where(guest_moves[first:last], theirs, chosen[first:last])
        return chosen, found

    def advance(self) -> None:
        """One decision in every match of every group, and as many samples learned."""
        for group in self.groups:
            if group.play.tick == 0:
                self._value(group)  # the first views
            self._play(group)
            self._value(group)
            self._learn(group)
        self.ticks += 1
        self.num_games = sum(group.play.num_games for group in self.groups)
        if self.ticks % REFIT_TICKS == 0:
            self._refit()

    def _refit(self) -> None:
        """Let what follows the play follow it: winning chances, past selves, who is still a guest."""
        if not self.recipe.logistic:
            self.table = self.rewards.induce(self.gains, self._total_points())
        elif self.recipe.aims != ("points",) and self.ticks % (REFIT_TICKS * LOGISTIC_REFIT) == 0:
            self.table = fit_logistic(self.rewards, greedy_rounds(self))
        if self.ticks % (REFIT_TICKS * PAST_REFIT) == 0:
            for net, now in zip(self.past, self.learner.averages, strict=True):
                net.load_state_dict(now.state_dict())
        for group in self.groups:
            group.play.guest_sides[:] = group.hosts.sides(self.done)

    def _play(self, group: Group) -> None:
        group.valued.wait()
        play = group.play
        play.play(group.chosen.numpy(), group.found.numpy(), self.epsilon, self.recipe.keep, self.table)
        over = np.flatnonzero(play.ended != PLAYING)
        self.rewards.count_gains(play.states[over], self.gains)
        play.deal()
        play.observe()

    def _value(self, group: Group) -> None:
        """Queue the valuing of the views that are due, and keep them to learn from."""
        group.encode(self)
        inputs = self.act.inputs
        for room, fresh in zip(inputs, (*vars(group.inputs).values(), group.guest_moves), strict=True):
            room.copy_(fresh, non_blocking=True)
        row = group.play.tick % self.rows
        group.old_places[row].copy_(inputs[0])
        group.old_progress[row].copy_(inputs[1])
        if self.turn is not None:
            index, places, progress = group.encode_waiting(self, self.turn)
            group.old_places[row].index_copy_(0, index, places)
            group.old_progress[row].index_copy_(0, index, progress)
        for kept, found in zip((group.chosen, group.found), self.act(), strict=True):
            kept.copy_(found, non_blocking=True)
        group.valued.set()

    def _learn(self, group: Group) -> None:
        """Learn from slots that are ripe, batch by batch; what is left waits for the next tick."""
        waiting = group.ripe(self)
        batch, play = self.recipe.batch, group.play
        if len(waiting) < batch:
            return
        owners = np.array(self.learner.owners)[group.kinds.reshape(-1)[waiting]]
        used = []
        for number in range(len(self.learner.nets)):
            mine = np.flatnonzero(owners == number)
            used.append(mine[: len(mine) // batch * batch])
        order = np.concatenate(used)
        slots = waiting[order]
        group.pending = np.delete(group.pending, order, axis=0)
        count = len(slots)
        group.copied.wait()
        group.slots.numpy()[:count] = slots
        group.actions.numpy()[:count], group.targets.numpy()[:count] = group.labels(slots, self)
        index, actions, targets = (
            kept[:count].to(self.device, non_blocking=True)
            for kept in (group.slots, group.actions, group.targets)
        )
        group.copied.set()
        first = 0
        for number, mine in enumerate(used):
            room = self.learner.steps[number].inputs
            for _ in range(len(mine) // batch):
                part = index[first : first + batch]
                torch.index_select(group.old_places.flatten(0, 1), 0, part, out=room[0])
                torch.index_select(group.old_progress.flatten(0, 1), 0, part, out=room[1])
                room[2].copy_(actions[first : first + batch, None])
                room[3].copy_(targets[first : first + batch])
                torch.index_select(group.aims, 0, part % play.size, out=room[4])
                self.learner.step(number, self.done)
                first += batch

    def save(self, with_games: bool = True) -> None:
        """Write a checkpoint."""
        write_checkpoint(
            self.out,
            {
                "recipe": asdict(self.recipe),
                "learner": self.learner.state(),
                "past": [net.state_dict() for net in self.past],
                "gains": torch.from_numpy(self.gains),
                "table": torch.from_numpy(self.table),
                "start": self.start,
                "seconds": self.seconds,
                "ticks": self.ticks,
                "num_games": [group.play.num_games for group in self.groups],
            },
            [group.state() for group in self.groups] if with_games else None,
            self.ticks,
        )

    def restore(self) -> None:
        """Go on from the checkpoint. Without its file of matches new ones begin, with the same weights."""
        stored = read_checkpoint(self.out, asdict(self.recipe))
        self.learner.load(stored["learner"])
        for net, weights in zip(self.past, stored["past"], strict=True):
            net.load_state_dict(weights)
        self.gains = stored["gains"].cpu().numpy()
        self.table = stored["table"].cpu().numpy()
        self.start, self.seconds, self.ticks = stored["start"], stored["seconds"], stored["ticks"]
        for group, num_games in zip(self.groups, stored["num_games"], strict=True):
            group.play.num_games = num_games
        games = read_games(self.out, stored)
        if games is not None:
            for group, state in zip(self.groups, games, strict=True):
                group.restore(state)
        self.num_games = sum(group.play.num_games for group in self.groups)

    def figures(self) -> dict[str, float]:
        """Steps of learning, and the chance of a random move."""
        return {"steps": self.learner.num_steps, "epsilon": round(self.epsilon, 4)}

    def errors(self) -> dict[str, float]:
        """The mean loss by kind of decision since the last call."""
        return self.learner.mean_losses()

    def evaluate(self, games: int) -> dict[str, float]:
        """The averaged networks, playing greedily for each aim, against the recipe's opponents."""
        return evaluate(self, games)

    def export(self) -> None:
        """The averaged networks as a model folder for each aim."""
        export(self)

    @property
    def num_parameters(self) -> int:
        """How many numbers the networks learn."""
        return sum(weights.numel() for net in self.learner.nets for weights in net.parameters())


def _equal_but_in_values(one: Sequence[dict[str, Any]], other: Sequence[dict[str, Any]]) -> bool:
    """Whether the weights of networks differ in the last layer alone."""
    if [set(weights) for weights in one] != [set(weights) for weights in other]:
        return False
    return all(
        name.startswith("value.") or torch.equal(mine[name], theirs[name])
        for mine, theirs in zip(one, other, strict=True)
        for name in mine
    )


def _is_policy(spec: GameSpec, guest: Guest) -> bool:
    return guest.name in {policy.name for policy in spec.policies}
