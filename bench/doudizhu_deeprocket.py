"""What the DeepRocket paper argues, measured on games of its teacher here.

    python bench/doudizhu_deeprocket.py agreement    how often players do as the teacher does
    python bench/doudizhu_deeprocket.py chains       how rare chains with many kickers are
    python bench/doudizhu_deeprocket.py passes       peasants who could beat their partner
    python bench/doudizhu_deeprocket.py probe        the hidden hand, read from a hidden layer
    python bench/doudizhu_deeprocket.py bids         the bid module over other ways to bid

The teacher's games are those that training holds out. The model is the one that ships, or that of --model.
Each writes bench/results/doudizhu-deeprocket-WHAT.json; choices are positions with two or more legal moves.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from strength import REPORT_SEED

import fuda
from fuda.agents import Agent
from fuda.agents.bidding import LEARNED, WAYS
from fuda.agents.factored import FactoredAgent
from fuda.agents.model import bidding_model, model_folders, nets_of_kinds
from fuda.core.compile import compiled
from fuda.core.provenance import commit, machine
from fuda.core.runner import LockStep
from fuda.core.threads import split
from fuda.games.doudizhu import SPEC, rules
from fuda.games.doudizhu.deeprocket_encoding import BIDDER
from fuda.games.doudizhu.kickers import GROUP_KICKERS
from fuda.games.doudizhu.moves import (
    FULL_DECK,
    GROUP_KIND,
    GROUP_LENGTH,
    KIND_NAMES,
    MOVE_GROUP,
    NUM_RANKS,
    PASS,
    count_of,
)
from fuda.games.doudizhu.rules import BINOMIAL, next_seat
from fuda.games.doudizhu.tells import rewind
from fuda.nets.export import read_factored
from fuda.nets.folder import read_card
from fuda.nets.strided import PlaneInput
from fuda.training.imitation import HELD_OUT
from fuda.training.played import PlayedGames, Replayer, Teacher

RESULTS = Path(__file__).parent / "results"
GAME = fuda.game("doudizhu")
ROLES = ("landlord", "down", "up")
FEW_CARDS = 2  # of a partner who is nearly out
COPIES = 4
EPOCHS, PROBE_BATCH, PROBE_RATE = 8, 512, 2e-3


def main() -> None:
    parser = argparse.ArgumentParser(description="What the DeepRocket paper argues, measured.")
    parser.add_argument("what", choices=sorted(MEASURED))
    parser.add_argument(
        "--model", type=Path, default=model_folders(GAME.id)["deeprocket"],
        help="the folder of a model that names moves part by part",
    )  # fmt: skip
    parser.add_argument("--teacher", default="best-raw")
    parser.add_argument("--games", type=int, default=2000)
    arguments = parser.parse_args()
    store(arguments, MEASURED[arguments.what](arguments))
    print(path_of(arguments).read_text())


def path_of(arguments: argparse.Namespace) -> Path:
    """Where what is asked for is stored."""
    return RESULTS / f"doudizhu-deeprocket-{arguments.what}.json"


def store(arguments: argparse.Namespace, found: dict[str, Any]) -> None:
    """Write what was found, and where it comes from."""
    figures = {
        "kind": f"deeprocket {arguments.what}", "teacher": arguments.teacher, "games": arguments.games,
        "model": told(arguments.model), "model's weights": read_card(arguments.model).weights, **found,
        "commit": commit(), "machine": machine(),
    }  # fmt: skip
    path_of(arguments).write_text(json.dumps(figures, indent=1) + "\n")


def told(model: Path) -> str:
    """How a model was made, in words."""
    card = read_card(model)
    made = card.made
    if "recipe" not in made:
        return card.title
    filters = made["recipe"]["shape"]["filters"]
    return f"{filters} filters, {made['games']:,} games in {made['minutes']:.1f} minutes on {made['device']}"


def players(arguments: argparse.Namespace) -> dict[str, Agent]:
    """Who is looked at, by name."""
    others = {name: fuda.agent(f"doudizhu/{name}") for name in ("cql", "rhcp-partner", "rhcp")}
    return {"the model": fuda.agent(arguments.model), **others}


class Watched(Agent):
    """A teacher whose choices are told, with the views in which they were made."""

    def __init__(self, teacher: Agent, tell: Callable[..., None]):
        super().__init__(teacher.name, teacher.spec, teacher.info)
        self._teacher, self._tell = teacher, tell

    def act(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        """What the teacher plays."""
        actions = self._teacher.act(views, seats, rngs)
        free = np.flatnonzero(self.spec.kernels.legal_lists(views).counts > 1)
        if len(free):
            self._tell(views[free].view(np.recarray), seats[free], rngs[free], actions[free])
        return actions


def watch(arguments: argparse.Namespace, tell: Callable[..., None]) -> PlayedGames:
    """Play the teacher's games that training holds out."""
    teacher = fuda.agent(f"doudizhu/{arguments.teacher}")
    return Teacher(GAME, Watched(teacher, tell), 1, HELD_OUT).games(0, arguments.games)


