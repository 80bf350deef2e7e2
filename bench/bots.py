"""What it costs to ask a bot over standard input and output, beside what it thinks.

    python bench/bots.py           writes bots.json

A question is a line written, read by the bot, answered without any thought (the first legal move), and its
answer read and checked. The position is made before and is timed apart: an agent inside needs one, too. Once
one at a time, once many in one message; views are read as JSON in Python or C, or as their bytes in Python.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from results_folder import add_results, write

import fuda
from fuda.bots.limits import Limits
from fuda.bots.protocol import VERSION, Hello, Part, Position
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
    else:
        moves = [{"move": move(one)} for one in told["positions"]]
        said = {"type": "moves", "id": told["id"], "moves": moves}
    print(json.dumps(said), flush=True)
"""


def made(game_id: str, wants: Sequence[Part]) -> tuple[list[Position], float]:
    """What a bot in all seats is sent in some random matches, and the seconds that it takes to make each."""
    player, found, spent = fuda.agent(f"{game_id}/random"), [], 0.0
    for seed in range(FIRST_SEED, FIRST_SEED + MATCHES):
        match = fuda.game(game_id).start(seed)
        seats = [Seat(match, seat, "1", 0, Limits(), wants) for seat in range(match.game.spec.seats)]
        while not match.over:
            began = time.perf_counter()
            found.append(seats[match.seat].position(values=False))
            spent += time.perf_counter() - began
            match.play(player.choose(match))
            began = time.perf_counter()
            for seat in seats:
                seat.hear()
            spent += time.perf_counter() - began
    return found, spent / len(found)


def asked(bot: Bot, questions: Sequence[Position], size: int) -> list[float]:
    """Milliseconds a decision of each message, with so many positions in one."""
    spent = []
    for _ in range(REPEATS):
        for first in range(0, len(questions) - size + 1, size):
            began = time.perf_counter()
            bot.ask(questions[first : first + size], SECONDS)
            spent.append((time.perf_counter() - began) * 1000 / size)
    return spent


def measure(
    game_id: str, name: str, command: Sequence[str], parts: Sequence[Part], size: int
) -> dict[str, Any]:
    made(game_id, parts)  # compiles
    questions, making = made(game_id, parts)
    bot = Bot(command, Hello(VERSION, "", {game_id: 1}), Limits())
    bot.start()
    asked(bot, questions[: 2 * size], size)  # it warms up
    spent = asked(bot, questions, size)
    bot.close()
    return {
        "game": game_id, "bot": name, "positions in a message": size, "questions": len(spent),
        "milliseconds a decision, median": statistics.median(spent),
        "milliseconds a decision, mean": statistics.mean(spent),
        "making the position, milliseconds": making * 1000,
    }  # fmt: skip


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
    figures = {"kind": "bots", "rows": rows, "machine": machine(), "versions": versions(), "commit": commit()}
    write(arguments.results / "bots.json", figures)


if __name__ == "__main__":
    main()
