"""Positions to time players on: those with a choice, in some matches of a player against itself."""

import time

import fuda
from fuda.agents import Agent
from fuda.core.match import Match

FIRST_SEED = 100


def positions(game_id: str, player: str, matches: int) -> list[Match]:
    agent = fuda.agent(player)
    found = []
    for seed in range(FIRST_SEED, FIRST_SEED + matches):
        match = fuda.game(game_id).start(seed)
        while not match.over:
            if len(match.legal()) > 1:
                found.append(match.copy())
            match.play(agent.choose(match))
    return found


def timed(agent: Agent, where: list[Match]) -> list[float]:
    """Seconds of each decision."""
    agent.choose(where[0])  # compile
    spent = []
    for match in where:
        began = time.perf_counter()
        agent.choose(match)
        spent.append(time.perf_counter() - began)
    return spent


def processor_seconds(agent: Agent, where: list[Match]) -> float:
    """The mean of its decisions in processor time, which does not depend on what else the machine does."""
    agent.choose(where[0])  # compile
    began = time.process_time()
    for match in where:
        agent.choose(match)
    return (time.process_time() - began) / len(where)
