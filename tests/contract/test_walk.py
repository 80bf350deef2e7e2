"""The compiled walk, in all three ways to run the rules."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fuda
from tests.contract import walk

MILLION = 1_000_000
FEW_THOUSAND = 3_000


@pytest.fixture(params=fuda.list_games())
def game_id(request: pytest.FixtureRequest) -> str:
    return request.param


# By its own name, not as `__main__`: what is compiled here and there shares a cache that knows the module.
WALK = "from tests.contract import walk; walk.main()"


def walked(game_id: str, decisions: int, **environment: str) -> dict[str, Any]:
    command = [sys.executable, "-c", WALK, game_id, str(decisions)]
    run = subprocess.run(
        command, env=os.environ | environment, cwd=Path(__file__).parents[2], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    report = json.loads(run.stdout)
    assert report["matches"] > 0
    return report


def test_a_million_decisions_compiled(game_id):
    assert walked(game_id, MILLION)["broken"] is None


def test_a_million_decisions_with_bounds_checking(game_id):
    assert walked(game_id, MILLION, NUMBA_BOUNDSCHECK="1")["broken"] is None


def test_plain_python_plays_the_same_matches(game_id):
    plain = walked(game_id, FEW_THOUSAND, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    assert plain == walked(game_id, FEW_THOUSAND)


def test_rule_options_at_their_ends_keep_the_contract(game_id):
    options = fuda.game(game_id).spec.options
    for option in options:
        for value in option.words or (option.low, option.high):
            assert walk.run(fuda.game(game_id, **{option.name: value}), 20_000)["broken"] is None


# Models of one kind and unit run the same code: one of them is played.
PLAYERS = """
import sys, fuda
from fuda.agents.model import model_folders
game, opponent = sys.argv[1], sys.argv[1] + "/random"
kinds = set()
for name in fuda.list_agents(game):
    searches = fuda.game(game).spec.players.get("search", {})
    small = {"trees": 2, "iterations": 40} if name.partition("/")[2] in searches else {}
    agent = fuda.agent(name, **small)
    kind = type(agent), agent.info.unit
    is_model = name.partition("/")[2] in model_folders(game)
    if is_model and kind in kinds:
        continue
    kinds.add(kind)
    fuda.duel(game, agent, opponent, games=4 if is_model else 40, seed=5)
print("played")
"""


def test_players_and_search_with_bounds_checking(game_id):
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1"}
    command = [sys.executable, "-c", PLAYERS, game_id]
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert run.stdout == "played\n", run.stderr


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
