"""Ratings game by game: planted strengths are found, sides are as strong as their members."""

import math
import random

import pytest

from fuda.serve.skill import AGENT_ERROR, ELO, NEWCOMER_ERROR, Skill, after_game, grown

NEW, KNOWN = Skill(0.0, NEWCOMER_ERROR), Skill(0.0, AGENT_ERROR)


def test_who_wins_rises_and_more_is_known_of_both():
    won = after_game({"own": NEW, "agent": KNOWN}, ["own", "agent"], [0, 1], [0, 1])
    assert won["own"].rating > 50 > 0 > won["agent"].rating > -10  # little was known of the one alone
    assert won["own"].error < NEW.error
    assert won["agent"].error < KNOWN.error
    lost = after_game({"own": NEW, "agent": KNOWN}, ["own", "agent"], [0, 1], [1, 0])
    assert lost["own"].rating == pytest.approx(-won["own"].rating)
    drawn = after_game({"own": NEW, "agent": KNOWN}, ["own", "agent"], [0, 1], [0, 0])
    assert drawn["own"].rating == pytest.approx(0)
    assert drawn["own"].error == pytest.approx(won["own"].error)


def test_two_peasants_are_not_twice_as_strong_as_the_landlord():
    """A win over two equal players tells about as much as one over one of them."""
    skills = {"own": NEW, "down": KNOWN, "up": KNOWN}
    alone = after_game(skills, ["own", "down"], [0, 1], [0, 1])["own"].rating
    assert after_game(skills, ["own", "down", "up"], [0, 1, 1], [0, 1, 1])["own"].rating == pytest.approx(
        alone, rel=0.02
    )


def test_the_same_agent_may_sit_on_both_sides():
    """What it is worth to the one side it is to the other: only the person and the rest of it are told of."""
    skills = {"own": NEW, "agent": Skill(300.0, AGENT_ERROR)}
    found = after_game(skills, ["own", "agent", "agent", "agent"], [0, 1, 0, 1], [0, 1, 0, 1])
    assert found["own"].rating > 50
    assert found["agent"].rating < 300
    assert after_game({"agent": KNOWN}, ["agent"] * 2, [0, 1], [0, 1]) == {"agent": KNOWN}


def test_of_several_sides_each_two_have_played():
    players = ["own", "a", "b", "c"]
    skills = {"own": NEW, "a": KNOWN, "b": KNOWN, "c": KNOWN}
    found = after_game(skills, players, [0, 1, 2, 3], [1, 0, 2, 3])
    assert found["a"].rating > 0 > found["c"].rating
    assert found["a"].rating > found["b"].rating > found["c"].rating


@pytest.mark.parametrize("games", [10, 50, 200])
def test_planted_strengths_are_found_within_their_errors(games: int):
    """Persons of known strength against agents of known strength: most are within two errors."""
    rng, agents = random.Random(games), {"weak": -200.0, "middle": 0.0, "strong": 200.0, "master": 400.0}
    off = []
    for _ in range(200):
        strength = rng.gauss(0, NEWCOMER_ERROR)
        skills = {"own": NEW} | {name: Skill(rating, 5.0) for name, rating in agents.items()}
        for _ in range(games):
            name = rng.choice(list(agents))
            won = rng.random() < 1 / (1 + math.exp((agents[name] - strength) / ELO))
            skills["own"] = grown(skills["own"])
            skills = after_game(skills, ["own", name], [0, 1], [0, 1] if won else [1, 0])
        off.append((skills["own"].rating - strength) / skills["own"].error)
    assert 0.9 < sum(abs(one) < 2 for one in off) / len(off) <= 1
    assert 0.7 < math.sqrt(sum(one**2 for one in off) / len(off)) < 1.2
    assert skills["own"].error < {10: 170, 50: 90, 200: 55}[games]
