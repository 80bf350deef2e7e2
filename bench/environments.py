"""How fast the environments are on one core, beside OpenSpiel's and Pgx's: uniformly random play.

    python bench/environments.py --out bench/results/environments.json --pgx /path/to/python
    python bench/environments.py --open-spiel /path/to/python      where another interpreter has open_spiel

A decision of ours is a choice among the legal actions, a step, and what the kind of environment shows then.
Deals are dealt where they are due. Times are of the processor: a library with more threads gains nothing.
Pgx is in no extra of fuda: install it into a virtual environment of its own.
"""

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from open_spiel_rates import rates as spiel_rates
from rates import rate

import fuda
import fuda.openspiel
import fuda.pettingzoo
from fuda.core.provenance import commit, machine, versions

NUM_ENVS = 1024
# Ours, and the game of OpenSpiel that is of its family: shedding, trick-taking, matching.
BESIDE = {"doudizhu": "dou_dizhu", "gongzhu": "hearts", "koikoi": "gin_rummy"}
PGX_GAME = "sparrow_mahjong"  # its only game of hidden hands with more than a few cards
HERE = Path(__file__).parent


def vector(game: str, *shown: str) -> Callable[[], int]:
    """Many matches at once; `shown` are the arrays that are read."""
    env, rng = fuda.vector(game, NUM_ENVS, seed=1, threads=1), np.random.default_rng(1)

    def play() -> int:
        for name in shown:
            getattr(env, name)
        env.step(env.legal.draw(rng))
        return NUM_ENVS

    return play


def match(game: str) -> Callable[[], int]:
    """A match by itself, in text."""
    made, luck = fuda.game(game), random.Random(1)

    def play() -> int:
        one = made.start(luck.randrange(2**32))
        while not one.over:
            one.play(luck.choice(one.legal()))
        return len(one.moves)

    return play


def pettingzoo(game: str, observation: str) -> Callable[[], int]:
    """A match by PettingZoo's loop: `last` for what is seen, `step`."""
    env, luck = fuda.pettingzoo.env(game, observation=observation), random.Random(1)
    env.reset(seed=1)

    def play() -> int:
        env.reset()
        decisions = 0
        while not any(env.terminations.values()):
            env.last()
            env.step(luck.choice(env.infos[env.agent_selection]["legal"]))
            decisions += 1
        return decisions

    return play


def our_rates(game: str, seconds: float) -> dict[str, Any]:
    layout = fuda.vector(game, 1, seed=1).layout
    kinds = {
        "views": vector(game),
        "observations": vector(game, "observations"),
        "observations and moves": vector(game, "observations", "moves"),
        "match": match(game),
        "pettingzoo, bytes": pettingzoo(game, "bytes"),
        "pettingzoo, encoded": pettingzoo(game, "encoded"),
    }
    return {
        "game": game,
        "numbers of an observation": layout.width,
        "numbers of a move": layout.move_width,
        **{name: rate(play, seconds) for name, play in kinds.items()},
        "openspiel": spiel_rates(f"fuda_{game}", seconds)["observations"],
    }


def theirs(python: str, script: str, *arguments: object) -> dict[str, Any]:
    """The rates that a script finds under another interpreter."""
    command = [python, str(HERE / script), *map(str, arguments)]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--open-spiel", default=sys.executable, help="a Python that has open_spiel")
    parser.add_argument("--pgx", help="a Python that has pgx; without it Pgx is left out")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each of the three repeats")
    parser.add_argument("--out", type=Path, help="where the figures are stored as JSON")
    wanted = parser.parse_args()
    stored: dict[str, Any] = {
        "kind": "environment speed",
        "unit": "decisions per second of processor time, uniformly random play",
        "environments": NUM_ENVS,
        "rows": [],
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }
    for ours, other in BESIDE.items():
        row = {
            "fuda": our_rates(ours, wanted.seconds),
            "open_spiel": theirs(
                wanted.open_spiel, "open_spiel_rates.py", other, "--seconds", wanted.seconds
            ),
        }
        row["ratio"] = round(row["fuda"]["observations"] / row["open_spiel"]["observations"], 1)
        stored["rows"].append(row)
        stored["open_spiel"] = row["open_spiel"].pop("version")
        print(json.dumps(row, indent=1), flush=True)
    if wanted.pgx:
        asked = (PGX_GAME, "--environments", NUM_ENVS, "--seconds", wanted.seconds)
        stored["pgx"] = theirs(wanted.pgx, "pgx_rates.py", *asked)
        print(json.dumps(stored["pgx"], indent=1))
    if wanted.out:
        wanted.out.write_text(json.dumps(stored, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
