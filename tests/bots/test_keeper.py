"""Nothing of a bot is left, however the arena ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import fuda
from fuda.agents import agent_of
from fuda.arena.duel import play_deals
from fuda.bots.limits import Limits
from fuda.bots.process import KEEPER, BotProcess
from tests.bots.programs import HERE, PATIENCE, bad_bot, new_mark, nothing_left, processes

# A stand-in for the arena: it starts a bot as BotProcess does, and waits to be killed.
ARENA = """
import os, subprocess, sys, time
lifeline, kept = os.pipe()
subprocess.Popen([sys.executable, "-I", "-S", sys.argv[1], str(lifeline), "{}", *sys.argv[2:]],  # folder, bot
                 stdin=subprocess.PIPE, pass_fds=(lifeline,), start_new_session=True)
os.close(lifeline)
time.sleep(1000)
"""
# A bot that leaves its session and group, and waits in six processes that ignore all signals.
CLINGING = """
import os, signal, time
for number in range(1, 65):
    if number not in (signal.SIGKILL, signal.SIGSTOP, 32, 33):
        signal.signal(number, signal.SIG_IGN)
if os.fork():
    os.setpgid(0, 0) if os.getpgrp() != os.getpid() else None
else:
    os.setsid()
os.fork()
os.fork()
time.sleep(1000)
"""


def wait_for(mark: str, number: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(processes(mark)) < number:
        assert time.monotonic() < deadline, processes(mark)
        time.sleep(0.02)


def test_kill_of_the_arena_leaves_nothing(soak: bool, tmp_path: Path):
    for _ in range(50 if soak else 3):
        mark, folder = new_mark(), tmp_path / "of the bot"
        (folder / "inside").mkdir(parents=True)
        command = [sys.executable, "-I", "-S", "-c", CLINGING, mark]
        arena = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", ARENA, str(KEEPER), str(folder), *command]
        )
        wait_for(mark, 1 + 1 + 8)  # arena, keeper, bot
        assert folder.exists()
        arena.kill()
        arena.wait()
        assert nothing_left(mark)
        assert not folder.exists()


def test_kill_of_a_duel_leaves_nothing(soak: bool, tmp_path: Path):
    """The true arena, killed at some moment of its games."""
    script = (
        "import fuda, sys\n"
        "game, bot = fuda.game('koikoi', rounds=1), f'bot,game=koikoi:{sys.argv[1]}'\n"
        "fuda.duel(game, bot, 'koikoi/random', games=10**6)"
    )
    for number in range(50 if soak else 1):
        mark = new_mark()
        where = os.environ | {"TMPDIR": str(tmp_path)}
        duel = subprocess.Popen([sys.executable, "-c", script, bad_bot("none", mark)], env=where)
        wait_for(mark, 5)  # the duel, and keeper and bot of both places
        assert len(list(tmp_path.glob("fuda-bot-*"))) == 2
        time.sleep(0.02 * number)
        duel.kill()
        duel.wait()
        assert nothing_left(mark)
        assert not list(tmp_path.glob("fuda-bot-*"))


def test_the_bot_dies_with_its_keeper():
    mark = new_mark()
    bot = BotProcess([sys.executable, "-I", "-S", str(HERE / "bad_bot.py"), "none", mark], Limits())
    wait_for(mark, 2)
    os.kill(bot._process.pid, signal.SIGKILL)
    assert nothing_left(mark)
    bot.close()


def test_closing_leaves_nothing_not_even_the_folder():
    mark = new_mark()
    bot = BotProcess([sys.executable, "-I", "-S", "-c", CLINGING, mark], Limits())
    wait_for(mark, 1 + 8)
    folder = bot._folder
    assert os.path.isdir(folder)  # noqa: PTH112
    bot.close(grace=0.05)
    assert not processes(mark)
    assert not os.path.exists(folder)  # noqa: PTH110
    bot.close()


def test_an_agent_that_is_forgotten_ends_its_bots():
    mark = new_mark()
    bot = agent_of("koikoi", f"bot:{bad_bot('none', mark)}")
    assert processes(mark)
    del bot
    assert nothing_left(mark)


def test_the_environment_is_empty_but_for_what_programs_need(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    show = "import os, sys; sys.stdin.readline(); print(' '.join(sorted(os.environ)), flush=True); input()"
    bot = BotProcess([sys.executable, "-I", "-S", "-c", show], Limits())
    names = set(bot.ask(b"\n", PATIENCE).decode().split())
    assert names <= {"PATH", "HOME", "LANG", "LC_CTYPE", "XDG_CACHE_HOME", "TMPDIR"}
    assert "TMPDIR" in names
    bot.close()


def test_a_place_has_a_process_of_its_own():
    """No process ever sees the cards of two seats of one deal."""
    mark = new_mark()
    bot = agent_of("gongzhu", f"bot:{bad_bot('none', mark)}")
    play_deals(fuda.game("gongzhu"), [bot, agent_of("gongzhu", "gongzhu/random")], 1, 0, 1)
    assert len(bot._bots) == 4  # two seats in each of two seatings
    bot.close()
    assert nothing_left(mark)
