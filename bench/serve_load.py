"""How the server bears many tables: a person's move each second at every one of them.

python bench/serve_load.py --minutes 10            100 Koi-Koi tables, 50 Dou Dizhu, 50 Gongzhu
python bench/serve_load.py --minutes 2 --search    8 tables with search agents
python bench/serve_load.py --share 0.1             a tenth of the tables

Persons play random legal moves; the natural delay is off. Measured is the time from a move to its
acknowledgement (it is on the disk then) and to the next own decision, and the memory of the server
with its worker processes.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from fuda.core import provenance

RESULTS = Path(__file__).parent / "results"
MIXED = (
    ("koikoi", "koikoi/rl-wp", 100),
    ("doudizhu", "doudizhu/rhcp-partner", 50),
    ("gongzhu", "gongzhu/greed", 50),
)
SEARCH = (("koikoi", "koikoi/uct", 4), ("doudizhu", "doudizhu/mcts", 2), ("gongzhu", "gongzhu/uct", 2))
SECONDS_A_MOVE = 1.0
TABLES_OF_OWNER = 25
SEATS = {"koikoi": 2, "doudizhu": 3, "gongzhu": 4}


@dataclass
class Figures:
    acks: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)
    games: int = 0
    errors: list[str] = field(default_factory=list)
    stand_ins: int = 0


class Site:
    """The server's address and one owner."""

    def __init__(self, address: str):
        self.address = address
        self.secret = ""
        self.secret = self.post("/owners", {})["secret"]

    def post(self, path: str, body: object) -> Any:
        headers = {"Content-Type": "application/json", "Origin": self.address}
        headers |= {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        request = urllib.request.Request(f"{self.address}/api/v1{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def new_table(self, game: str, agent: str) -> dict[str, Any]:
        seats = [{"person": "load"}, *[{"agent": agent}] * (SEATS[game] - 1)]
        return dict(
            self.post("/tables", {"game": game, "seats": seats, "pace": {"delay": 0, "paused": False}})
        )


async def person(
    site: Site, game: str, agent: str, end: float, figures: Figures, luck: random.Random
) -> None:
    """Play game after game until the time is up."""
    await asyncio.sleep(luck.uniform(0, SECONDS_A_MOVE * 5))
    while time.monotonic() < end:
        try:
            table = await asyncio.to_thread(site.new_table, game, agent)
            where = site.address.replace("http", "ws") + "/api/v1/socket"
            async with connect(where, origin=site.address, max_size=None, compression=None) as socket:  # type: ignore[arg-type]
                await play(socket, table, end, figures, luck)
            figures.games += 1
        except Exception as error:
            figures.errors.append(f"{game}: {type(error).__name__}: {error}"[:200])
            await asyncio.sleep(1)


async def play(
    socket: ClientConnection, table: dict[str, Any], end: float, figures: Figures, luck: random.Random
) -> None:
    hello = {
        "type": "hello",
        "v": 1,
        "table": table["table"],
        "seat": 0,
        "secret": table["seats"][0]["secret"],
    }
    await socket.send(json.dumps(hello))
    news = await next_decision(socket, figures)
    number = 0
    while news["state"] != "over" and time.monotonic() < end:
        await asyncio.sleep(SECONDS_A_MOVE * luck.uniform(0.8, 1.2))
        number += 1
        message = {"type": "continue", "id": f"{number}", "seq": news["seq"]}
        if news["state"] == "playing":
            message |= {"type": "move", "move": luck.choice(news["view"]["legal"])}
        began = time.perf_counter()
        await socket.send(json.dumps(message))
        answer = json.loads(await socket.recv())
        figures.acks.append(time.perf_counter() - began)
        if answer["type"] != "ack":
            raise RuntimeError(f"answered {answer['type']} {answer.get('error')}")
        news = await next_decision(socket, figures)
        figures.turns.append(time.perf_counter() - began)


async def next_decision(socket: ClientConnection, figures: Figures) -> dict[str, Any]:
    """Read until the person is asked again, a round has ended, or all is over."""
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] == "error":
            raise RuntimeError(str(message["error"]))
        figures.stand_ins += message.get("stand_in") is not None
        if "view" in message and (message["state"] != "playing" or message["view"]["to_move"] == 0):
            return message


def processes(root: int) -> Iterator[int]:
    """A process and all below it."""
    yield root
    for task in Path(f"/proc/{root}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from processes(int(child))


def memory(root: int) -> float:
    """MiB that the process and those below it hold."""
    total = 0
    for process in processes(root):
        status = Path(f"/proc/{process}/status").read_text()
        total += int(re.search(r"VmRSS:\s+(\d+)", status)[1])  # type: ignore[index]
    return round(total / 1024, 1)


def processor_seconds(root: int) -> list[float]:
    """Of the server, then of each worker."""
    spent = []
    for process in processes(root):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        spent.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return spent


def spread(times: list[float]) -> dict[str, float]:
    """Milliseconds."""
    ordered = sorted(times)
    places = {"median": 0.5, "95%": 0.95, "99%": 0.99}
    found = {name: ordered[int(len(ordered) * place)] for name, place in places.items()}
    return {name: round(value * 1000, 1) for name, value in (found | {"slowest": ordered[-1]}).items()}


async def measure(address: str, pid: int, tables: Any, share: float, seconds: float) -> dict[str, Any]:
    site = Site(address)
    figures = {game: Figures() for game, _, _ in tables}
    counts = {game: max(1, round(count * share)) for game, _, count in tables}
    for game, agent, _ in tables:  # load every agent in every process before the clock runs
        warm = Figures()
        await asyncio.gather(
            *(person(site, game, agent, time.monotonic() + 15, warm, random.Random(k)) for k in range(4))
        )
    end = time.monotonic() + seconds
    # One owner may have a part of the sockets alone.
    sites = [Site(address) for _ in range(0, sum(counts.values()), TABLES_OF_OWNER)]
    persons = [
        person(sites[number % len(sites)], game, agent, end, figures[game], random.Random(f"{game}{number}"))
        for game, agent, _ in tables
        for number in range(counts[game])
    ]
    sizes: list[float] = []

    async def weigh() -> None:
        while True:
            await asyncio.sleep(seconds / 20)
            sizes.append(memory(pid))

    weighing = asyncio.create_task(weigh())
    before = processor_seconds(pid)
    await asyncio.gather(*persons)
    after = processor_seconds(pid)
    weighing.cancel()
    acks = [time for each in figures.values() for time in each.acks]
    turns = [time for each in figures.values() for time in each.turns]
    return {
        "tables": [{"game": game, "agent": agent, "tables": counts[game]} for game, agent, _ in tables],
        "seconds": round(seconds),
        "moves": len(acks),
        "games": sum(each.games for each in figures.values()),
        "acknowledgement, ms": spread(acks),
        "next own turn, ms": spread(turns),
        "next own turn by game, ms": {
            game: spread(each.turns) for game, each in figures.items() if each.turns
        },
        "errors": sum(len(each.errors) for each in figures.values()),
        "first errors": [error for each in figures.values() for error in each.errors][:5],
        "stand-ins": sum(each.stand_ins for each in figures.values()),
        "cores used by the server": round((after[0] - before[0]) / seconds, 2),
        "cores used by the workers": round((sum(after[1:]) - sum(before[1:])) / seconds, 2),
        "server and workers, MiB": {
            "after a tenth": sizes[1],
            "at half": sizes[len(sizes) // 2],
            "at the end": sizes[-1],
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--share", type=float, default=1.0, help="of the tables")
    parser.add_argument("--search", action="store_true", help="few tables with search agents")
    parser.add_argument("--out", type=Path, help=f"a folder for the figures, such as {RESULTS.name}")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [sys.executable, "-m", "fuda", "serve", "--port", "0", "--no-browser", "--data", data],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            address = re.search(r"http://[\d.:]+", server.stdout.readline())
            assert address is not None
            tables = SEARCH if given.search else MIXED
            others = os.getloadavg()[0]
            found = asyncio.run(measure(address[0], server.pid, tables, given.share, given.minutes * 60))
        finally:
            server.terminate()
            server.wait()
    name = "serve load, search" if given.search else "serve load"
    result = {
        "kind": name,
        **found,
        "others at work before (load)": round(others, 2),
        "commit": provenance.commit(),
        "machine": provenance.machine(),
        "versions": provenance.versions(),
    }
    print(json.dumps(result, indent=1))
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        path = given.out / f"{name.replace(', ', '-').replace(' ', '-')}.json"
        path.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
