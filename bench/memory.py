"""Memory over many games: it must stay flat. Writes memory.json.

    python bench/memory.py            10,000 games of each policy, 50 of each player by tree search

Each player plays itself in a process of its own; its memory after a first tenth of the games (all
code compiled, all buffers made) is compared with that at the end.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from results_folder import add_results, write

import fuda
from fuda.agents import agent_weights
from fuda.core.provenance import commit, machine, versions

POLICY_GAMES, SEARCH_GAMES = 10_000, 50


def resident_mib() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise OSError("this system does not tell a process's memory")


def play(name: str, games: int) -> dict[str, float | int | str]:
    game_id = name.partition("/")[0]
    seatings = len(fuda.game(game_id).seatings)
    chunk = max(seatings, games // 10)
    after = []
    for number in range(10):
        fuda.duel(game_id, name, name, chunk, seed=number)
        after.append(resident_mib())
    return {"agent": name, "games": 10 * chunk, "MiB after a tenth": after[0], "MiB at the end": after[-1]}


def players() -> dict[str, int]:
    """Those without weights and their games: networks would take hours, and their memory is onnxruntime's."""
    searching = {
        f"{game}/{name}"
        for game in fuda.list_games()
        for name in fuda.game(game).spec.players.get("search", {})
    }
    names = [name for name in fuda.list_agents() if not agent_weights(name)]
    return {name: SEARCH_GAMES if name in searching else POLICY_GAMES for name in names}


def main() -> None:
    parser = argparse.ArgumentParser(description="Memory over many games.")
    parser.add_argument("--of", nargs=2, metavar=("AGENT", "GAMES"), help="only this one, in this process")
    add_results(parser)
    arguments = parser.parse_args()
    if arguments.of:
        print(json.dumps(play(arguments.of[0], int(arguments.of[1]))))
        return
    rows = []
    for name, games in players().items():
        command = [sys.executable, __file__, "--of", name, str(games)]
        rows.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
        print(rows[-1], flush=True)
    figures = {
        "kind": "memory",
        "players": rows,
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }
    write(arguments.results / "memory.json", figures)


if __name__ == "__main__":
    main()