def agreement(arguments: argparse.Namespace) -> dict[str, Any]:
    """The share of choices that are the teacher's, by player and by what was to be decided."""
    asked = players(arguments)
    groups_of, rows = MOVE_GROUP.astype(np.int64), []

    def tell(views: np.recarray, seats: np.ndarray, rngs: np.ndarray, actions: np.ndarray) -> None:
        chosen = [player.act(views, seats, rngs.copy()) for player in asked.values()]
        leads = views["beat"] == PASS
        rows.append(np.stack([seats, leads, actions, *chosen], axis=1))

    games = watch(arguments, tell)
    seats, leads, actions, *chosen = np.concatenate(rows).T
    groups = groups_of[actions]
    kinds, with_kickers = GROUP_KIND[groups], GROUP_KICKERS[groups] > 0

    def shares(moves: np.ndarray) -> dict[str, Any]:
        same, same_group = moves == actions, groups_of[moves] == groups
        among = {
            "all": np.ones(len(actions), bool), "leading": leads == 1, "following": leads == 0,
            **{role: seats == seat for seat, role in enumerate(ROLES)},
            **{f"category {name}": kinds == kind for kind, name in enumerate(KIND_NAMES)},
        }  # fmt: skip
        found = {name: share(same, mine) for name, mine in among.items() if mine.any()}
        found["main group"] = share(same_group, among["all"])
        found["kickers of the same main group"] = share(same, with_kickers & same_group)
        return found

    found = {name: shares(moves) for name, moves in zip(asked, chosen, strict=True)}
    found["the model"]["kicker network"] = _kickers_of(asked["the model"], games)
    return {
        "choices": len(actions), "players": found,
        "weights": {name: player.weights for name, player in asked.items()},
    }  # fmt: skip


def _kickers_of(player: Agent, games: PlayedGames) -> dict[str, Any]:
    """The share of a kicker network's first choices that are the teacher's, as training counts them.

    The main group and the kickers before are the teacher's; a kicker that is forced does not count.
    """
    assert isinstance(player, FactoredAgent)
    choices, layout = Replayer(GAME, player.encoding).choices(games), player.encoding.FURTHER_LAYOUT
    logits = player.network.further(choices.further_words)
    first = np.where(layout.legal(choices.further_words), logits, -np.inf).argmax(axis=1)
    return share(first == choices.further_parts, np.ones(len(first), bool))


def share(hits: np.ndarray, among: np.ndarray) -> dict[str, Any]:
    """The share of hits among some choices, and how many these are."""
    count = int(among.sum())
    return {"choices": count, "same": round(float(hits[among].mean()), 4) if count else None}


