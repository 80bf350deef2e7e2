"""What it costs to ask a bot over standard input and output, beside what it thinks.

    python bench/bots.py           writes bots.json

A question is a line written, read by the bot, answered without any thought (the first legal move), and its
answer read and checked. The position is made before and is timed apart: an agent inside needs one, too. Once
one at a time, once many in one message; views are read as JSON in Python or C, or as their bytes in Python.

`fuda bot serve` is the bot's side of our own agents: it reads bytes, makes the position of them, lets the
agent choose and writes the move. What the agent takes inside, on the same positions, is not counted.
"""

import argparse
import base64
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from results_folder import add_results, write

import fuda
from fuda.bots.limits import Limits
from fuda.bots.protocol import VERSION, Hello, Part, Position, Start
from fuda.bots.seat import Seat
from fuda.bots.talk import Bot
from fuda.core.provenance import commit, machine, versions
from fuda.core.threads import limited_to

ROOT = Path(__file__).parent.parent
FIRST_SEED, MATCHES, BATCH, REPEATS = 100, 4, 64, 3
SECONDS = 60.0

# Answers at once: with the first legal move of a view, or with nothing in particular where it has no view.
ANSWERER = """
import json, sys
def move(told):
    return told["view"]["legal"][0] if "view" in told else "x"
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        said = {"type": "hello", "v": 1, "name": "Answerer", "games": told["rules"]}
    elif told["type"] == "act":
        said = {"type": "move", "id": told["id"], "move": move(told)}
    elif told["type"] == "start":
        continue
    else:
        moves = [{"move": move(one)} for one in told["positions"]]
        said = {"type": "moves", "id": told["id"], "moves": moves}
    print(json.dumps(said), flush=True)
"""


@dataclass
class Asked:
    """What a bot in all seats is sent in some random matches, and the seconds to make a position."""

    starts: list[Start]
    positions: list[Position]
    making: float


def made(game_id: str, wants: Sequence[Part]) -> Asked:
    player, starts, found, spent = fuda.agent(f"{game_id}/random"), [], [], 0.0
    for seed in range(FIRST_SEED, FIRST_SEED + MATCHES):
        match = fuda.game(game_id).start(seed)
        seats = [
            Seat(match, seat, f"{seed}, seat {seat}", 1, Limits(), wants)
            for seat in range(match.game.spec.seats)
        ]
        starts += [seat.start() for seat in seats]
        while not match.over:
            began = time.perf_counter()
            found.append(seats[match.seat].position(values=False))
            spent += time.perf_counter() - began
            match.play(player.choose(match))
            began = time.perf_counter()
            for seat in seats:
                seat.hear()
            spent += time.perf_counter() - began
    return Asked(starts, found, spent / len(found))


def parts_of(questions: Sequence[Position], size: int) -> Iterator[Sequence[Position]]:
    """The positions of each message, with so many in one."""
    for _ in range(REPEATS):
        for first in range(0, len(questions) - size + 1, size):
            yield questions[first : first + size]


def asked(bot: Bot, questions: Sequence[Position], size: int) -> list[float]:
    """Milliseconds a decision of each message."""
    spent = []
    for some in parts_of(questions, size):
        began = time.perf_counter()
        bot.ask(some, SECONDS)
        spent.append((time.perf_counter() - began) * 1000 / size)
    return spent


def inside(name: str, given: Asked, size: int) -> list[float]:
    """Milliseconds a decision of the agent itself, by message."""
    agent, spent = fuda.agent(name), []
    seat_of = {start.match: start.seat for start in given.starts}
    for some in parts_of(given.positions, size):
        content = b"".join(base64.b64decode(position.bytes or "") for position in some)
        views = np.frombuffer(content, agent.spec.rules.STATE).copy().view(np.recarray)
        seats = np.array([seat_of[position.match] for position in some])
        rngs = np.full(len(some), 1, np.uint64)
        began = time.perf_counter()
        agent.act(views, seats, rngs)
        spent.append((time.perf_counter() - began) * 1000 / size)
    return spent


def measure(
    game_id: str, name: str, command: Sequence[str], parts: Sequence[Part], size: int, own: str | None = None
) -> dict[str, Any]:
    """A row of the table; `own` is the agent of ours that the command serves."""
    made(game_id, parts)  # compiles
    given = made(game_id, parts)
    bot = Bot(command, Hello(VERSION, "", {game_id: fuda.game(game_id).spec.rules_version}), Limits())
    bot.start()
    for start in given.starts:
        bot.tell(start)
    asked(bot, given.positions[: 2 * size], size)  # it warms up
    spent = asked(bot, given.positions, size)
    bot.close()
    if own is not None:
        inside(own, given, size)  # compiles
        taken = inside(own, given, size)
        spent = [whole - part for whole, part in zip(spent, taken, strict=True)]
    return {
        "game": game_id, "bot": name, "positions in a message": size, "questions": len(spent),
        "milliseconds a decision, median": statistics.median(spent),
        "milliseconds a decision, mean": statistics.mean(spent),
        "making the position, milliseconds": given.making * 1000,
    }  # fmt: skip


def served(name: str) -> list[str]:
    """The command that serves an agent from these sources; a bot gets nothing of our environment."""
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    return ["env", f"PYTHONPATH={path}", sys.executable, "-m", "fuda", "bot", "serve", name]


def main() -> None:
    parser = argparse.ArgumentParser(description="What it costs to ask a bot.")
    add_results(parser)
    arguments = parser.parse_args()
    rows = []
    answerer = [sys.executable, "-I", "-S", "-c", ANSWERER]
    with tempfile.TemporaryDirectory() as folder, limited_to(1):
        lowest = f"{folder}/lowest"
        subprocess.run(["cc", "-O2", "-o", lowest, ROOT / "examples/bots/lowest.c"], check=True)
        for game_id in fuda.list_games():
            for name, command, parts, size in (
                ("Python, views", answerer, ["view", "since"], 1),
                ("C, views", [lowest], ["view"], 1),
                ("Python, bytes", answerer, ["bytes"], 1),
                ("Python, views", answerer, ["view"], BATCH),
                ("Python, bytes", answerer, ["bytes"], BATCH),
            ):
                rows.append(measure(game_id, name, command, parts, size))
                print(rows[-1], flush=True)
            own = f"{game_id}/random"
            for size in (1, BATCH):
                rows.append(measure(game_id, "fuda bot serve, bytes", served(own), ["bytes"], size, own))
                print(rows[-1], flush=True)
    figures = {"kind": "bots", "rows": rows, "machine": machine(), "versions": versions(), "commit": commit()}
    write(arguments.results / "bots.json", figures)


if __name__ == "__main__":
    main()
