"""Memory over many games: it must stay flat. Writes bench/results/memory.json.

    python bench/memory.py            10,000 games of each policy, 50 of each search player

Each player plays itself in a process of its own; its memory after a first tenth of the games (all
code compiled, all buffers made) is compared with that at the end.
"""

import json
import subprocess
import sys
from pathlib import Path

import fuda
from fuda.core.provenance import commit, machine, versions

RESULTS = Path(__file__).parent / "results"
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


def main() -> None:
    if len(sys.argv) == 3:
        print(json.dumps(play(sys.argv[1], int(sys.argv[2]))))
        return
    rows = []
    for name in fuda.list_agents():
        game_id, _, short = name.partition("/")
        searches = fuda.game(game_id).spec.players.get("search", {})
        games = SEARCH_GAMES if short in searches else POLICY_GAMES
        command = [sys.executable, __file__, name, str(games)]
        rows.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
        print(rows[-1], flush=True)
    figures = {
        "kind": "memory",
        "players": rows,
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }
    (RESULTS / "memory.json").write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