def chains(arguments: argparse.Namespace) -> dict[str, Any]:
    """How often moves with so many kickers are chosen, and in how many positions they are legal."""
    chosen: Counter[str] = Counter()
    legal: Counter[str] = Counter()
    num_choices = 0

    def tell(views: np.recarray, seats: np.ndarray, rngs: np.ndarray, actions: np.ndarray) -> None:
        nonlocal num_choices
        num_choices += len(actions)
        chosen.update(_named(MOVE_GROUP[actions]))
        lists = SPEC.kernels.legal_lists(views)
        for k in range(len(views)):
            legal.update(set(_named(np.unique(MOVE_GROUP[lists.row(k)]))))

    watch(arguments, tell)
    return {
        "choices": num_choices,
        "moves": {
            name: {"chosen": chosen[name], "legal in": count, "share of choices": chosen[name] / num_choices}
            for name, count in sorted(legal.items())
        },
    }


def _named(groups: np.ndarray) -> list[str]:
    """Groups with kickers by their kind, length and number of kickers."""
    return [
        f"{KIND_NAMES[GROUP_KIND[group]]}, length {GROUP_LENGTH[group]}, {GROUP_KICKERS[group]} kickers"
        for group in groups.tolist()
        if GROUP_KICKERS[group]
    ]


def passes(arguments: argparse.Namespace) -> dict[str, Any]:
    """Peasants whose partner's move stands and who has few cards left: do they pass, and do they win?"""
    peasants = players(arguments) | {arguments.teacher: fuda.agent(f"doudizhu/{arguments.teacher}")}
    found = {}
    for landlord in ("rhcp", arguments.teacher):
        other = fuda.agent(f"doudizhu/{landlord}")
        for name, player in peasants.items():
            seatings = np.tile([0, 1, 1], (arguments.games, 1))
            games = LockStep(GAME, REPORT_SEED, np.arange(arguments.games), seatings)
            won = games.play([other.act, player.act])[:, 1] > 0
            found[f"{name} over {landlord}"] = _left_alone(games.states, won)
    return {"seed": REPORT_SEED, "peasants": found}


def _left_alone(states: np.recarray, won: np.ndarray) -> dict[str, Any]:
    """What peasants did in such positions where they could have played, and how those games ended."""
    replay, moves = SPEC.new_states(1), np.empty(SPEC.max_legal, np.int64)
    num_asked = num_passed = 0
    in_games, won_games = 0, 0
    for k in range(len(states)):
        rewind(replay, states, k)
        state, is_in_game = replay[0], False
        for action in states[k].plays[: states[k].num_plays].tolist():
            seat, owner = int(state.seat), int(state.beat_seat)
            partner = rules.is_peasants_partner(state, seat, owner) if state.beat != PASS else False
            if partner and state.sizes[owner] <= FEW_CARDS and rules.legal(state, moves) > 1:
                num_asked, num_passed, is_in_game = num_asked + 1, num_passed + (action == PASS), True
            rules.step(state, action)
        in_games, won_games = in_games + is_in_game, won_games + (is_in_game and bool(won[k]))
    return {
        "positions": num_asked, "passed": round(num_passed / max(num_asked, 1), 4),
        "games with them": in_games,
        "won of these": round(won_games / max(in_games, 1), 4), "won of all": round(float(won.mean()), 4),
    }  # fmt: skip


def bids(arguments: argparse.Namespace) -> dict[str, Any]:
    """Points a game of the bid module over other bids, the cards played alike; six seatings of each deal.

    Each way to bid is kept when it is played. One that is kept of as many deals, of the same cards and the
    same bids, is not played again.
    """
    game = fuda.game("doudizhu", bidding="on", score="adp")
    own = fuda.agent(arguments.model, bids=BIDDER)
    ways = {way: way for way in (*WAYS, "control")} | {LEARNED: str(bidding_model(GAME.id))}
    path = path_of(arguments)
    over = json.loads(path.read_text())["over"] if path.exists() else {}
    for way, bidder in ways.items():
        other = fuda.agent(arguments.model, bids=bidder)
        made = {
            "deals": arguments.games, "seed": REPORT_SEED, "weights": other.weights,
            "bid weights": other.bid_weights,
        }  # fmt: skip
        if not made.items() <= over.get(way, {}).items():
            result = fuda.duel(game, own, other, len(game.seatings) * arguments.games, REPORT_SEED)
            over[way] = result.as_dict() | made | {"commit": commit()}
            store(arguments, {"over": over})
    return {"over": over}


