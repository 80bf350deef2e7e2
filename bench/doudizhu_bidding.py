"""What learned bids are worth: one Dou Dizhu player that bids by them, over itself with other bids.

    python bench/doudizhu_bidding.py [best-point] [--device cuda]    writes doudizhu-bidding.json
    python bench/doudizhu_bidding.py --deals 100 --seed 1000003      for choosing: prints, writes nothing

Cards are played alike on both sides. Every deal is played in six seatings, with score=adp. Bids and stakes
are counted where all three seats bid by what they learned.
"""

import argparse
import json
import time
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import numpy as np
from results_folder import add_results, write
from strength import REPORT_SEED, entrant

import fuda
from fuda.agents import Agent
from fuda.agents.bidding import LEARNED, WAYS
from fuda.core.game import Game
from fuda.core.provenance import commit, machine, versions
from fuda.core.runner import LockStep
from fuda.games.doudizhu.rules import BID, MAX_BID

OPTIONS = {"bidding": "on", "score": "adp"}
DEALS = 5000
CHUNK = 2048  # deals that are played together


class CountedBids:
    """A player in all three seats, whose bids are counted by what the highest was before."""

    def __init__(self, agent: Agent):
        self._agent, self.counts = agent, np.zeros((MAX_BID, MAX_BID + 1), np.int64)

    def __call__(self, views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        actions = self._agent.act(views, seats, rngs)
        is_bid = actions >= BID
        np.add.at(self.counts, (views["stake"][is_bid], actions[is_bid] - BID), 1)
        return actions


def player_on(device: str | None, name: str, way: str) -> Agent:
    """The player that bids in a way."""
    player = entrant(name, device, bids=way)
    assert isinstance(player, Agent)
    return player


def self_play(game: Game, agent: Agent, deals: int, seed: int) -> dict[str, Any]:
    """How often each bid is made, and how landlords fare at each stake."""
    counted, stakes, won, points = CountedBids(agent), Counter[int](), Counter[int](), Counter[int]()
    for first in range(0, deals, CHUNK):
        numbers = np.arange(first, min(first + CHUNK, deals))
        table = LockStep(game, seed, numbers, np.zeros((len(numbers), game.spec.seats), np.int64))
        scores = table.play([counted])
        landlords = table.states["landlord"]
        gains = scores[np.arange(len(numbers)), landlords]
        for stake, gain in zip(table.states["stake"].tolist(), gains.tolist(), strict=True):
            stakes[stake] += 1
            won[stake] += gain > 0
            points[stake] += gain
    return {
        "bids after a highest of": {
            str(highest): dict(zip(map(str, range(MAX_BID + 1)), counts.tolist(), strict=True))
            for highest, counts in enumerate(counted.counts)
        },
        "landlord by stake": {
            str(stake): {"deals": count, "won": won[stake] / count, "points": points[stake] / count}
            for stake, count in sorted(stakes.items())
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare learned bids with other ways to bid.")
    parser.add_argument("player", nargs="?", default="best-point")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=REPORT_SEED, help="only that for reporting is stored")
    parser.add_argument("--device", help="play cards by PyTorch on this device, not by onnxruntime")
    add_results(parser)
    arguments = parser.parse_args()
    game, name = fuda.game("doudizhu", **OPTIONS), f"doudizhu/{arguments.player}"
    players = {way: player_on(arguments.device, name, way) for way in WAYS}
    learned = players.pop(LEARNED)
    if not learned.info.bids:
        parser.error(f"there is no model that bids for {name}")
    began, over = time.perf_counter(), {}
    for way, other in players.items():
        result = fuda.duel(game, learned, other, len(game.seatings) * arguments.deals, arguments.seed)
        over[way] = result.as_dict()
        print(f"learned bids over {way}: {result}", flush=True)
    figures = {
        "kind": "doudizhu bidding", "game": "doudizhu", "player": arguments.player, "options": OPTIONS,
        "weights": learned.weights, "bid_weights": learned.bid_weights,
        "deals": arguments.deals, "seatings": len(game.seatings), "seed": arguments.seed, "over": over,
        **self_play(game, learned, arguments.deals, arguments.seed),
        "seconds": round(time.perf_counter() - began, 1), "date": datetime.now(UTC).date().isoformat(),
        "device": arguments.device or "cpu", "machine": machine(), "versions": versions(), "commit": commit(),
    }  # fmt: skip
    print(
        json.dumps(
            {name: figures[name] for name in ("bids after a highest of", "landlord by stake")}, indent=1
        )
    )
    if arguments.seed == REPORT_SEED:
        write(arguments.results / "doudizhu-bidding.json", figures)


if __name__ == "__main__":
    main()
