"""The rules and the players, in all three ways to run them."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fuda
from fuda.core.game import GameSpec
from tests.contract import walk

GAMES = fuda.list_games()
DECISIONS = {False: 40_000, True: 3_000_000}  # small, soak
DECISIONS_IN_PYTHON = {False: 1_500, True: 10_000}


@pytest.fixture(params=GAMES)
def game_id(request: pytest.FixtureRequest) -> str:
    return request.param


def run_program(program: str, *arguments: str, **environment: str) -> str:
    """What a program says that runs the games in another way than this process."""
    command = [sys.executable, "-c", program, *arguments]
    run = subprocess.run(
        command, env=os.environ | environment, cwd=Path(__file__).parents[2], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def walked(decisions: int, **environment: str) -> list[dict[str, Any]]:
    """The walk's reports of all games."""
    # By its own name, not as `__main__`: the cache of what is compiled knows modules by their names.
    program = "from tests.contract import walk; walk.main()"
    return [
        json.loads(line) for line in run_program(program, str(decisions), *GAMES, **environment).splitlines()
    ]


def test_the_contract_holds_compiled(game_id, soak):
    report = walk.run(fuda.game(game_id), DECISIONS[soak])
    assert report["broken"] is None
    assert report["matches"] > 0


def test_the_contract_holds_with_bounds_checking(soak_only):
    """The same matches in all. It takes half a minute to compile all games once more."""
    reports = walked(DECISIONS[True], NUMBA_BOUNDSCHECK="1")
    assert reports == [walk.run(fuda.game(game_id), DECISIONS[True]) for game_id in GAMES]


def test_plain_python_plays_the_same_matches(soak):
    """And checks every index."""
    decisions = DECISIONS_IN_PYTHON[soak]
    reports = walked(decisions, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    assert reports == [walk.run(fuda.game(game_id), decisions) for game_id in GAMES]


def test_rule_options_at_their_ends_keep_the_contract(game_id):
    options = fuda.game(game_id).spec.options
    for option in options:
        for value in option.words or (option.low, option.high):
            assert walk.run(fuda.game(game_id, **{option.name: value}), 20_000)["broken"] is None


def combinations(spec: GameSpec, count: int) -> list[fuda.Game]:
    """The game's presets, and any of its options together."""
    luck = random.Random(20)
    options = [
        {
            option.name: luck.choice(option.words or range(option.low, option.high + 1))
            for option in spec.options
        }
        for _ in range(count)
    ]
    presets = [{"preset": preset.id} for preset in spec.presets]
    return [fuda.game(spec.id, **chosen) for chosen in (*presets, *options)]


def test_rule_options_together_keep_the_contract(game_id, soak):
    """A million decisions for each game in soak."""
    tables = combinations(fuda.game(game_id).spec, 200 if soak else 20)
    for number, table in enumerate(tables):
        assert walk.run(table, 5_000 if soak else 2_000, seed=number)["broken"] is None, table


def test_players_and_search_read_nothing_out_of_range(soak):
    """In plain Python, which checks every index; in soak, as it takes minutes, compiled with checks, too."""
    program = "from tests.contract import players; players.main()"
    assert run_program(program, "choices", *GAMES, NUMBA_DISABLE_JIT="1") == "played\n"
    if soak:
        assert run_program(program, "duels", *GAMES, NUMBA_BOUNDSCHECK="1") == "played\n"


def test_bounds_checking_is_really_on(tmp_path):
    """The flag is part of the cache's key: a warm cache must not hide it."""
    program = tmp_path / "read.py"
    program.write_text(
        "import numpy as np\nfrom fuda.core.compile import compiled\n"
        "@compiled\ndef read(items):\n    return items[len(items)]\n"
        "read(np.zeros(3))\n"
    )
    for flag, error in (("0", ""), ("1", "IndexError")):
        environment = os.environ | {"NUMBA_BOUNDSCHECK": flag}
        run = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True)
        assert error in run.stderr
        assert bool(run.stderr) == bool(error)


def break_count(state, out):
    for kind in range(len(out)):
        out[kind] += 1
    out[0] += 1


def test_a_planted_fault_is_found(monkeypatch):
    """The walk can fail: with rules that double a card it does."""
    spec = fuda.game("koikoi").spec
    monkeypatch.setattr(spec.rules, "count_cards", spec.kernels.bind(break_count, "planted"))
    # A name of its own keeps the broken copy out of the good one's cache.
    bind = spec.kernels.bind
    monkeypatch.setattr(
        type(spec.kernels), "bind", lambda _, f, owner="", **names: bind(f, "planted", **names)
    )
    assert walk.run(fuda.game("koikoi"), 100)["broken"] == "no card is lost or doubled"


def test_states_have_no_gaps(game_id):
    dtype = fuda.game(game_id).spec.rules.STATE
    assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize
