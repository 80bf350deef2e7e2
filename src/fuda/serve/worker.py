"""A process that thinks: agents and hints from views, records from texts.

Questions come on the standard input and answers go to the standard output, each as its length in
four bytes and JSON. A question about a move has the bytes of a view and the state of a random
stream: the process never gets a match, a seed or a deck that is being played.
"""

import base64
import contextlib
import functools
import json
import os
import signal
import struct
import sys
import threading
import time
from dataclasses import asdict
from typing import Any, BinaryIO

import numpy as np

from fuda.agents import Agent, listed_agent
from fuda.core.threads import limited_to
from fuda.explain.review import SCENARIOS
from fuda.explain.review import review as review_match
from fuda.explain.verdict import judge_move
from fuda.records import loads
from fuda.serve import clerk, messages

LENGTH = struct.Struct(">I")
ALL_CORES = 1024


@functools.cache
def _agent(name: str) -> Agent:
    return listed_agent(name)  # never a path, a class or a command


def _views(question: dict[str, Any], player: Agent) -> tuple[np.recarray, np.ndarray, np.ndarray]:
    views = np.frombuffer(base64.b64decode(question["views"]), player.spec.rules.STATE)
    return (
        views.copy().view(np.recarray),
        np.array(question["seats"], np.int64),
        np.array(question["luck"], np.uint64),
    )


def load(question: dict[str, Any]) -> None:
    """Make an agent ready before it is asked."""
    _agent(question["agent"]).warm_up()


def act(question: dict[str, Any]) -> Any:
    """The action that an agent chooses."""
    player = _agent(question["agent"])
    return int(player.act(*_views(question, player))[0])


def values(question: dict[str, Any]) -> Any:
    """For each view the values of moves, or None where the agent has none."""
    player = _agent(question["agent"])
    found = player.evaluate(*_views(question, player))
    if found is None:
        return None
    name = player.spec.text.move_text
    return [{name(action): value for action, value in row.items()} or None for row in found]


def review(question: dict[str, Any]) -> Any:
    """What a seat gave away in a finished game, by all cores: it is asked of the last in line for them."""
    with limited_to(ALL_CORES):
        return review_match(loads(question["file"], "record"), question["seat"]).as_dict()


def verdict(question: dict[str, Any]) -> Any:
    """What the mover gives away by a move after some of a record; and reasons for that and the best one."""
    match = clerk.match_after(question["file"], question["seq"])
    scenarios = SCENARIOS if question["second_look"] else 0
    found = judge_move(match, question["move"], _agent(question["agent"]), scenarios=scenarios)
    told = list(dict.fromkeys((found.best, found.move)))
    return asdict(found) | {"reasons": messages.reasons(match, told)}


JOBS = {
    "load": load, "act": act, "values": values, "review": review,
    "check": clerk.check, "steps": clerk.steps, "decisions": clerk.decisions,
    "position": clerk.position, "verdict": verdict,
}  # fmt: skip


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """What the process says: `answer`, or `error` with a sentence."""
    try:
        return {"answer": JOBS[question["job"]](question)}
    except Exception as error:  # whatever an agent does, the server hears of it
        return {"error": f"{type(error).__name__}: {error}"[:500]}


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame, None at the end."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return stream.read(LENGTH.unpack(head)[0])


def _leave_with(parent: int) -> None:
    """End when the server does, even if it was killed while an agent here thinks for ever."""
    while os.getppid() == parent:
        time.sleep(2)
    os._exit(1)


def main() -> None:
    """Answer until the server goes away."""
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes the pipe
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what an agent prints must not be taken for an answer
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    with limited_to(1), contextlib.suppress(BrokenPipeError):  # the server is gone: nobody listens
        while (frame := read_frame(questions)) is not None:
            told = json.dumps(answer(json.loads(frame))).encode()
            answers.write(LENGTH.pack(len(told)) + told)
            answers.flush()


if __name__ == "__main__":
    main()
