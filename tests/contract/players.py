"""Every player plays a little: a program for ways to run it in which a wrong index is an error.

`main` with HOW GAME..., where HOW is `choices`, some decisions of each player, or `duels`.
"""

import random
import sys
from collections.abc import Iterator

import fuda
from fuda.agents import Agent
from fuda.agents.model import model_folders

SMALL = {"trees": 2, "iterations": 20, "scenarios": 3}
NUM_CHOICES = 4  # in a match
MODEL_GAMES, OTHER_GAMES = 4, 40


def main() -> None:
    how, *games = sys.argv[1:]
    for game in games:
        for agent, is_model in players(game):
            if how == "choices":
                choose_some(agent)
            else:
                fuda.duel(game, agent, f"{game}/random", MODEL_GAMES if is_model else OTHER_GAMES, seed=5)
    print("played")


def players(game: str) -> Iterator[tuple[Agent, bool]]:
    """The players of a game and whether each is a model; models of one kind and unit run the same code."""
    models, kinds = model_folders(game), set()
    for name in fuda.list_agents(game):
        agent, is_model = small(name), name.partition("/")[2] in models
        kind = type(agent), agent.info.unit
        if not is_model or kind not in kinds:
            yield agent, is_model
        kinds.add(kind)


def small(name: str) -> Agent:
    setting = getattr(fuda.agent(name), "setting", None)
    return fuda.agent(name, **{key: few for key, few in SMALL.items() if getattr(setting, key, 0) > few})


def choose_some(agent: Agent) -> None:
    """Decisions from all over a match."""
    luck, match = random.Random(3), fuda.game(agent.spec.id).start(seed=3)
    positions = []
    while not match.over:
        if len(match.legal()) > 1:
            positions.append(match.copy())
        match.play(luck.choice(match.legal()))
    for number in range(NUM_CHOICES):
        position = positions[number * (len(positions) - 1) // (NUM_CHOICES - 1)]
        assert agent.choose(position) in position.legal()
