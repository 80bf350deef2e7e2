"""Naive deep Q-learning: every move is an output. Choices, targets and errors against a plain account."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from fuda.games.doudizhu import action_encoding as encoding
from fuda.games.doudizhu.moves import NUM_MOVES
from fuda.nets.decompositions import GroupShape
from fuda.training import q_learning
from fuda.training.registry import find_recipe

torch.set_num_threads(1)  # test processes share the cores

SMALL = find_recipe("doudizhu-landlord-dqn-small").recipe
SHAPE = GroupShape(channels=2, features=8, rows=(8, 12), heads=(8,))
TINY = replace(SMALL, shape=SHAPE, group_size=8, batch=16, replay=300, games=24)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> q_learning.Run:
    """Some games behind it, and networks whose values differ."""
    found = q_learning.Run(TINY, tmp_path_factory.mktemp("run"), torch.device("cpu"), None)
    agent, rng = found.agents[0], torch.Generator().manual_seed(1)
    for net in (agent.trainer.net, agent.target):
        for weights in net.parameters():
            weights.data += torch.randn(weights.shape, generator=rng) / 5
    while len(agent.replay) < 40:
        found.advance()
    return found


def outputs_of(run: q_learning.Run, net, words: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        found, _ = run.reader.outputs(net, torch.from_numpy(words)[None])
    assert found.shape == (1, NUM_MOVES)
    return found[0].numpy()


def test_only_the_landlord_learns_against_guests(run):
    assert (run.deals.games.slots["mover"][:, : run.deals.tick + 1] == 0).all()
    assert [len(agent.replay) > 0 for agent in run.agents] == [True, False, False]
    assert set(encoding.decision_kinds(run.deals.choices.words)) == {0}


def test_the_best_legal_move_is_chosen_or_any(run):
    words, choices = run.deals.choices.words.copy(), run.deals.choices
    agent = run.agents[0]
    chosen, playable, places = agent.stages.choose(agent.net, words, np.zeros(len(words)), None)
    assert (playable.all(), places.any()) == (True, False)
    for k in range(len(words)):
        legal = choices.actions[choices.positions == k]
        values = outputs_of(run, agent.net, words[k])
        assert values[chosen[k, 0]] == pytest.approx(values[legal].max(), abs=1e-5)
        assert chosen[k, 0] in legal
    many = np.repeat(words[:1], 3000, axis=0)
    draws = np.random.default_rng(2).random((len(many), 2))
    legal = choices.actions[choices.positions == 0]
    found, _, _ = agent.stages.choose(agent.net, many, np.zeros(len(many)), draws)
    counts = np.bincount(np.searchsorted(legal, found[:, 0]), minlength=len(legal))
    expected = len(many) / len(legal)
    assert ((counts - expected) ** 2 / expected).sum() < 2 * len(legal) + 20


def test_targets_and_errors_are_those_of_double_q_learning(run):
    agent = run.agents[0]
    choices, ends = agent.replay.sample(np.random.default_rng(1), 30)
    targets = agent.targets(choices, ends).numpy()
    assert 0 < (ends.decisions_left == 0).sum() < 30
    for k in range(30):
        after = ends.outcomes[k]
        if ends.decisions_left[k]:
            row = encoding.legal_table(ends.next_words[k : k + 1])[0]
            legal = row[row >= 0]
            best = legal[outputs_of(run, agent.trainer.net, ends.next_words[k])[legal].argmax()]
            after = TINY.gamma * outputs_of(run, agent.target, ends.next_words[k])[best]
        assert targets[k] == pytest.approx([after], abs=1e-4)
    given = (
        choices.words,
        choices.groups.astype(np.int64),
        choices.playable,
        choices.places.astype(np.int64),
    )
    tensors = [torch.from_numpy(array) for array in given]
    errors = agent.stages.errors(agent.trainer.net, *tensors, torch.from_numpy(targets))["move"].detach()
    for k in range(30):
        off = abs(outputs_of(run, agent.trainer.net, choices.words[k])[choices.groups[k, 0]] - targets[k, 0])
        assert float(errors[k]) == pytest.approx(0.5 * off**2 if off < 1 else off - 0.5, abs=1e-4)


def test_outcomes_as_targets_are_discounted_once_a_decision(run):
    agent = run.agents[0]
    choices, ends = agent.replay.sample(np.random.default_rng(1), 20)
    recipe, agent.recipe = agent.recipe, replace(TINY, bootstrap=False, gamma=0.9)
    targets = agent.targets(choices, ends).numpy()
    agent.recipe = recipe
    np.testing.assert_allclose(targets[:, 0], ends.outcomes * 0.9**ends.decisions_left, rtol=1e-5)
