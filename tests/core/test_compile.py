"""The cache of machine code: never stale, never in the way."""

import os
import pickle
import subprocess
import sys

HELPER = """
from fuda.core.compile import compiled

@compiled
def answer(view, seat, rng):
    return {value}
"""
PROGRAM = """
import numpy as np
from helper.policy import answer
import fuda
actions = np.zeros(1, np.int64)
spec = fuda.game("koikoi").spec
seats, rngs = np.zeros(1, np.int64), np.zeros(1, np.uint64)
spec.kernels.chooser("mine", answer)(spec.new_states(1), seats, rngs, actions, 0, 1)
print(actions[0])
"""


def run(folder, program: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


def test_a_changed_helper_in_another_folder_is_compiled_again(tmp_path):
    (tmp_path / "helper").mkdir()
    policy = tmp_path / "helper" / "policy.py"
    for value in (3, 4, 3):
        policy.write_text(HELPER.format(value=value))
        found = run(tmp_path, PROGRAM, XDG_CACHE_HOME=str(tmp_path / "cache"))
        assert found.stdout.splitlines()[-1:] == [str(value)], found.stderr


CONSTANT = """
LIMIT = {limit}
"""
USER = """
{comment}
from fuda.core.compile import compiled
from tables import LIMIT

@compiled
def below_limit(number):
    '{words}'
    return inner(number)

@compiled
def inner(number):
    return number < LIMIT

def {unused}():
    pass

print(below_limit(5), sum(below_limit.stats.cache_hits.values()) > 0)
"""


def test_only_what_a_function_uses_is_compiled_again(tmp_path):
    def found(folder: str, limit: int = 3, comment: str = "", words: str = "One.", unused: str = "a") -> str:
        there = tmp_path / folder
        there.mkdir(exist_ok=True)
        (there / "tables.py").write_text(CONSTANT.format(limit=limit))
        (there / "user.py").write_text(USER.format(comment=comment, words=words, unused=unused))
        result = run(there, "import user", XDG_CACHE_HOME=str(tmp_path / "cache"))
        assert not result.returncode, result.stderr
        return result.stdout.strip()

    assert found("one") == "False False"
    assert found("one") == "False True"
    assert found("one", comment="# a comment\n\n", words="Two.", unused="b") == "False True"
    assert found("another") == "False True", "another checkout compiles again"
    assert found("one", limit=9) == "True False", "a constant of another file changed"


def test_damaged_machine_code_is_made_again(tmp_path):
    program = "import fuda; print(fuda.game('gongzhu').start(1).legal()[0])"
    answers = []
    for damage in (b"", b"damaged", pickle.dumps(("another key", None))):
        for file in tmp_path.rglob("*.code"):
            file.write_bytes(damage)
        answers.append(run(tmp_path, program, XDG_CACHE_HOME=str(tmp_path)).stdout)
    assert len(set(answers)) == 1
    assert answers[0]


def test_many_processes_may_begin_with_an_empty_cache(tmp_path):
    program = "import fuda; print(fuda.game('koikoi').start(1).legal()[0])"
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    processes = [
        subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = {process.communicate()[0] for process in processes}
    assert len(answers) == 1
    assert answers != {""}


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    found = run(tmp_path, "import fuda; print(fuda.list_games())", XDG_CACHE_HOME=str(blocked))
    assert "koikoi" in found.stdout, found.stderr


def test_a_fork_after_parallel_work_does_not_hang():
    program = """
import os, fuda
fuda.duel("koikoi", "koikoi/random", "koikoi/random", games=1200)
child = os.fork()
result = fuda.duel("koikoi", "koikoi/random", "koikoi/random", games=1200)
if child == 0:
    os._exit(0 if result.games == 1200 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    found = run(".", program)
    assert found.stdout == "0\n", found.stderr
