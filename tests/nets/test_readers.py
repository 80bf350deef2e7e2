"""One contract: what readers say of moves in lists is what their networks say of each."""

import numpy as np
import pytest
import torch

import fuda
from fuda.core.ragged import Lists
from fuda.core.runner import LockStep
from fuda.games import part
from fuda.nets.move_values import MoveShape
from fuda.nets.policy_value import MlpShape, dueling
from fuda.nets.readers import READERS, Reader
from fuda.nets.token_transformer import TokenShape, unpack

torch.set_num_threads(1)  # test processes share the cores
SHAPES = {
    "moves": MoveShape(width=16, blocks=1, move_width=8, move_blocks=1),
    "tokens": TokenShape(first=16, width=8, blocks=2, heads=2, hidden=16, suits=12),
    "views": MlpShape(first=0, second=0, width=16, blocks=1, norm=1, diffuse=0),
}
GAMES = {
    "moves": ("doudizhu", "encoding"),
    "tokens": ("koikoi", "encoding"),
    "views": ("gongzhu", "view_encoding"),
}
NUM_OUTPUTS = {"moves": 3, "tokens": 5, "views": 1}


class Positions:
    """Some positions of random play: their states, and their legal moves in lists."""

    def __init__(self, kind: str):
        game_id, name = GAMES[kind]
        self.game, self.encoding = fuda.game(game_id), part(game_id, name)
        spec = self.game.spec
        self.reader: Reader = READERS[kind](self.encoding, spec, "cpu")
        play = LockStep(self.game, 5, np.arange(12), np.zeros((12, spec.seats), np.int64))
        random = fuda.agent(f"{game_id}/random")
        for _ in range(9):
            play.advance(np.arange(12), random.act)
        self.states = play.states
        self.legal: Lists = spec.kernels.legal_lists(self.states)

    def told(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Words, words of moves, whose they are, and where lists start, as a reader takes them."""
        reader, legal = self.reader, self.legal
        words = np.zeros((len(self.states), reader.num_words), np.int64)
        moves = np.zeros((len(legal.items), reader.num_move_words), np.int64)
        for k, state in enumerate(self.states):
            reader.encode(state, state.seat, words[k])
            for row in range(legal.starts[k], legal.starts[k + 1]):
                reader.encode_move(state, legal.items[row], moves[row])
        arrays = (words, moves, legal.rows, legal.starts[:-1])
        return tuple(torch.from_numpy(array) for array in arrays)


@pytest.fixture(scope="module", params=SHAPES)
def positions(request) -> Positions:
    return Positions(request.param)


def plain_values(positions: Positions, net: torch.nn.Module, k: int) -> torch.Tensor:
    """What the network itself says of the legal moves of position k [count, O], by its own inputs."""
    encoding, view = positions.encoding, positions.states[k : k + 1].copy().view(np.recarray)
    seat, legal = view.seat.astype(np.int64), positions.legal.row(k).astype(np.int64)
    positions.game.spec.rules.hide(view[0], seat[0])
    if encoding.PLAYED_BY == "tokens":
        places, progress = (
            np.zeros((1, encoding.NUM_PLACE_ROWS), np.int64),
            np.zeros((1, encoding.NUM_PROGRESS), np.int8),
        )
        encoding.encode_all(view, seat, places, progress, 0, 1)
        bits = unpack(torch.from_numpy(places), encoding.NUM_TOKENS).float()
        return net(bits, torch.from_numpy(progress).float(), torch.from_numpy(legal)[None])[0]
    words = np.zeros((1, encoding.NUM_WORDS), np.int64)
    encoding.encode_all(view, seat, words, 0, 1)
    obs = torch.from_numpy(words[:, encoding.COLUMN_WORDS] >> encoding.COLUMN_SHIFTS & 1).float()
    if encoding.PLAYED_BY == "views":
        actions, value = net(obs)
        is_legal = torch.zeros_like(actions, dtype=torch.bool)
        is_legal[0, legal] = True
        return dueling(actions, value, is_legal)[0, legal][:, None]
    move_words = np.zeros((len(legal), encoding.NUM_MOVE_WORDS), np.int64)
    encoding.encode_moves_all(view, legal, np.array([0, len(legal)]), move_words, 0, 1)
    moves = torch.from_numpy(move_words[:, encoding.MOVE_COLUMN_WORDS] >> encoding.MOVE_COLUMN_SHIFTS & 1)
    kinds = torch.from_numpy(encoding.decision_kinds(words)).long()
    return net(obs, kinds, moves.float(), torch.zeros(len(legal), dtype=torch.int64))


@torch.no_grad()
def test_lists_of_moves_are_valued_as_by_the_network_itself(positions):
    reader, kind = positions.reader, positions.encoding.PLAYED_BY
    torch.manual_seed(3)
    net = reader.new(SHAPES[kind], NUM_OUTPUTS[kind])
    words, moves, whose, starts = positions.told()
    told = reader.position(net, words)
    found = reader.all_values(net, told, moves, whose, starts)
    assert found.shape == (len(moves), NUM_OUTPUTS[kind])
    for k, (start, stop) in enumerate(zip(positions.legal.starts, positions.legal.starts[1:], strict=False)):
        assert torch.allclose(found[start:stop], plain_values(positions, net, k), atol=1e-5)
    one = reader.one_value(net, told, moves[starts])
    assert torch.allclose(one, found[starts], atol=1e-5)


@torch.no_grad()
def test_rows_that_fill_up_change_nothing(positions):
    reader, kind = positions.reader, positions.encoding.PLAYED_BY
    net = reader.new(SHAPES[kind], NUM_OUTPUTS[kind])
    words, moves, whose, starts = positions.told()
    told = reader.position(net, words)
    more = (torch.cat([moves, moves[:5]]), torch.cat([whose, whose[:5]]))
    found = reader.all_values(net, told, *more, starts)
    assert torch.allclose(found[: len(moves)], reader.all_values(net, told, moves, whose, starts), atol=1e-6)


def test_an_equal_deck_changes_what_is_learned_and_comes_back():
    reader = Positions("tokens").reader
    net = reader.new(SHAPES["tokens"], 1)
    decks = []
    for step in range(8):
        reader.turn_deck(net, step)
        decks.append(net.attributes.clone())
    assert torch.equal(decks[0], torch.from_numpy(reader.encoding.ATTRIBUTES).float())
    assert all(torch.equal(decks[step], decks[step + 4]) for step in range(4))
    assert len({deck.numpy().tobytes() for deck in decks}) == 4
