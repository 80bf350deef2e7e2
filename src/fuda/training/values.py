"""Monte-Carlo self-play: the value of the move that was made is learned from how its deal ended.

One process, or several ranks. In each tick every game of a group makes one choice: the CPU plays the moves of
the highest value, and those that are forced (`deals.py`), and encodes positions and legal moves; the GPU
values these (`chooser.py`) and learns from decisions whose deals have ended (`store.py`, `trainer.py`). With
two groups in turn both work at the same time. Every decision is learned from once. What no player sees may
help in training (`auxiliary.py`).

B games of a group on this rank, T ticks of its ring, N decisions, W words of a position, V of a move, E of
what only training is told, C numbers of a target.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fuda.agents.agent import Agent
from fuda.agents.model import model_folders
from fuda.agents.turn_search import WAITING
from fuda.core.generator import MAX_GROUP
from fuda.core.protocols import BID
from fuda.games import game as find_game
from fuda.games import part
from fuda.nets.export import write_model
from fuda.nets.folder import CARD, read_card
from fuda.nets.move_values import MoveShape
from fuda.nets.policy_value import MlpShape
from fuda.nets.readers import READERS
from fuda.nets.token_transformer import TokenShape
from fuda.training.auxiliary import Auxiliary, Belief, Critic
from fuda.training.chooser import Nets, new_chooser
from fuda.training.conduct import MODEL, TrainingRun
from fuda.training.deals import BY_VALUE, NO_TABLE, NOBODY, Deals, Play, alone
from fuda.training.device import Mark, Replayed, compiled_on, pinned
from fuda.training.guests import NetworkGuests, fixed_net, seated
from fuda.training.ranks import ALONE, Ranks
from fuda.training.rewards import find_reward
from fuda.training.run_folder import packed, read_checkpoint, read_games, unpacked, write_checkpoint
from fuda.training.schedule import epsilon
from fuda.training.store import Store
from fuda.training.torch_agent import model_on, network_on
from fuda.training.trainer import Parts, Sum, Trainer

SPARE = 65_536  # decisions that a lane has room for beside the next round; few games need less
PAST_TICKS = 4000  # how often past selves follow
MATCHES_GROUP = MAX_GROUP  # matches that are not learned from: such a number has no group that is


@dataclass(frozen=True)
class ValuesRecipe:
    """All that determines a run, but for its length."""

    game: str
    line: str
    options: dict[str, int | str] = field(default_factory=dict)  # of the game
    encoding: str = "encoding"  # the file in the game's folder
    shape: MoveShape | TokenShape | MlpShape = field(default_factory=MoveShape)
    critic: MlpShape | None = None  # a network that sees all hands, in training only
    critic_encoding: str = "encoding"  # the file that tells of them
    belief: float = 0.0  # weight of the guess who holds the hidden cards, by a network that has such a head
    shared: bool = True  # one network for all kinds of decisions instead of one for each
    # Kinds of decisions that models which ship make: these are not learned. Their encodings are the first
    # columns of this one.
    fixed: dict[str, str] = field(default_factory=dict)
    reward: str = "payoff"  # what is learned of a deal's end (`rewards.py`)
    aims: tuple[str, ...] = ()  # units of what is played for, where a reward has them; games are shared out
    scale: float = 1.0  # points in one of the network's units
    table: str = ""  # that rewards are judged by and that follows the play: one of `winning.TABLES`
    lambda_return: float = 1.0  # 1 learns from outcomes alone
    groups: int = 2  # in turn: one is played on the CPU while the GPU works for the other
    group_size: int = 16_384  # games that are played together
    batch: int = 16_384
    shuffled: int = 8  # batches whose decisions are shuffled together
    lanes: int = 8  # queues of decisions; any number of ranks that divides it learns from the same batches
    learn_share: float = 1.0  # so much of the decisions is learned from, chosen at random
    waiting_share: float = 0.0  # where a turn begins, so often what the one who waits sees is learned instead
    forced: bool = False  # learn from decisions without a choice too
    symmetries: bool = False  # steps take turns with the symmetries of the deck
    games: int = 30_000_000  # the length of the schedules, unless the run is given minutes
    optimizer: str = "muon"
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-5  # by a cosine
    warmup_steps: int = 300
    weight_decay: float = 1e-4
    clip: float = 1.0
    average: float = 0.999  # of the weights, from step to step
    averaged_play: bool = True  # self-play by the averaged network, else by the newest
    epsilon: float = 0.05
    final_epsilon: float = 0.01
    epsilon_until: float = 0.7  # the part of the run after which epsilon stays
    guests: dict[str, float] = field(default_factory=dict)  # their share of the games (`guests.py`)
    guests_until: float = 1.0  # the part of the run after which they leave
    opponents: tuple[str, ...] = ("random",)  # in the evaluations
    further: bool = False  # goes on from a model or a run
    seed: int = 1


class Group:
    """Games that are played together, and the positions and moves of their last T ticks on the device."""

    def __init__(self, number: int, run: "Run"):
        self.run, device = run, run.device

        def room(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
            return pinned(shape, torch.from_numpy(np.zeros(0, dtype)).dtype, device).numpy()

        self.deals = Deals(
            run.game, run.reader, run.reward, run.seating, run.play, run.recipe.seed, number,
            table=run.table, notes=run.chances is not None, outcomes=run.learns_outcomes,
            beside=run.auxiliaries, scattered=True, room=room,
        )  # fmt: skip
        self.size, ticks = self.deals.size, self.deals.num_ticks
        self.words, self.move_words, *self.extra_words = self.rings = [
            torch.zeros(ticks, self.size, count, dtype=torch.int64, device=device)
            for count in (run.reader.num_words, run.reader.num_move_words, *run.num_extra_words)
        ]
        self.kinds = np.zeros((ticks, self.size), np.int8)  # of decisions, where that says who learns them
        self.given = torch.from_numpy(self.deals.games.given)
        self.places = pinned((self.size,), torch.int64, device)
        self.guest_moves = pinned((self.size,), torch.bool, device)
        self.values = pinned((self.size, run.reward.width), torch.float32, device)
        self._ripe = self._room(4 * self.size)
        self._valued, self._copied = Mark(device), Mark(device)

    def _room(self, count: int) -> tuple[Tensor, ...]:
        """Pinned memory for decisions that can be learned from: slots, places in the store, targets."""
        slots, places = (pinned((count,), torch.int64, self.run.device) for _ in range(2))
        return slots, places, pinned((count, self.deals.num_targets), torch.float32, self.run.device)

    def value(self) -> None:
        """Queue the choice of all moves that are due, and keep positions and moves to learn from."""
        run, deals = self.run, self.deals
        tick, choices = deals.tick % deals.num_ticks, deals.choices
        if len(run.nets.nets) > 1:
            self.kinds[tick] = run.reader.kinds(choices.words)
            self.given.numpy()[run.is_fixed[self.kinds[tick]]] = BY_VALUE  # not learned, so not explored
        places, moves, values = run.chooser(choices, self.given)
        self.words[tick].copy_(run.chooser.words)
        self.move_words[tick].copy_(moves)
        for extra_words in self.extra_words:
            extra_words[tick].copy_(torch.from_numpy(deals.games.beside), non_blocking=True)
        if run.expect is not None:
            run.expect.inputs[0].copy_(self.extra_words[0][tick])
            (values,) = run.expect()
        if run.guests:
            self.guest_moves.numpy()[:] = deals.games.marks == 0
            run.guests(choices, self.given, self.guest_moves, places)
        if run.recipe.waiting_share:
            index, words = (
                torch.from_numpy(each).to(run.device, non_blocking=True) for each in deals.waiting()
            )
            self.words[tick].index_copy_(0, index, words)
            self.move_words[tick].index_fill_(0, index, run.wait_action)
        self.places.copy_(places, non_blocking=True)
        self.values.copy_(values, non_blocking=True)
        self._valued.set()

    def play(self) -> None:
        """Play what was chosen, and give the stores what can be learned from now."""
        run, games = self.run, self.deals.games
        self._valued.wait()
        places, stores = self.places.numpy(), run.stores
        if (places >= games.counts).any():
            raise RuntimeError("the network's values are no numbers any more: its learning rate is too high")
        slots, targets = self.deals.play(places, self.values.numpy(), run.play)
        if run.chances is not None:
            run.chances.note(games.ended[games.has_ended])
        counts = [len(slots)]  # of each store
        if len(run.nets.nets) > 1:
            nets = np.array(run.nets.net_of_kind)[self.kinds.reshape(-1)[slots]]
            counts = np.bincount(nets, minlength=len(stores))[: len(stores)].tolist()
            order = np.argsort(nets, kind="stable")[: sum(counts)]
            slots, targets = slots[order], targets[order]
        of_stores = np.split(slots, np.cumsum(counts)[:-1])
        rows = [store.places(some) for store, some in zip(stores, of_stores, strict=True)]
        self._copied.wait()
        count = len(slots)
        if count > len(self._ripe[0]):
            self._ripe = self._room(2 * count)
        for room, fresh in zip(self._ripe, (slots, np.concatenate(rows), targets), strict=True):
            room.numpy()[:count] = fresh
        ripe = [room[:count].to(run.device, non_blocking=True) for room in self._ripe]
        self._copied.set()
        parts = (column.split(counts) for column in ripe)
        for store, index, at, worth in zip(stores, *parts, strict=True):
            kept = (
                worth, run.aims[index % self.size], *(ring.flatten(0, 1)[index] for ring in self.rings),
            )  # fmt: skip
            for column, rows_of_it in zip(store.columns, kept, strict=True):
                column.index_copy_(0, at, rows_of_it)

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        self._valued.wait()
        ticks = self._ticks()
        return {
            "deals": packed(self.deals.arrays()), "kinds": torch.from_numpy(self.kinds),
            "places": self.places.clone(), "values": self.values.clone(),
            "rings": [ring[ticks].cpu() for ring in self.rings],
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where `state` was taken."""
        self._valued.wait()
        self.deals.restore(unpacked(state["deals"], self.deals.arrays()))
        ticks = self._ticks()
        self.places.copy_(state["places"])
        self.values.copy_(state["values"])
        for ring, stored in zip(self.rings, state["rings"], strict=True):
            ring[ticks] = stored.to(ring.device)
        self.kinds[:] = state["kinds"].numpy()

    def _ticks(self) -> Tensor:
        """The rows of the ring that deals under way have decisions in."""
        ticks = np.arange(self.deals.games.deal_began.min(), self.deals.tick + 1) % self.deals.num_ticks
        return torch.from_numpy(ticks).to(self.words.device)


