"""The two situations of the CQL paper's Section 4.2, over many deals, with the decompositions chosen.

    python bench/doudizhu_situations.py cql=FOLDER doudizhu/rhcp [--deals 500]

The landlord leads a card, and the peasant after it holds the next rank's cards that matter: a solo A and
exactly two 2s, which a good player takes apart; a solo 3 and exactly three 4s, which it does not. What is
played, and for players that take hands apart what their decomposition makes of these cards. On the deals for
reporting; writes doudizhu-situations.json.
"""

import argparse
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from results_folder import add_results, write
from strength import REPORT_SEED

import fuda
from fuda.agents import Agent
from fuda.agents.decompositions import DecompositionAgent
from fuda.core.provenance import commit
from fuda.games.doudizhu.moves import RANKS

GAME = "doudizhu"
SITUATIONS = {"two 2s against a solo A": ("A", "22"), "444 against a solo 3": ("3", "444")}
NUM_LANDLORD, NUM_PEASANT = 20, 17


def main() -> None:
    parser = argparse.ArgumentParser(description="What players do in the situations of Section 4.2.")
    parser.add_argument("players", nargs="+", help="names of agents, or NAME=FOLDER of a model")
    parser.add_argument("--deals", type=int, default=500, help="of each situation")
    add_results(parser)
    arguments = parser.parse_args()
    path = arguments.results / "doudizhu-situations.json"
    found = json.loads(path.read_text())["players"] if path.exists() else {}
    for name in arguments.players:
        label, _, folder = name.partition("=")
        agent = fuda.agent(folder or label)
        found[label] = {
            "weights": agent.weights, "deals": arguments.deals, "seed": REPORT_SEED, "commit": commit(),
            "situations": {
                title: told(agent, led, held, arguments.deals) for title, (led, held) in SITUATIONS.items()
            },
        }  # fmt: skip
        figures = {"kind": "doudizhu situations", "players": found}
        write(path, figures)
    print(json.dumps(found, indent=1))


def positions(led: str, held: str, count: int) -> Iterator[fuda.Match]:
    """Positions of the peasant who is to answer that card and holds exactly these of their rank."""
    rng = np.random.default_rng((REPORT_SEED, RANKS.index(led)))
    deck = np.array(list("".join(4 * rank for rank in RANKS[:13]) + RANKS[13:]))
    while count:
        cards = rng.permutation(deck)
        hands = np.split(cards, [NUM_LANDLORD, NUM_LANDLORD + NUM_PEASANT])
        if led in hands[0] and (hands[1] == held[0]).sum() == len(held):
            match = fuda.game(GAME).start(count, deal={"hands": ["".join(hand) for hand in hands]})
            match.play(led)
            yield match
            count -= 1


def told(agent: Agent, led: str, held: str, count: int) -> dict[str, Any]:
    """Parts of the deals: which moves, and which decompositions leave those cards together."""
    solo, moves, together, example = held[0], [], [], None
    for match in positions(led, held, count):
        if not isinstance(agent, DecompositionAgent):
            moves.append(agent.choose(match))
            continue
        opinion, name = agent.opinion(match), match.game.spec.text.move_text
        groups = [name(int(group)) for group in opinion.decomposition]
        moves.append(name(opinion.action))
        together.append(any(held in group for group in groups))
        example = example or {"hand": match.view(1)["hand"], "decomposition": groups, "move": moves[-1]}
    played = {
        f"plays {solo}": float(np.mean([move == solo for move in moves])),
        "passes": float(np.mean([move == "pass" for move in moves])),
    }
    if together:
        played |= {f"keeps {held} together": float(np.mean(together)), "for example": example}
    return {"played": played}


if __name__ == "__main__":
    main()
