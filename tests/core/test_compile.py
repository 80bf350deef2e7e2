"""The cache of machine code: never stale, never in the way."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

from fuda.core.compile import bind, compiled, inlined
from fuda.core.machine_code import fingerprint

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


def write_user(
    folder: Path, limit: int = 3, comment: str = "", words: str = "One.", unused: str = "a"
) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "tables.py").write_text(CONSTANT.format(limit=limit))
    (folder / "user.py").write_text(USER.format(comment=comment, words=words, unused=unused))


def test_only_what_a_function_uses_is_compiled_again(tmp_path):
    def found(folder: str, **changes) -> str:
        write_user(tmp_path / folder, **changes)
        result = run(tmp_path / folder, "import user", XDG_CACHE_HOME=str(tmp_path / "cache"))
        assert not result.returncode, result.stderr
        return result.stdout.strip()

    assert found("one") == "False False"
    assert found("one") == "False True"
    assert found("one", comment="# a comment\n\n", words="Two.", unused="b") == "False True"
    assert found("another") == "False True", "another checkout compiles again"
    assert found("one", limit=9) == "True False", "a constant of another file changed"


def test_damaged_machine_code_is_made_again(tmp_path):
    write_user(tmp_path)
    cache = tmp_path / "cache"
    for damage in (b"", b"damaged", pickle.dumps(("another key", None))):
        for file in cache.rglob("*.code"):
            file.write_bytes(damage)
        found = run(tmp_path, "import user", XDG_CACHE_HOME=str(cache))
        assert found.stdout == "False False\n", found.stderr
    assert run(tmp_path, "import user", XDG_CACHE_HOME=str(cache)).stdout == "False True\n"


def test_many_processes_may_begin_with_an_empty_cache(tmp_path):
    write_user(tmp_path)
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-c", "import user"]
    processes = [
        subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = [process.communicate()[0].split() for process in processes]
    assert [value for value, _ in answers] == ["False"] * 3


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


TOGETHER = """
import os, sys
from fuda.core.compile import compiled

@compiled
def double(number):
    return 2 * number

print("ready", flush=True)
sys.stdin.readline()
double(4)
print(sum(double.stats.cache_misses.values()))
"""


def test_processes_that_need_the_same_code_compile_it_once(tmp_path):
    (tmp_path / "together.py").write_text(TOGETHER)
    processes = [
        subprocess.Popen(
            [sys.executable, "together.py"],
            cwd=tmp_path,
            env=os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * 3
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    assert sorted(process.communicate()[0] for process in processes) == ["0\n", "0\n", "1\n"]


def test_code_of_a_process_that_was_killed_is_compiled_by_the_next(tmp_path):
    dying = TOGETHER.replace("double(4)", "import signal; double._compiler.compile = die; double(4)").replace(
        'print("ready"', 'def die(*_):\n    os.kill(os.getpid(), signal.SIGKILL)\n\nprint("ready"'
    )
    for program in (dying, TOGETHER):
        (tmp_path / "together.py").write_text(program)
        last = subprocess.run(
            [sys.executable, "together.py"],
            cwd=tmp_path,
            env=os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")},
            input="go\n",
            stdout=subprocess.PIPE,
            text=True,
        )
    assert last.stdout == "ready\n1\n"
    assert list((tmp_path / "cache").rglob("*.turn"))


@compiled
def plus_one(number):
    return number + 1


def plus_two(number):
    return plus_one(plus_one(number))


def test_a_caller_is_compiled_again_when_what_it_calls_is_inlined():
    callers = [bind(plus_two, "mine", {"plus_one": made(plus_one.py_func)}) for made in (compiled, inlined)]
    assert len({fingerprint(caller.py_func) for caller in callers}) == 2
    assert [caller(1) for caller in callers] == [3, 3]