class Run(TrainingRun):
    """A run of a recipe in a folder, from its start or from its last checkpoint."""

    recipe: ValuesRecipe
    first_evaluation = 60.0  # for several aims, and against networks, a game takes long
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
        self._check(recipe)
        self.check_told(self.encoding)
        spec = self.game.spec
        self.reward = find_reward(recipe.reward, spec, recipe.scale, recipe.aims)
        self.models = [MODEL] if len(self.reward.aims) == 1 else [f"{MODEL}-{aim}" for aim in recipe.aims]
        if recipe.lambda_return < 1 and not self.reward.can_bootstrap:
            raise ValueError(f"the reward {recipe.reward} learns from outcomes alone: lambda_return is 1")
        if self.encoding.PLAYED_BY not in READERS:
            raise ValueError(
                f"{recipe.game} has its {recipe.encoding} for players by {self.encoding.PLAYED_BY}; "
                f"values are learned for players by {', '.join(READERS)}"
            )
        if recipe.waiting_share:
            self.wait_action = spec.turn.WAIT_ACTION  # type: ignore[union-attr]
        tables: Any = getattr(spec.winning, "TABLES", {})
        self.chances = tables[recipe.table](self.game.all_options) if recipe.table else None
        self.table = NO_TABLE if self.chances is None else self.chances.table
        torch.manual_seed(recipe.seed)
        self.reader = READERS[self.encoding.PLAYED_BY](self.encoding, spec, device, half=True)
        self.is_quick = self.reader.is_quick
        self.is_fixed = np.array([kind in recipe.fixed for kind in self.encoding.DECISION_KINDS])
        self.learned_kinds = [kind for kind in self.encoding.DECISION_KINDS if kind not in recipe.fixed]
        groups = [self.learned_kinds] if recipe.shared else [[kind] for kind in self.learned_kinds]
        net_of_kind = {kind: number for number, kinds in enumerate(groups) for kind in kinds}
        nets = [self.reader.new(recipe.shape, self.reward.outputs) for _ in groups]
        self.auxiliaries = self._new_auxiliaries(nets[0].to(device))
        self.num_extra_words = [sum(each.num_words for each in self.auxiliaries)] if self.auxiliaries else []
        beside = [module for each in self.auxiliaries for module in each.modules]
        self.trainers = [Trainer(net.to(device), recipe, ranks, beside) for net in nets]
        shipped = list(dict.fromkeys(recipe.fixed.values()))
        for kind, name in recipe.fixed.items():
            net_of_kind[kind] = len(nets) + shipped.index(name)
        fixed = [fixed_net(spec, name, self.reader, self.reward.outputs) for name in shipped]
        self.nets = Nets(
            [*(trainer.average for trainer in self.trainers), *fixed],
            [net_of_kind[kind] for kind in self.encoding.DECISION_KINDS],
            self.reader,
            self.reward,
        )
        self.seating, ranges = seated(
            spec, recipe.guests, len(self.reward.aims), recipe.group_size, recipe.lanes, ranks
        )
        self.aims = torch.from_numpy(self.seating.aims).to(device)
        self.groups = [Group(number, self) for number in range(recipe.groups)]
        self.stores = self._new_stores()
        newest = [trainer.net for trainer in self.trainers]
        playing = self.nets if recipe.averaged_play else self.nets.like([*newest, *fixed])
        self.chooser = new_chooser(playing, self.aims)
        self.expect = None  # what is expected in positions, by somebody who knows better than the network
        if recipe.critic is not None:
            like = self.groups[0].extra_words[0][0]
            self.expect = Replayed(
                torch.no_grad()(compiled_on(device, self._expected)), [torch.zeros_like(like)]
            )
        self.guests = NetworkGuests(spec, self.nets, self.aims, self.seating, ranges)
        weights = {name: weight for each in self.auxiliaries for name, weight in each.weight_of.items()}
        loss = Sum(**weights)
        for trainer, store in zip(self.trainers, self.stores, strict=True):
            batch = ranks.part_of(recipe.batch, "decisions of a batch")
            trainer.record(self.find_errors, partial(_rows, store), batch, loss)
        self.num_ticks = 0  # over all sessions
        self._games_before = 0  # finished in games that were not gone on with
        self._value_all()

    def _check(self, recipe: ValuesRecipe) -> None:
        if recipe.batch % recipe.lanes or recipe.group_size % recipe.lanes:
            raise ValueError(f"the batch and the games of a group are shared by {recipe.lanes} lanes evenly")
        kinds = self.encoding.DECISION_KINDS
        if recipe.fixed and (set(kinds) - set(recipe.fixed) != {BID} or not set(recipe.fixed) < set(kinds)):
            raise ValueError(
                f"only bids are learned while models that ship make all of {', '.join(kinds)} else"
            )
        if recipe.waiting_share and not recipe.shared:
            raise ValueError("who waits is told by the network of all decisions: that is for shared ones")
        if (recipe.critic or recipe.belief) and (recipe.waiting_share or not recipe.shared):
            raise ValueError("a critic and a belief are for one network, which is told of decisions alone")

    def _new_auxiliaries(self, net: Any) -> list[Auxiliary]:
        """What helps the network."""
        recipe, found = self.recipe, list[Auxiliary]()
        if recipe.critic is not None:
            encoding = part(recipe.game, recipe.critic_encoding)
            found.append(Critic(encoding, recipe.critic, self.reader, net, self.reward))
        if recipe.belief:
            found.append(
                Belief(self.encoding, recipe.belief, getattr(recipe.shape, "owners", 0), self.device)
            )
        return found

    @property
    def learns_outcomes(self) -> bool:
        """Whether somebody learns how deals ended, where the network's targets are drawn elsewhere."""
        return self.recipe.critic is not None and self.recipe.lambda_return < 1

    def _new_stores(self) -> list[Store]:
        """A store for each network: target and aim of a decision, and what is in the rings."""
        recipe, group = self.recipe, self.groups[0]
        lanes = self.ranks.part_of(recipe.lanes, "lanes")
        target = torch.zeros(group.deals.num_targets, device=self.device)
        like = [target, self.aims[0], *(ring[0, 0] for ring in group.rings)]
        spare = min(SPARE, recipe.groups * group.size // lanes * group.deals.num_ticks)
        return [
            Store(
                like, lanes, self.ranks.number * lanes, recipe.batch // recipe.lanes, recipe.shuffled, spare,
                recipe.seed,
            )
            for _ in self.trainers
        ]  # fmt: skip

    def find_errors(
        self, net: Any, targets: Tensor, aims: Tensor, words: Tensor, move_words: Tensor, *extra_words: Tensor
    ) -> Parts:
        """How far off a network is, and those that help it [N]."""
        position = self.reader.position(net, words)
        parts: Parts = {}
        for each, some in self._with_their_words(*extra_words):
            found, targets = each.errors(position, words, some, targets)
            parts |= found
        values = self.reader.one_value(net, position, move_words)
        return {"error": self.reward.errors(values, targets, aims)} | parts

    def _with_their_words(self, *extra_words: Tensor) -> list[tuple[Auxiliary, Tensor]]:
        """Those that help, each with its part of the words [N, E]."""
        parts = [words.split([each.num_words for each in self.auxiliaries], dim=1) for words in extra_words]
        return list(zip(self.auxiliaries, *parts, strict=True))

    def _expected(self, extra_words: Tensor) -> tuple[Tensor, ...]:
        """By the critic, which comes first."""
        (critic, words), *_ = self._with_their_words(extra_words)
        assert isinstance(critic, Critic)
        return (critic.expected(words),)

    @property
    def play(self) -> Play:
        """How games go on now."""
        recipe = self.recipe
        return Play(
            self.epsilon, recipe.lambda_return, recipe.learn_share, recipe.waiting_share,
            1 if recipe.forced else 2,
        )  # fmt: skip

    @property
    def epsilon(self) -> float:
        """The chance of a random move now."""
        return epsilon(self.recipe, self.done)

    def advance(self) -> None:
        """One choice in every game, and the steps of learning that are due."""
        for group in self.groups:
            if self.done >= self.recipe.guests_until:
                group.deals.games.guest_sides[:] = NOBODY
            group.play()
            group.value()
            for trainer, store in zip(self.trainers, self.stores, strict=True):
                self._learn(trainer, store)
        self.num_ticks += 1
        self.num_games = self._games_before + self._num_finished()
        if self.chances is not None and self.num_ticks % self.chances.refit_ticks == 0:
            self.chances.refit(self._sums, self.play_matches)
        if self.num_ticks % PAST_TICKS == 0:
            self.guests.follow(self.nets.nets)

    def _learn(self, trainer: Trainer, store: Store) -> None:
        for _ in range(self.ranks.least(store.num_ready)):
            index = store.take()
            if self.recipe.symmetries:
                self.reader.turn_deck(trainer.net, trainer.num_steps)
            trainer.step(index, self.done)

    def _value_all(self) -> None:
        for group in self.groups:
            group.value()

    def _sums(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers summed over all ranks."""
        return np.array(self.ranks.sums(*numbers.tolist()))

    def _num_finished(self) -> int:
        """How many games of the groups have ended, on all ranks."""
        return int(self.ranks.sums(sum(group.deals.num_games for group in self.groups))[0])

    def play_matches(self, notes: Any, num_matches: int) -> None:
        """Whole matches of the averaged networks against themselves, without exploring.

        `notes` are told positions before each choice and deals that have ended after it, until `all_over`.
        """
        deals = Deals(
            self.game, self.reader, self.reward, alone(num_matches), Play(), self.recipe.seed, MATCHES_GROUP,
            table=self.table, notes=True,
        )  # fmt: skip
        aims, given = self.aims.new_zeros(num_matches), torch.full((num_matches,), BY_VALUE)
        chooser = new_chooser(self.nets, aims, compiled=False)
        while not notes.all_over:
            notes.note(deals.games.states)
            places, _, values = (found.cpu().numpy() for found in chooser(deals.choices, given))
            deals.play(places, values, Play())
            over = np.flatnonzero(deals.games.has_ended)
            notes.note_ended(over, deals.games.ended[over])

    def save(self, with_games: bool = True) -> None:
        """Write a checkpoint."""
        games = None
        if with_games:
            stores = [store.state() for store in self.stores]
            games = {"groups": [group.state() for group in self.groups], "stores": stores}
        write_checkpoint(self.out, {
            "recipe": asdict(self.recipe), "trainers": [trainer.state() for trainer in self.trainers],
            "past": [net.state_dict() for net in self.guests.past], "seconds": self.seconds,
            "chances": packed(self._followed()), "start": self.start, "num_games": self.num_games,
            "num_ticks": self.num_ticks,
        }, games, self.num_ticks, self.ranks)  # fmt: skip

    def _followed(self) -> dict[str, np.ndarray]:
        """What has followed the play."""
        return {} if self.chances is None else self.chances.arrays()

    def restore(self) -> None:
        """Go on from the checkpoint. Without its file of games new ones begin, with the same weights."""
        stored = read_checkpoint(self.out, asdict(self.recipe))
        for trainer, state in zip(self.trainers, stored["trainers"], strict=True):
            trainer.load(state)
        for net, weights in zip(self.guests.past, stored["past"], strict=True):
            net.load_state_dict(weights)
        for name, array in unpacked(stored["chances"], self._followed()).items():
            self._followed()[name][...] = array
        self.start, self.seconds, self.num_games = stored["start"], stored["seconds"], stored["num_games"]
        self.num_ticks = stored["num_ticks"]
        games = read_games(self.out, stored, self.ranks)
        if games is None:
            self._value_all()
        else:
            for store, state in zip(self.stores, games["stores"], strict=True):
                store.load(state)
            for group, state in zip(self.groups, games["groups"], strict=True):
                group.restore(state)
        self._games_before = self.num_games - self._num_finished()

    def start_from(self, folder: Path) -> None:
        """Take over the networks of a model or a run: its games are behind it, the schedules begin anew.

        Of a run with several aims those are its models for the aims of this one, together.
        """
        models = [next((each for each in (folder, folder / MODEL) if (each / CARD).exists()), folder)]
        if not (models[0] / CARD).exists():
            models = [folder / f"{MODEL}-{aim}" for aim in self.reward.aims]
        for model in models:
            if not (model / CARD).exists():
                raise ValueError(f"{folder} has no {model.name}, which this recipe starts from")
        card = read_card(models[-1])
        try:
            for number, trainer in enumerate(self.trainers):
                trainer.net.take_over(self._weights_of(models, number))  # type: ignore[operator]
                trainer.start_from(trainer.net.state_dict())
        except (RuntimeError, IndexError):
            raise ValueError(
                f"{folder} has networks of other shapes; start from one of this recipe"
            ) from None
        self.guests.follow(self.nets.nets)
        if self.chances is not None and (table := card.table(models[-1])) is not None:
            self.table[...] = table
        self.start_after(folder, card)
        self._value_all()

    def _weights_of(self, models: Sequence[Path], number: int) -> dict[str, Tensor]:
        """The weights of a network of a model, or of the models of one run: their outputs together."""
        together, *others = (self.reader.stored(model, number).state_dict() for model in models)
        for model, weights in zip(models[1:], others, strict=True):
            for name, value in weights.items():
                if name.startswith("value."):
                    together[name] = torch.cat([together[name], value])
                elif name not in together or not torch.equal(together[name], value):
                    raise ValueError(f"{models[0]} and {model} are not of one run")
        return together

    def figures(self) -> dict[str, float]:
        """Steps of learning, decisions learned from, the chance of a random move."""
        steps = sum(trainer.num_steps for trainer in self.trainers)
        return {"steps": steps, "choices": steps * self.recipe.batch, "epsilon": round(self.epsilon, 4)}

    def errors(self) -> dict[str, float]:
        """The mean error of a decision, by its kind where each has its own network."""
        found = [trainer.errors() for trainer in self.trainers]
        if len(found) == 1:
            return found[0]
        return {
            f"error_{kind}": parts["error"] for kind, parts in zip(self.learned_kinds, found, strict=True)
        }

    def evaluate(self, games: int) -> dict[str, float]:
        """The models as they are now, for each aim, against some other players."""
        self.export()
        found: dict[str, float] = {}
        for aim, name in zip(self.reward.aims, self.models, strict=True):
            player = self._player(self.out / name)
            prefix = f"{aim}_" if self.recipe.aims else ""
            found |= self.against(player, self.recipe.opponents, games, prefix)
        return found

    def _player(self, model: Path) -> Agent:
        """Who is evaluated: the model, or the one that ships and makes the other decisions, with its bids."""
        name = f"{self.game.id}/in-training"
        if not self.recipe.fixed:
            return network_on(self.device, model, name)
        shipped = model_folders(self.game.id)[next(iter(self.recipe.fixed.values()))]
        return model_on(self.device, shipped, name, parameters={"bids": model})

    def export(self) -> None:
        """The averaged networks as a model folder for each aim."""
        for number, (aim, name) in enumerate(zip(self.reward.aims, self.models, strict=True)):
            card = self.card(self.encoding, aim, self.reward.scale)
            nets: list[Any] = [trainer.average for trainer in self.trainers]
            if len(self.models) > 1:
                nets = [net.only(number * self.reward.width, self.reward.width) for net in nets]
            kinds = np.array(self.encoding.DECISION_KINDS)
            made_by = [
                (net, kinds[np.array(self.nets.net_of_kind) == place].tolist())
                for place, net in enumerate(nets)
            ]
            table = None if self.chances is None else self.table
            write_model(self.out / name, card, made_by, table)
            if self.recipe.waiting_share:
                search = replace(card, line=f"{card.line} Searches its turn.")
                waits = [(net, [*decisions, WAITING]) for net, decisions in made_by]
                write_model(self.out / f"{name}-search", search, waits, table)

    @property
    def num_parameters(self) -> int:
        """How many numbers the networks learn."""
        return sum(weights.numel() for trainer in self.trainers for weights in trainer.net.parameters())


def _rows(store: Store, index: Tensor) -> list[Tensor]:
    """What a store keeps of decisions [N]."""
    return [column[index] for column in store.columns]
