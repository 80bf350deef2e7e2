"""What every encoding promises, whatever its game: found in the games' folders, no list.

Run as a program, it prints a digest of encoded positions: `python test_encodings.py MODULE`.
"""

import hashlib
import importlib
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import fuda
from fuda.core.generator import SAMPLE, streams

GAMES = Path(fuda.__file__).parent / "games"
ENCODINGS = sorted(
    f"fuda.games.{file.parent.name}.{file.stem}"
    for file in GAMES.glob("*/*.py")
    if "\nENCODING_VERSION = " in file.read_text()
)


def encoded(encoding: ModuleType, views: np.recarray, seats: np.ndarray, how: str = "encode_all") -> bytes:
    """The inputs of a network, written over noise: what was there before must not matter."""
    if hasattr(encoding, "NUM_WORDS"):
        rooms = [np.full((len(views), encoding.NUM_WORDS), -1, np.int64)]
    else:
        rooms = [
            np.full((len(views), encoding.NUM_PLACE_ROWS), -1, np.int64),
            np.full((len(views), encoding.NUM_PROGRESS), -1, np.int8),
        ]
    getattr(encoding, how)(views, seats, *rooms, 0, len(views))
    return b"".join(room.tobytes() for room in rooms)


def positions(encoding: ModuleType, seed: int) -> list[fuda.Match]:
    luck = random.Random(seed)
    match = fuda.game(encoding.__name__.split(".")[2]).start(seed)
    found = []
    while not match.over:
        found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


@pytest.fixture(params=ENCODINGS)
def encoding(request: pytest.FixtureRequest) -> ModuleType:
    return importlib.import_module(request.param)


def test_every_place_is_written_and_nothing_else_counts(encoding):
    for match in positions(encoding, 2):
        views, seats = match.view_record(match.seat), np.array([match.seat])
        twice = encoded(encoding, np.repeat(views, 2).view(np.recarray), np.repeat(seats, 2))
        once = encoded(encoding, views, seats)
        assert len(twice) == 2 * len(once)
        assert encoded(encoding, views, seats) == once


def test_cards_that_a_seat_cannot_see_change_nothing(encoding):
    """Not even where they are given: an encoder of views does not look. One of open hands needs a view."""
    is_open = getattr(encoding, "PLAYED_BY", None) == "scenarios"
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


def digest(name: str) -> str:
    encoding = importlib.import_module(name)
    found = hashlib.sha256()
    for match in positions(encoding, 1):
        found.update(encoded(encoding, match.view_record(match.seat), np.array([match.seat])))
    return found.hexdigest()


@pytest.mark.parametrize("flag", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_plain_python_and_checked_indices_write_the_same(encoding, flag):
    command = [sys.executable, "-W", "error", __file__, encoding.__name__]
    run = subprocess.run(command, env=os.environ | {flag: "1"}, capture_output=True, text=True)
    assert run.stdout.strip() == digest(encoding.__name__), run.stderr


if __name__ == "__main__":
    print(digest(sys.argv[1]))
