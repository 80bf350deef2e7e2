"""What every encoding promises, whatever its game: those of all descriptors.

Run as a program, it prints digests of encoded positions.
"""

import hashlib
import importlib
import itertools
import os
import random
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.core.protocols import BID

ENCODINGS = [
    encoding.__name__ for game_id in fuda.list_games() for encoding in fuda.game(game_id).spec.encodings
]


def rooms_of(encoding: ModuleType, count: int) -> list[np.ndarray]:
    """Where the inputs of so many positions are written, full of noise."""
    if hasattr(encoding, "NUM_WORDS"):
        widths = {np.int64: encoding.NUM_WORDS}
    else:
        widths = {np.int64: encoding.NUM_PLACE_ROWS, np.int8: encoding.NUM_PROGRESS}
    noise = np.random.default_rng(1)
    return [
        noise.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, (count, width), dtype, endpoint=True)
        for dtype, width in widths.items()
    ]


def encoded(encoding: ModuleType, views: np.recarray, seats: np.ndarray, how: str = "encode_all") -> bytes:
    """The inputs of a network."""
    rooms = rooms_of(encoding, len(views))
    getattr(encoding, how)(views, seats, *rooms, 0, len(views))
    return b"".join(room.tobytes() for room in rooms)


def table_of(encoding: ModuleType) -> fuda.Game:
    """The game as it is by default, or with an option by which bids come up, if the encoding knows them."""
    usual = fuda.game(encoding.__name__.split(".")[-2])
    if BID not in encoding.DECISION_KINDS:
        return usual
    others = (
        fuda.game(usual.id, **{option.name: word}) for option in usual.spec.options for word in option.words
    )
    return next(game for game in others if game.start(1).awaits_bid)


def positions(encoding: ModuleType, seed: int) -> list[fuda.Match]:
    luck = random.Random(seed)
    match = table_of(encoding).start(seed)
    found = []
    while not match.over:
        found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


@pytest.fixture(params=ENCODINGS)
def encoding(request: pytest.FixtureRequest) -> ModuleType:
    return importlib.import_module(request.param)


def check_middle_row(encoding: ModuleType, match: fuda.Match, other: fuda.Match) -> None:
    """Of three rows the middle one is written: every bit of it, whatever was there and stands beside it."""
    noise = rooms_of(encoding, 3)
    written = []
    for beside, before in ((match, noise), (other, [~room for room in noise])):
        looks = [(each.view_record(each.seat), each.seat) for each in (beside, match, beside)]
        views = np.concatenate([view for view, _ in looks]).view(np.recarray)
        rooms = [room.copy() for room in before]
        encoding.encode_all(views, np.array([seat for _, seat in looks]), *rooms, 1, 2)
        for room, old in zip(rooms, before, strict=True):
            assert np.array_equal(room[::2], old[::2]), "another row was written"
        written.append([room[1].tolist() for room in rooms])
    assert written[0] == written[1], "something else than the position counts"


def test_every_place_is_written_and_nothing_else_counts(encoding):
    found = positions(encoding, 2)
    for match, other in itertools.pairwise(found):
        check_middle_row(encoding, match, other)


def forgets_a_place(room, views, k):
    room[k, :-1] = 0


def adds_to_what_was_there(room, views, k):
    room[k] |= 1


def looks_beside(room, views, k):
    room[k] = views[k - 1].num_plays


def writes_beside(room, views, k):
    room[k : k + 2] = 0


@pytest.mark.parametrize("write", [forgets_a_place, adds_to_what_was_there, looks_beside, writes_beside])
def test_a_planted_fault_is_found(write):
    def encode_all(views, seats, room, first, last):
        for k in range(first, last):
            write(room, views, k)

    planted = ModuleType("fuda.games.gongzhu.planted")
    planted.NUM_WORDS, planted.encode_all, planted.DECISION_KINDS = 2, encode_all, ("card",)
    match, other = positions(planted, 2)[:2]
    with pytest.raises(AssertionError, match="another row" if write is writes_beside else "something else"):
        check_middle_row(planted, match, other)