@compiled
def write_marginals(views, seats, out, first, last):
    """The exact chance that the next seat holds n cards of each rank, out [V, NUM_RANKS, COPIES + 1].

    Uniform over the deals that agree with the view, as `rules.redeal` draws them: the bottom is the
    landlord's; what the plays say about hands does not count.
    """
    for k in range(first, last):
        view, seat = views[k], seats[k]
        nearer, other = next_seat(seat), next_seat(next_seat(seat))
        unseen = FULL_DECK - view.hand[seat] - view.played[0] - view.played[1] - view.played[2]
        size = np.int64(view.sizes[nearer])
        weight = np.zeros((NUM_RANKS, COPIES + 1))
        below, above = np.zeros((NUM_RANKS + 1, size + 1)), np.zeros((NUM_RANKS + 1, size + 1))
        below[0, 0] = above[NUM_RANKS, 0] = 1.0
        for rank in range(NUM_RANKS):
            free, bottom = count_of(unseen, rank), count_of(view.bottom, rank)
            played = count_of(view.played[nearer], rank)
            total = played + count_of(view.played[other], rank) + free
            for held in range(free + 1):
                had = played + held
                ways = BINOMIAL[total, had]
                if view.landlord == nearer:
                    ways *= BINOMIAL[had, bottom]
                elif view.landlord == other:
                    ways *= BINOMIAL[total - had, bottom]
                weight[rank, held] = ways
        for rank in range(NUM_RANKS):
            for n in range(size + 1):
                for held in range(min(n, COPIES) + 1):
                    below[rank + 1, n] += weight[rank, held] * below[rank, n - held]
        for rank in range(NUM_RANKS - 1, -1, -1):
            for n in range(size + 1):
                for held in range(min(n, COPIES) + 1):
                    above[rank, n] += weight[rank, held] * above[rank + 1, n - held]
        for rank in range(NUM_RANKS):
            for held in range(COPIES + 1):
                found = 0.0
                for n in range(size - held + 1):
                    found += below[rank, n] * above[rank + 1, size - held - n]
                out[k, rank, held] = weight[rank, held] * found / above[0, size]


def probe(arguments: argparse.Namespace) -> dict[str, Any]:
    """Log loss a rank of a linear probe on a hidden layer, of one on the planes, and of exact counting.

    The first four fifths of the games are learned from, the others are predicted. Each rank has five classes:
    how many of its cards the next seat holds.
    """
    player = fuda.agent(arguments.model)
    assert isinstance(player, FactoredAgent)
    encoding = player.encoding
    views, labels, games = _positions_with_hands(arguments)
    seats = views["seat"].astype(np.int64)
    words = np.zeros((len(views), encoding.NUM_WORDS), np.int64)
    encoding.encode_all(views, seats, words, 0, len(views))
    net_of_kind = nets_of_kinds(arguments.model, read_card(arguments.model), encoding)
    nets = [read_factored(arguments.model, encoding, number) for number in range(max(net_of_kind) + 1)]
    given, made_by = PlaneInput(encoding.LAYOUT), net_of_kind[encoding.decision_kinds(words)]
    hidden = _features(nets, made_by, given, words)
    exact = np.zeros((len(views), NUM_RANKS, COPIES + 1))
    split(write_marginals, views, seats, exact, count=len(views), min_share=64)
    learned = games < 0.8 * arguments.games
    counted = -np.log(np.take_along_axis(exact, labels[:, :, None], 2)[..., 0])[~learned]
    logs = torch.from_numpy(np.log(np.maximum(exact, 1e-12))).float()
    found = {"exact counting": counted.mean(axis=0)}
    for name, features in (("hidden layer", hidden), ("planes", _planes(given, words))):
        found[f"{name}, beside counting"] = _probed(features, logs, labels, learned)
    return {
        "positions": len(views), "predicted": int((~learned).sum()), "weights": player.weights,
        "log loss": {name: round(float(losses.mean()), 4) for name, losses in found.items()},
        "log loss by rank": {
            name: np.round(losses.astype(float), 4).tolist() for name, losses in found.items()
        },
    }  # fmt: skip


