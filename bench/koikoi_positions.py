"""Finds the two kept Koi-Koi positions of the paper's Fig. 7 in self-play: docs/positions/koikoi-*.jsonl.

    python bench/koikoi_positions.py --agents koikoi/rl-wp koikoi/rl-point --games 1500

Of each kind the position is kept on which the two agents disagree most, each by its own values. The
search depends on the agents of the day; what is kept does not: a record has its cards and moves.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import fuda
from fuda.agents import Agent
from fuda.explain.walk import views_of, walk
from fuda.games.koikoi import cards
from fuda.games.koikoi.text import read_pile
from fuda.records import save

POSITIONS = Path(__file__).parent.parent / "docs" / "positions"
SEED = 7000
SMALL_LEAD = 6
MONTHS = [0b1111 << first for first in range(0, cards.NUM_CARDS, cards.NUM_IN_MONTH)]


def first_round(view: dict[str, Any]) -> bool:
    """Round 1 as dealer, lights in hand, the Sake Cup taken: one light would make a Viewing Sake now."""
    seat = view["seat"]
    hand, field = read_pile(view["hand"]), read_pile(view["field"])
    viewing = hand & (cards.CURTAIN | cards.MOON)
    return (
        view["round"] == 1
        and view["dealer"] == seat
        and (hand & cards.LIGHTS).bit_count() >= 2
        and bool(read_pile(view["piles"][seat]) & cards.SAKE_CUP)
        and any(viewing & month and field & month for month in MONTHS)
        and not any(view["yaku"])
    )


def seventh_round(view: dict[str, Any]) -> bool:
    """Round 7, the opponent deals, a small lead, most good cards still to come."""
    seat = view["seat"]
    lead = view["points"][seat] - view["points"][1 - seat]
    seen = read_pile([*view["piles"][0], *view["piles"][1]])
    return (
        view["round"] == 7
        and view["dealer"] != seat
        and 0 < lead <= SMALL_LEAD
        and (seen & (cards.LIGHTS | cards.SAKE_CUP)).bit_count() <= 1
        and not any(view["yaku"])
    )


KINDS = {"koikoi-first-round": first_round, "koikoi-seventh-round": seventh_round}


def disagreement(match: fuda.Match, agents: list[Agent]) -> float:
    """How much each agent thinks to lose by the other's choice, the smaller part; in its own scale."""
    values = [agent.values(match) for agent in agents]
    best = [max(found, key=found.__getitem__) for found in values]
    losses = [found[best[k]] - found[best[1 - k]] for k, found in enumerate(values)]
    spreads = [np.ptp(list(found.values())) for found in values]
    return min(loss / max(spread, 1e-6) for loss, spread in zip(losses, spreads, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description="Find the kept positions.")
    parser.add_argument("--agents", nargs=2, required=True)
    parser.add_argument("--games", type=int, default=1500)
    arguments = parser.parse_args()
    agents = [fuda.agent(name) for name in arguments.agents]
    kept: dict[str, tuple[float, fuda.Match]] = {}
    met = dict.fromkeys(KINDS, 0)
    for _, matches in walk(fuda.game("koikoi"), agents[0], arguments.games, SEED):
        views, _ = views_of(matches)
        for match, round_index in zip(matches, views["round_index"], strict=True):
            if round_index not in (0, 6):
                continue  # only these are worth a dictionary
            view = match.view(match.seat)
            for kind, fits in KINDS.items():
                if view["phase"] == "discard" and len(view["legal"]) > 2 and fits(view):
                    met[kind] += 1
                    found = disagreement(match, agents)
                    if found > kept.get(kind, (0.0, match))[0]:
                        kept[kind] = (found, match.copy())
    POSITIONS.mkdir(exist_ok=True)
    for kind, (found, match) in kept.items():
        match.play(agents[0].choose(match))
        save(match, POSITIONS / f"{kind}.jsonl")
        print(f"{kind}: seed {match.seed}, move {len(match.moves)}, disagreement {found:.2f}")
    print(f"positions met of each kind: {met}")


if __name__ == "__main__":
    main()
