"""Players that take their hand apart: their files say what PyTorch says, and what they play is legal."""

from pathlib import Path

import numpy as np
import pytest
import torch

import fuda
from fuda.agents.decompositions import chance_to_win
from fuda.agents.model import model_info
from fuda.arena import duel
from fuda.core.generator import SAMPLE, streams
from fuda.games.doudizhu import SPEC
from fuda.games.doudizhu import group_encoding as encoding
from fuda.nets.decompositions import DecompositionNet
from fuda.nets.export import read_decompositions
from fuda.nets.group_reader import GroupReader
from fuda.training.two_stages import choose_among
from tests.agents.tiny_decompositions import write_tiny

torch.set_num_threads(1)  # test processes share the cores


@pytest.fixture(scope="module", params=[False, True])
def folder(request, tmp_path_factory) -> Path:
    """A model with a network for each role, which are told what can be played, or not."""
    return write_tiny(tmp_path_factory.mktemp("model"), playable=request.param)


def positions(count: int) -> tuple[np.recarray, np.ndarray]:
    """What movers see here and there in random games."""
    luck, views = np.random.default_rng(5), []
    while len(views) < count:
        match = fuda.game("doudizhu").start(len(views))
        for _ in range(luck.integers(20)):
            match.play(str(luck.choice(match.legal())))
        views.append(match.view_record(match.seat))
    views = np.concatenate(views).view(np.recarray)
    return views, views["seat"].astype(np.int64)


def test_files_play_what_pytorch_plays(folder):
    player, reader = fuda.agent(folder), GroupReader(encoding, "cpu")
    player.limit = 30
    nets: list[DecompositionNet] = [read_decompositions(folder, encoding, number) for number in range(3)]
    views, seats = positions(24)
    words = np.zeros((len(views), encoding.NUM_WORDS), np.int64)
    encoding.encode_all(views, seats, words, 0, len(views))
    rngs = streams(3, SAMPLE, 0, len(views))
    before = rngs.copy()
    actions, decompositions = player.take_apart(views, seats, rngs)
    found = encoding.decompose(words, 30, before)
    assert np.array_equal(rngs, before)
    for k in range(len(views)):
        net, told = nets[int(encoding.decision_kinds(words)[k])], torch.from_numpy(words[k : k + 1])
        groups, playable, _ = choose_among(reader, net, words[k : k + 1], found.between(k, k + 1), None)
        with torch.no_grad():  # of equal decompositions either may be the best
            best, _ = reader.one_value(net, told, torch.from_numpy(groups), torch.from_numpy(playable))
            mine = torch.from_numpy(decompositions[k].astype(np.int64))[None]
            legal = SPEC.kernels.legal_lists(views[k : k + 1].view(np.recarray)).items
            can = np.isin(mine[0].numpy(), legal)
            value, moves = reader.one_value(net, told, mine, torch.from_numpy(can)[None])
        assert float(value) == pytest.approx(float(best), abs=1e-3)
        own = float(moves[0][mine[0] == int(actions[k])][0])
        assert own == pytest.approx(float(moves[0][torch.from_numpy(can)].max()), abs=1e-3)
        assert actions[k] in legal
    mixed = found.take(np.array([5, 0, 5]))
    assert [each.tolist() for each in mixed.of(2)] == [each.tolist() for each in found.of(5)]
    assert [each.tolist() for each in mixed.of(1)] == [each.tolist() for each in found.of(0)]
    assert mixed.playable.tolist() == [
        flag for k in (5, 0, 5) for flag in found.between(k, k + 1).playable.tolist()
    ]


def test_it_plays_whole_games_and_leaves_bids_to_others(folder):
    result = duel("doudizhu", fuda.agent(folder), "doudizhu/random", 12, 1)
    assert result.games == 12
    match = fuda.game("doudizhu", bidding="on").start(2)
    player = fuda.agent(folder)
    while not match.over:
        match.play(player.choose(match))
    assert model_info(folder) == player.info
    assert player.info.bid_unit == "points"  # the model for bids makes them


def valued_by_hand(folder: Path, match: fuda.Match, action: int) -> float:
    """The value of a move in the best of all decompositions with it, found one by one."""
    reader, view = GroupReader(encoding, "cpu"), match.view_record(match.seat)
    words = np.zeros((1, encoding.NUM_WORDS), np.int64)
    encoding.encode_all(view, np.array([match.seat]), words, 0, 1)
    net = read_decompositions(folder, encoding, int(encoding.decision_kinds(words)[0]))
    legal = list(match.legal_actions().values())
    with torch.no_grad():
        values = []
        for groups in encoding.decompose(words, 10**6, streams(1, SAMPLE, 0, 1)).of(0):
            if action in groups:
                told = torch.from_numpy(groups.astype(np.int64))[None]
                can = torch.from_numpy(np.isin(groups, legal))[None]
                value, moves = reader.one_value(net, torch.from_numpy(words), told, can)
                values.append((float(value), float(moves[0][groups == action][0])))
    return max(values)[1]


def test_a_move_is_worth_what_it_is_in_the_best_decomposition_with_it(folder):
    player = fuda.agent(folder)
    landlord, left = "33344556789TTJQKA2BR", "".join(4 * rank for rank in "3456789TJQKA2") + "BR"
    for card in landlord:
        left = left.replace(card, "", 1)
    match = fuda.game("doudizhu").start(1, deal={"hands": [landlord, left[::2], left[1::2]]})
    for move in ("6789TJQKA", "pass", "pass"):
        match.play(move)
    opinion = player.opinion(match)
    legal = match.legal_actions()
    assert sorted(opinion.values) == sorted(legal.values())
    assert len(legal) > 3
    for action, value in opinion.values.items():
        by_hand = np.array([valued_by_hand(folder, match, action)])
        assert value == pytest.approx(chance_to_win(by_hand)[0], abs=1e-3)
    assert opinion.action in opinion.decomposition
    assert player.values(match) == {
        match.game.spec.text.move_text(action): value for action, value in opinion.values.items()
    }
    # Moves that are in no decomposition that was drawn have a value too.
    player.limit = 1
    few = player.opinion(match)
    assert sorted(few.values) == sorted(legal.values())
    beside = [action for action in few.values if action not in few.decomposition]
    assert all(few.values[action] == pytest.approx(opinion.values[action], abs=1e-3) for action in beside)


def test_chances_are_those_that_values_are_learned_best_for():
    values = torch.linspace(-1, 1, 2001)
    for chance in (0.02, 0.3, 0.5, 0.8, 0.97):
        errors = [
            torch.nn.functional.smooth_l1_loss(values, torch.full_like(values, outcome), reduction="none")
            for outcome in (1.0, -1.0)
        ]
        best = float(values[(chance * errors[0] + (1 - chance) * errors[1]).argmin()])
        assert chance_to_win(np.array([best]))[0] == pytest.approx(chance, abs=2e-3)
    assert chance_to_win(np.array([-1.3, 1.2])).tolist() == [0, 1]


def test_no_parameters_are_taken(folder):
    with pytest.raises(ValueError, match="no parameter"):
        fuda.agent(folder, trees=2)
