"""How long it takes to find the fewest moves that empty a hand; into doudizhu-fewest.json.

    python bench/doudizhu_fewest.py [--games 500]

The hands are those that a network would be told of: in every decision with a choice of RHCP against itself,
what each legal move leaves. Processor time of one core, the best of some rounds.
"""

import argparse
import time

import numpy as np
from results_folder import add_results, write

import fuda
from fuda.core.provenance import commit, machine, versions
from fuda.games.doudizhu import rules
from fuda.games.doudizhu.classical import choose_rhcp
from fuda.games.doudizhu.fewest import bounds, fewest_all
from fuda.games.doudizhu.moves import MAX_LEGAL, MOVE_CARDS, num_cards

ROUNDS = 7
SIZES = ((0, 5), (6, 10), (11, 15), (16, 20))


def rests(games: int) -> np.ndarray:
    """What every legal move leaves, in every decision with a choice."""
    found = []
    out, rng = np.empty(MAX_LEGAL, np.int64), np.ones(1, np.uint64)
    for seed in range(games):
        match = fuda.game("doudizhu").start(seed)
        state = np.frombuffer(match.state_bytes(), rules.STATE).view(np.recarray).copy()[0]
        while state.seat >= 0:
            moves = out[: rules.legal(state, out)]
            if len(moves) > 1:
                found.append(state.hand[state.seat] - MOVE_CARDS[moves])
            rules.step(state, choose_rhcp(state, np.int64(state.seat), rng))
    return np.concatenate(found)


def nanoseconds(hands: np.ndarray) -> int:
    """Of one hand."""
    out = np.empty(len(hands), np.int64)
    spent = []
    for _ in range(ROUNDS):
        began = time.process_time()
        fewest_all(hands, out, 0, len(hands))
        spent.append(time.process_time() - began)
    return round(min(spent) / len(hands) * 1e9)


def main() -> None:
    parser = argparse.ArgumentParser(description="How long it takes to find the fewest moves of a hand.")
    parser.add_argument("--games", type=int, default=500)
    add_results(parser)
    arguments = parser.parse_args()
    hands = rests(arguments.games)
    sizes = np.array([num_cards(hand) for hand in hands])
    searched = [least < most for least, most in (bounds(hand) for hand in hands)]
    figures = {
        "kind": "fewest moves", "hands": len(hands), "nanoseconds": nanoseconds(hands),
        "searched": sum(searched),
        "by cards": {
            f"{low} to {high}": {"hands": int(chosen.sum()), "nanoseconds": nanoseconds(hands[chosen])}
            for low, high in SIZES
            for chosen in [(sizes >= low) & (sizes <= high)]
        },
    }  # fmt: skip
    origin = {"commit": commit(), "machine": machine(), "versions": versions()}
    path = arguments.results / "doudizhu-fewest.json"
    write(path, figures | origin)
    print(path.read_text())


if __name__ == "__main__":
    main()
