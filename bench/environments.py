"""How fast the vector environments are on one core, beside OpenSpiel's states: uniformly random play.

    python bench/environments.py --out bench/results/environments.json
    python bench/environments.py --open-spiel /path/to/python      where another interpreter has open_spiel

A decision of ours is a choice, a step, the views, the legal actions, and what is asked for beside: the
observations, the encoded legal moves. One of OpenSpiel's is a choice among `legal_actions`, `apply_action`,
and the tensor of the player to move. Both deal where a deal is due.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

REPEATS = 3
NUM_ENVS = 1024
# Ours, and the game of OpenSpiel that is of its family: shedding, trick-taking, matching.
BESIDE = {"doudizhu": "dou_dizhu", "gongzhu": "hearts", "koikoi": "gin_rummy"}


def rate(play: Callable[[], int], seconds: float) -> int:
    """Decisions a second of processor time, the median of some runs; `play` says how many it made."""
    play()  # compile, load
    found = []
    for _ in range(REPEATS):
        done, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            done += play()
        found.append(done / spent)
    return round(statistics.median(found))


def our_rates(game: str, seconds: float) -> dict[str, Any]:
    import numpy as np

    import fuda

    env, rng = fuda.vector(game, NUM_ENVS, seed=1, threads=1), np.random.default_rng(1)

    def play(*names: str) -> int:
        for _ in range(10):
            for name in names:
                getattr(env, name)
            env.step(env.legal.draw(rng))
        return 10 * NUM_ENVS

    return {
        "game": game,
        "numbers of an observation": env.layout.width,
        "numbers of a move": env.layout.move_width,
        "views": rate(play, seconds),
        "observations": rate(lambda: play("observations"), seconds),
        "observations and moves": rate(lambda: play("observations", "moves"), seconds),
    }


def open_spiel_rates(game: str, seconds: float) -> dict[str, Any]:
    import pyspiel

    made = pyspiel.load_game(game)
    kind = made.get_type()
    tensor = "observation_tensor" if kind.provides_observation_tensor else "information_state_tensor"
    luck = random.Random(1)

    def play(with_tensor: bool) -> int:
        state, decisions = made.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(luck.choices(actions, chances)[0])
            else:
                if with_tensor:
                    getattr(state, tensor)()
                state.apply_action(luck.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return {
        "game": game,
        "tensor": tensor,
        "numbers of an observation": len(getattr(_first_decision(made), tensor)()),
        "states": rate(lambda: play(False), seconds),
        "observations": rate(lambda: play(True), seconds),
    }


def _first_decision(made: Any) -> Any:
    state = made.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--open-spiel", default=sys.executable, help="a Python that has open_spiel")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each of the three repeats")
    parser.add_argument("--out", type=Path, help="where the figures are stored as JSON")
    parser.add_argument("--theirs", help=argparse.SUPPRESS)  # in the process that has open_spiel
    wanted = parser.parse_args()
    if wanted.theirs:
        print(json.dumps(open_spiel_rates(wanted.theirs, wanted.seconds)))
        return 0
    from fuda.core.provenance import commit, machine, versions

    rows = []
    for ours, theirs in BESIDE.items():
        found = {"fuda": our_rates(ours, wanted.seconds)}
        command = [wanted.open_spiel, __file__, "--theirs", theirs, "--seconds", str(wanted.seconds)]
        run = subprocess.run(command, check=True, capture_output=True, text=True)
        found["open_spiel"] = json.loads(run.stdout)
        found["ratio"] = round(found["fuda"]["observations"] / found["open_spiel"]["observations"], 1)
        rows.append(found)
        print(json.dumps(found, indent=1), flush=True)
    stored = {
        "kind": "environment speed",
        "unit": "decisions per second of processor time, uniformly random play",
        "environments": NUM_ENVS,
        "rows": rows,
        "open_spiel": subprocess.run(
            [wanted.open_spiel, "-c", "import importlib.metadata as m; print(m.version('open_spiel'))"],
            check=True, capture_output=True, text=True,
        ).stdout.strip(),
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }  # fmt: skip
    if wanted.out:
        wanted.out.write_text(json.dumps(stored, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
