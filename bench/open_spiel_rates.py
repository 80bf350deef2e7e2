"""How fast one of OpenSpiel's games is through its Python states; bench/environments.py starts it.

A decision is a choice among `legal_actions`, `apply_action`, and the tensor of the player to move.
"""

import argparse
import importlib.metadata
import json
import random
from typing import Any

import pyspiel
from rates import rate


def rates(game: str, seconds: float) -> dict[str, Any]:
    made = pyspiel.load_game(game)
    kind = made.get_type()
    tensor = "observation_tensor" if kind.provides_observation_tensor else "information_state_tensor"
    luck, widths = random.Random(1), set()

    def play(with_tensor: bool) -> int:
        state, decisions = made.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(luck.choices(actions, chances)[0])
            else:
                if with_tensor:
                    widths.add(len(getattr(state, tensor)()))
                state.apply_action(luck.choice(state.legal_actions()))
                decisions += 1
        return decisions

    found = {
        "game": game,
        "version": importlib.metadata.version("open_spiel"),
        "states": rate(lambda: play(False), seconds),
        "observations": rate(lambda: play(True), seconds),
    }
    return {**found, "numbers of an observation": widths.pop()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--seconds", type=float, default=1.0)
    wanted = parser.parse_args()
    print(json.dumps(rates(wanted.game, wanted.seconds)))
