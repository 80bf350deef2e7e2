"""What observations say: each column is the encoding's bit or number, written out slowly here."""

import dataclasses

import numpy as np
import pytest

import fuda
from fuda.core.protocols import BID
from fuda.core.words import runs_of, unpack_bits, unpack_runs
from fuda.envs import layout_of

PRESETS = [
    (game_id, {"preset": preset.id})
    for game_id in fuda.list_games()
    for preset in fuda.game(game_id).spec.presets
]
TABLES = (*PRESETS, ("doudizhu", {"bidding": "on"}), ("doudizhu", {"showing": "on"}), ("planted", {}))


def encoding_of(env: fuda.VectorEnv):
    return env.game.spec.encoding(env.layout.encoding_name)


def bits(words: np.ndarray, of: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    return (words[:, of] >> shifts & 1).astype(np.float32)


def slow_observations(env: fuda.VectorEnv) -> tuple[np.ndarray, np.ndarray]:
    """By the encodings' own loops, and NumPy."""
    encoding, num = encoding_of(env), env.num_envs
    rows = np.repeat(np.arange(num), env.legal.counts)
    if encoding.PLAYED_BY == "tokens":
        places = np.zeros((num, encoding.NUM_PLACE_ROWS), np.int64)
        progress = np.zeros((num, encoding.NUM_PROGRESS), np.int8)
        encoding.encode_all(env.views, env.seats, places, progress, 0, num)
        sets = (places[:, :, None] >> np.arange(encoding.NUM_TOKENS) & 1).astype(np.float32)
        observations = np.concatenate([sets.reshape(num, -1), progress / encoding.PROGRESS_SCALES], axis=1)
        moves = np.concatenate([encoding.ATTRIBUTES[env.legal.ids], sets[rows, :, env.legal.ids]], axis=1)
        return observations.astype(np.float32), moves.astype(np.float32)
    words = np.zeros((num, encoding.NUM_WORDS), np.int64)
    encoding.encode_all(env.views, env.seats, words, 0, num)
    observations = bits(words, encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS)
    if encoding.PLAYED_BY == "views":
        return observations, np.eye(env.num_actions, dtype=np.float32)[env.legal.ids]
    moves = np.zeros((len(rows), encoding.NUM_MOVE_WORDS), np.int64)
    encoding.encode_moves_all(env.views, env.legal.ids, env.legal.starts, moves, 0, num)
    return observations, bits(moves, encoding.MOVE_COLUMN_WORDS, encoding.MOVE_COLUMN_SHIFTS)


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_observations_are_the_encoding_written_out(game, options):
    env = fuda.vector(game, 300, seed=2, threads=2, **options)
    rng = np.random.default_rng(1)
    assert (BID in encoding_of(env).DECISION_KINDS) == env.game.has_bids
    assert not env.game.untold(encoding_of(env))
    for _ in range(4):
        observations, moves = slow_observations(env)
        assert env.observations.dtype == env.moves.dtype == np.float32
        assert np.array_equal(env.observations, observations)
        assert np.array_equal(env.moves, moves)
        for _ in range(9):
            env.step(env.legal.draw(rng))


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_all_moves_of_a_position_are_told_apart(game, options):
    env, rng = fuda.vector(game, 100, seed=3, **options), np.random.default_rng(2)
    num_same = 0
    for _ in range(60):
        for place in np.flatnonzero(env.legal.counts > 1):
            rows = env.moves[env.legal.starts[place] : env.legal.starts[place + 1]]
            num_same += len(rows) - len(np.unique(rows, axis=0))
        env.step(env.legal.draw(rng))
    if game != "koikoi":  # whose dross of one month is the same to a network
        assert num_same == 0


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_blocks_are_named_and_lie_side_by_side(game, options):
    layout = layout_of(fuda.game(game, **options))
    for blocks, width in ((layout.blocks, layout.width), (layout.move_blocks, layout.move_width)):
        assert len(blocks) > 0
        ends = np.cumsum([block.width for block in blocks])
        assert [block.first for block in blocks] == [0, *ends[:-1]]
        assert ends[-1] == width
        assert all(block.name and block.meaning for block in blocks)


def test_runs_are_the_columns():
    rng = np.random.default_rng(1)
    encodings = [found for found in fuda.game("doudizhu").spec.encodings if hasattr(found, "COLUMN_WORDS")]
    assert len(encodings) > 1
    for encoding in encodings:
        words = rng.integers(0, 2**62, (3, encoding.NUM_WORDS))
        by_column, by_run = np.full((2, 3, encoding.NUM_COLUMNS), -1.0)
        unpack_bits(words, encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS, by_column, 0, 3)
        runs = runs_of(encoding.COLUMN_WORDS, encoding.COLUMN_SHIFTS)
        assert len(runs) < encoding.NUM_COLUMNS / 4
        for k in range(3):
            unpack_runs(words[k], runs, by_run[k])
        assert (by_column == by_run).all()
    assert runs_of(*np.empty((2, 0), np.int64)).shape == (0, 4)


def test_a_game_without_an_encoding_of_views_says_so():
    game = fuda.Game(dataclasses.replace(fuda.game("planted").spec, encodings=()), {})
    env = fuda.vector(game, 2, seed=1)
    assert len(env.views) == 2
    with pytest.raises(ValueError, match="planted has no encoding of its views: read them as they are"):
        _ = env.observations