def _positions_with_hands(arguments: argparse.Namespace) -> tuple[np.recarray, np.ndarray, np.ndarray]:
    """Views of choices in held-out games, what the next seat holds [N, NUM_RANKS], and the games [N]."""
    teacher = fuda.agent(f"doudizhu/{arguments.teacher}")
    played = Teacher(GAME, teacher, 1, HELD_OUT).games(0, arguments.games)
    state, moves = SPEC.new_states(1), np.empty(SPEC.max_legal, np.int64)
    views, labels, games = [], [], []
    for number in range(len(played.decks)):
        rules.start(state[0], GAME.option_codes, np.ones(1, np.uint64))
        rules.deal(state[0], played.decks[number])
        for action in played.actions[played.starts[number] : played.starts[number + 1]].tolist():
            if rules.legal(state[0], moves) > 1:
                seat, view = int(state[0].seat), state.copy()
                held = int(view[0].hand[next_seat(seat)])
                rules.hide(view[0], seat)
                views.append(view)
                labels.append([held >> (4 * rank) & 15 for rank in range(NUM_RANKS)])
                games.append(number)
            rules.step(state[0], action)
    return np.concatenate(views).view(np.recarray), np.array(labels), np.array(games)


@torch.no_grad()
def _features(nets: list[Any], made_by: np.ndarray, given: PlaneInput, words: np.ndarray) -> torch.Tensor:
    """What the last layers of the networks read [N, width]."""
    found = torch.zeros(len(words), nets[made_by[0]].logits.in_features)
    for number in np.unique(made_by):
        for mine in torch.from_numpy(np.flatnonzero(made_by == number)).split(PROBE_BATCH):
            found[mine] = nets[number].features(given(torch.from_numpy(words[mine.numpy()])))
    return found


def _planes(given: PlaneInput, words: np.ndarray) -> torch.Tensor:
    """The input itself, as one row of numbers each [N, planes x rows x columns]."""
    return torch.cat([given(rows).flatten(1).to(torch.bool) for rows in torch.from_numpy(words).split(1024)])


def _probed(
    features: torch.Tensor, logs: torch.Tensor, labels: np.ndarray, learned: np.ndarray
) -> np.ndarray:
    """Log losses a rank of a linear layer, whose logits are added to the logarithms of exact counting."""
    torch.manual_seed(1)
    layer = torch.nn.Linear(features.shape[1], NUM_RANKS * (COPIES + 1))
    torch.nn.init.zeros_(layer.weight)
    torch.nn.init.zeros_(layer.bias)
    adam = torch.optim.AdamW(layer.parameters(), PROBE_RATE, weight_decay=0.05)
    target, rows = torch.from_numpy(labels), torch.from_numpy(np.flatnonzero(learned))
    sizes = features[rows].float().std(dim=0).clamp(min=0.05)

    def losses(mine: torch.Tensor) -> torch.Tensor:
        logits = layer(features[mine].float() / sizes / features.shape[1] ** 0.5)
        return torch.nn.functional.cross_entropy(
            (logits.unflatten(1, (NUM_RANKS, -1)) + logs[mine]).transpose(1, 2),
            target[mine],
            reduction="none",
        )

    steps = EPOCHS * -(-len(rows) // PROBE_BATCH)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(adam, steps)
    for _ in range(EPOCHS):
        for mine in rows[torch.randperm(len(rows))].split(PROBE_BATCH):
            adam.zero_grad()
            losses(mine).mean().backward()
            adam.step()
            schedule.step()
    held_out = torch.from_numpy(np.flatnonzero(~learned))
    with torch.no_grad():
        return torch.cat([losses(mine) for mine in held_out.split(4096)]).mean(dim=0).numpy()


MEASURED = {"agreement": agreement, "bids": bids, "chains": chains, "passes": passes, "probe": probe}

if __name__ == "__main__":
    main()