def test_cards_that_a_seat_cannot_see_change_nothing(encoding):
    """Not even where they are given: an encoder of views does not look. One of open hands needs a view."""
    is_open = encoding.PLAYED_BY == "scenarios"
    num_dealt = 0
    for match in positions(encoding, 3):
        rules, waiting = match.game.spec.rules, set(range(match.game.spec.seats)) - {match.seat}
        looks = [(match.seat, "encode_all"), *((seat, "encode_waiting_all") for seat in waiting)]
        for seat, how in looks:
            if not hasattr(encoding, how):
                continue
            view, seats = match.view_record(seat), np.array([seat])
            dealt = view.copy()
            rules.redeal(dealt[0], seat, streams(5, SAMPLE, 0, 1))
            num_dealt += dealt.tobytes() != view.tobytes()
            if is_open:
                rules.hide(dealt[0], seat)
            assert encoded(encoding, dealt, seats, how) == encoded(encoding, view, seats, how)
    assert num_dealt > 10


def test_different_positions_look_different(encoding):
    seen = {
        encoded(encoding, match.view_record(match.seat), np.array([match.seat]))
        for match in positions(encoding, 4)
    }
    assert len(seen) == len(positions(encoding, 4))


MOVE_ENCODINGS = [name for name in ENCODINGS if importlib.import_module(name).PLAYED_BY == "moves"]


def told_of_moves(encoding: ModuleType, view: np.recarray, actions: np.ndarray, noise: int) -> np.ndarray:
    """What is written of legal moves in the second of two lists, over noise."""
    views = np.repeat(view, 2).view(np.recarray)
    both, starts = np.concatenate([actions[:1], actions]), np.array([0, 1, 1 + len(actions)])
    words = np.full((len(both) + 1, encoding.NUM_MOVE_WORDS), noise, np.int64)
    encoding.encode_moves_all(views, both, starts, words, 1, 2)
    assert (words[0] == noise).all(), "another list was written"
    assert (words[-1] == noise).all(), "something was written behind the last list"
    return words[1:-1]


@pytest.mark.parametrize("name", MOVE_ENCODINGS)
def test_moves_are_told_apart_whole_and_without_hidden_cards(name):
    encoding = importlib.import_module(name)
    assert encoding.MOVE_COLUMN_WORDS.max() < encoding.NUM_MOVE_WORDS
    num_dealt = 0
    for match in positions(encoding, 3)[::3]:
        view, rules = match.view_record(match.seat), match.game.spec.rules
        actions = np.array(sorted(match.legal_actions().values()))
        told = told_of_moves(encoding, view, actions, -1)
        assert (told == told_of_moves(encoding, view, actions, 0)).all(), "what was there before counts"
        assert len(np.unique(told, axis=0)) == len(actions)
        dealt = view.copy()
        rules.redeal(dealt[0], match.seat, streams(5, SAMPLE, 0, 1))
        num_dealt += dealt.tobytes() != view.tobytes()
        assert (told == told_of_moves(encoding, dealt, actions, -1)).all()
    assert num_dealt > 5


@pytest.mark.parametrize("name", MOVE_ENCODINGS)
def test_kinds_of_decisions_are_those_that_are_named(name):
    encoding = importlib.import_module(name)
    found = set()
    for match in positions(encoding, 3):
        words = np.zeros((1, encoding.NUM_WORDS), np.int64)
        encoding.encode_all(match.view_record(match.seat), np.array([match.seat]), words, 0, 1)
        found.add(int(encoding.decision_kinds(words)[0]))
    assert found == set(range(len(encoding.DECISION_KINDS)))


def digests() -> list[str]:
    """Of encoded positions, one line for each encoding."""
    found = []
    for name in ENCODINGS:
        encoding, digest = importlib.import_module(name), hashlib.sha256()
        for match in positions(encoding, 1):
            digest.update(encoded(encoding, match.view_record(match.seat), np.array([match.seat])))
        found.append(f"{name} {digest.hexdigest()}")
    return found


def test_plain_python_and_checked_indices_write_the_same(soak):
    """Plain Python checks indices, too; soak does it again with what is compiled."""
    command = [sys.executable, "-W", "error", __file__]
    for flag in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")[: 2 if soak else 1]:
        run = subprocess.run(command, env=os.environ | {flag: "1"}, capture_output=True, text=True)
        assert run.stdout.splitlines() == digests(), run.stderr


if __name__ == "__main__":
    print(*digests(), sep="\n")
