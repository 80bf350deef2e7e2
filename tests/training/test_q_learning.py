"""Combinatorial Q-learning, small: choices, transitions, targets, and that a killed run goes on as it was."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.games.doudizhu import group_encoding as encoding
from fuda.games.doudizhu.moves import PASS
from fuda.nets.decompositions import GroupShape
from fuda.nets.group_reader import BEYOND
from fuda.training import q_learning
from fuda.training.conduct import conduct
from fuda.training.q_learning import Replay
from fuda.training.registry import find_recipe
from fuda.training.roles import Choices, Ends
from fuda.training.two_stages import choose_among

torch.set_num_threads(1)  # test processes share the cores

CPU = torch.device("cpu")
TINY = replace(
    find_recipe("doudizhu-cql-paper").recipe,
    shape=GroupShape(channels=2, features=8, rows=(8, 12), heads=(8,), playable=True),
    decompositions=6,
    group_size=8,
    batch=32,
    replay=300,
    target_steps=3,
    games=24,
)


@pytest.fixture
def run(tmp_path) -> q_learning.Run:
    found = q_learning.Run(TINY, tmp_path, CPU, None)
    for agent in found.agents:
        for weights in agent.trainer.net.parameters():
            weights.data += torch.randn(weights.shape, generator=torch.Generator().manual_seed(1)) / 5
    return found


def advance_until(run: q_learning.Run, transitions: int) -> None:
    while min(len(agent.replay) for agent in run.agents) < transitions:
        run.advance()


def test_the_best_group_of_the_best_decomposition_is_chosen(run):
    words = run.deals.choices.words.copy()
    for agent in run.agents:
        found = encoding.decompose(words, 20, streams(1, SAMPLE, 0, len(words)))
        groups, playable, places = choose_among(run.reader, agent.trainer.net, words, found, None)
        for k in range(len(words)):
            legal = run.deals.choices.actions[run.deals.choices.positions == k]
            told, values = torch.from_numpy(words[k : k + 1]), []
            for decomposition in found.of(k):
                table = torch.from_numpy(decomposition.astype(np.int64))[None]
                can = torch.from_numpy(np.isin(decomposition, legal))[None]
                with torch.no_grad():
                    value, moves = run.reader.one_value(agent.trainer.net, told, table, can)
                values.append((float(value), moves[0].numpy(), decomposition))
            _, moves, best = max(values, key=lambda each: each[0])
            mine = groups[k][groups[k] != BEYOND]
            assert mine.tolist() == best.tolist()
            assert playable[k][: len(mine)].tolist() == np.isin(mine, legal).tolist()
            can = np.where(playable[k][: len(mine)], moves, -np.inf)
            assert can[places[k]] == pytest.approx(can.max(), abs=1e-6)


def test_both_stages_are_uniform_when_exploring(run):
    words = np.zeros((1, encoding.NUM_WORDS), np.int64)
    words[0, encoding.HAND], words[0, encoding.SIZES] = 0x21, 5 | 5 << 5  # 344: as 3 4 4 or as 3 44
    words = np.repeat(words, 4000, axis=0)
    found = encoding.decompose(words, 100, streams(1, SAMPLE, 0, len(words)))
    draws = np.random.default_rng(3).random((len(words), 2))
    groups, playable, places = choose_among(run.reader, run.agents[0].trainer.net, words, found, draws)
    sizes = (groups != BEYOND).sum(axis=1)
    assert abs((sizes == 3).mean() - 0.5) < 0.04
    for size in (2, 3):
        chosen = np.bincount(places[sizes == size], minlength=3)
        assert abs(chosen[:size] / chosen.sum() - 1 / size).max() < 0.05
    assert playable.sum(axis=1).tolist() == sizes.tolist()
    words[:, encoding.BEAT] = 1 + 14  # some solo that nothing here beats: all that is left is to pass
    found = encoding.decompose(words[:50], 100, streams(1, SAMPLE, 0, 50))
    groups, _, places = choose_among(run.reader, run.agents[0].trainer.net, words[:50], found, draws[:50])
    assert (groups[np.arange(50), places] == PASS).all()


def test_transitions_are_what_the_movers_saw_next(run, monkeypatch):
    """Against a plain account of who chose what in which game, deal by deal."""
    seen: dict[tuple[int, int], list[tuple[np.ndarray, int]]] = {}
    right: list[tuple[bytes, int, float, int, bytes]] = []
    added: list[tuple[bytes, int, float, int, bytes]] = []
    add = Replay.add

    def listen(self, choices: Choices, ends: Ends) -> None:
        for row in range(len(choices.places)):
            left = int(ends.decisions_left[row])
            after = ends.next_words[row].tobytes() if left else b""
            action = int(choices.groups[row, choices.places[row]])
            added.append((choices.words[row].tobytes(), action, float(ends.outcomes[row]), left, after))
        add(self, choices, ends)

    monkeypatch.setattr(Replay, "add", listen)
    for _ in range(130):
        states = run.deals.games.states.copy()
        words = run.deals.choices.words.copy()
        run.advance()
        tick = (run.deals.tick - 1) % run.deals.num_ticks
        for game in range(run.deals.size):
            row = tick * run.deals.size + game
            action = int(run.slots.groups[row, run.slots.places[row]])
            seen.setdefault((game, int(states[game].seat)), []).append((words[game], action))
            if run.deals.games.has_ended[game]:
                for seat in range(3):
                    mine = seen.pop((game, seat), [])
                    for number, (told, played) in enumerate(mine):
                        left = len(mine) - 1 - number
                        after = mine[number + 1][0].tobytes() if left else b""
                        right.append((told.tobytes(), played, float(seat), left, after))
    assert len(added) == len(right) > 100
    plain = sorted((told, played, left, after) for told, played, _, left, after in right)
    assert sorted((told, played, left, after) for told, played, _, left, after in added) == plain
    assert {outcome for _, _, outcome, _, _ in added} == {-1.0, 1.0}


def test_one_step_targets_are_those_of_double_q_learning(run):
    advance_until(run, 40)
    agent = run.agents[0]
    with torch.no_grad():
        for weights in agent.target.parameters():
            weights += torch.randn(weights.shape, generator=torch.Generator().manual_seed(2)) / 5
    choices, ends = agent.replay.sample(np.random.default_rng(1), 40)
    targets = agent.targets(choices, ends).numpy()

    def values(net, words: np.ndarray, groups: np.ndarray) -> tuple[float, np.ndarray]:
        legal = encoding.decompose(words[None], 1000, np.ones(1, np.uint64))
        can = np.isin(groups, legal.groups[legal.playable])
        with torch.no_grad():
            table = torch.from_numpy(groups.astype(np.int64))[None]
            value, moves = run.reader.one_value(
                net, torch.from_numpy(words)[None], table, torch.from_numpy(can)[None]
            )
        return float(value), moves[0].numpy()

    online, target = agent.trainer.net, agent.target
    assert 0 < (ends.decisions_left == 0).sum() < 40
    for k in range(40):
        groups = choices.groups[k][choices.groups[k] != BEYOND]
        can = choices.playable[k][: len(groups)]
        of_moves = values(target, choices.words[k], groups)[1]
        chosen = best_of(np.where(can, values(online, choices.words[k], groups)[1], -np.inf))
        assert_is_one_of(targets[k, 0], [TINY.gamma * of_moves[move] for move in chosen])
        after = [ends.outcomes[k]]
        if ends.decisions_left[k]:
            found = encoding.decompose(
                ends.next_words[k : k + 1], TINY.decompositions, ends.next_seeds[k : k + 1].copy()
            ).of(0)
            there = np.array([values(online, ends.next_words[k], each)[0] for each in found])
            after = [
                TINY.gamma * values(target, ends.next_words[k], found[each])[0] for each in best_of(there)
            ]
        assert_is_one_of(targets[k, 1], after)


def best_of(values: np.ndarray) -> np.ndarray:
    """More than one where machines round differently."""
    return np.flatnonzero(values > values.max() - 1e-5)


def assert_is_one_of(value: float, wanted: list[float]) -> None:
    assert min(abs(value - each) for each in wanted) < 1e-4


def test_targets_from_outcomes(tmp_path):
    recipe = replace(TINY, bootstrap=False, gamma=0.9)
    run = q_learning.Run(recipe, tmp_path, CPU, None)
    advance_until(run, 20)
    choices, ends = run.agents[1].replay.sample(np.random.default_rng(1), 20)
    targets = run.agents[1].targets(choices, ends).numpy()
    after = ends.outcomes * 0.9 ** (2 * ends.decisions_left)
    np.testing.assert_allclose(targets, np.stack([0.9 * after, after], axis=1), rtol=1e-5)


def test_the_memory_keeps_the_last():
    replay = Replay(5, 1, 2)
    for first in (0, 3, 6):
        rows = np.arange(first, first + 3)
        choices = Choices.blank(3, 1, 2)
        choices.words[:, 0] = rows
        replay.add(choices, Ends(*(column[:3] * 0 for column in replay.ends)))
    assert len(replay) == 5
    assert sorted(replay.choices.words[:, 0].tolist()) == [4, 5, 6, 7, 8]


def test_values_come_nearer_to_what_is_learned(run):
    """Outcomes of a few deals, again and again."""
    advance_until(run, 60)
    agent = run.agents[0]
    agent.recipe = agent.trainer.recipe = replace(TINY, bootstrap=False, learning_rate=3e-3, times=1.0)
    agent.trainer.errors()
    agent.num_due = 1.0
    agent.learn(0.0)
    before = sum(agent.trainer.errors().values())
    agent.num_due = 60.0
    agent.learn(0.0)
    agent.trainer.errors()
    agent.num_due = 4.0
    agent.learn(0.0)
    assert sum(agent.trainer.errors().values()) < 0.7 * before


def weights_of(run: q_learning.Run) -> torch.Tensor:
    nets = [net for agent in run.agents for net in (agent.trainer.net, agent.target)]
    return torch.cat([weights.detach().flatten() for net in nets for weights in net.parameters()])


def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path):
    undisturbed = q_learning.Run(TINY, tmp_path / "one", CPU, None)
    for _ in range(60):
        undisturbed.advance()
    killed = q_learning.Run(TINY, tmp_path / "two", CPU, None)
    (tmp_path / "two").mkdir()
    for _ in range(35):
        killed.advance()
    killed.save()
    killed.advance()  # lost
    again = q_learning.Run(TINY, tmp_path / "two", CPU, None)
    again.restore()
    for _ in range(25):
        again.advance()
    assert undisturbed.agents[0].trainer.num_steps > 0
    assert torch.equal(weights_of(undisturbed), weights_of(again))
    assert again.num_games == undisturbed.num_games
    assert again.figures() == undisturbed.figures()


def test_a_run_ends_with_a_model_that_plays_without_torch(tmp_path):
    run = q_learning.Run(replace(TINY, games=8), tmp_path / "run", CPU, None)
    conduct(run, evaluate=False, name="doudizhu-cql-paper")
    player = fuda.agent(tmp_path / "run" / "model")
    match = fuda.game("doudizhu").start(3)
    for _ in range(6):
        match.play(player.choose(match))
    views, seats = match.view_record(match.seat), np.array([match.seat])
    action, [groups] = player.take_apart(views, seats, streams(1, SAMPLE, 0, 1))
    assert action[0] in groups
    again = q_learning.Run(TINY, tmp_path / "further", CPU, None)
    again.start_from(tmp_path / "run")
    assert again.start["games"] == run.num_games
    half = [weights.half().float() for weights in run.agents[2].trainer.net.parameters()]
    mine = list(again.agents[2].target.parameters())
    assert all(torch.equal(*pair) for pair in zip(half, mine, strict=True))
