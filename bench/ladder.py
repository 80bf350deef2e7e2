"""The ladder of a game's shipped agents, stored as duels and as one table.

    python bench/ladder.py koikoi                  goes on where it was stopped
    python bench/ladder.py koikoi --device cuda    networks are played by PyTorch there

Agents that decide within 20 ms play each other on 1,024 deals. Each slower one plays its four neighbours on
256, found by a few deals of another seed, which do not count. What was found so is kept in runs/.
"""

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tables
from positions import positions, timed
from results_folder import add_results, write
from strength import REPORT_SEED, entrant

import fuda
from fuda.agents import agent_weights
from fuda.core.provenance import commit, machine, versions

ROOT = Path(__file__).parent.parent
DEALS, SLOW_DEALS, SCOUT_DEALS = 1024, 256, 8
SCOUT_SEED = 2
SLOW, NEIGHBOURS, MATCHES = 0.02, 4, 2


def seconds(game_id: str, name: str, where: list[Any]) -> float:
    """The mean of its decisions, alone and as it ships."""
    spent = timed(fuda.agent(name), where)
    return sum(spent) / len(spent)


def neighbours(order: list[str], name: str) -> list[str]:
    """The four that are next to an agent on a ladder, two on each side where there are so many."""
    place = order.index(name)
    first = min(max(place - NEIGHBOURS // 2, 0), max(len(order) - NEIGHBOURS - 1, 0))
    return [other for other in order[first : first + NEIGHBOURS + 1] if other != name]


def plan(game_id: str, folder: Path, device: str | None, deals: int) -> dict[str, Any]:
    """Who is slow, and whom each of these meets; found once."""
    kept = folder / "plan.json"
    names = fuda.list_agents(game_id)
    if kept.exists():
        found: dict[str, Any] = json.loads(kept.read_text())
        if set(found["seconds"]) == set(names):
            return found
    where = positions(game_id, f"{game_id}/{fuda.game(game_id).spec.fallback}", MATCHES)
    spent = {name: seconds(game_id, name, where) for name in names}
    slow = [name for name in names if spent[name] > SLOW]
    for name in slow:
        agents = [entrant(other, device) for other in names]
        out = folder / name.partition("/")[2]
        fuda.tournament(
            game_id,
            agents,
            SCOUT_DEALS,
            SCOUT_SEED,
            out=out,
            gauntlet=name,
            progress=tell(f"scouting {name}"),
        )
    found = {"seconds": spent, "slow": slow, "neighbours": {}}
    if slow:
        fast = [entrant(name, device) for name in names if name not in slow]
        fuda.tournament(game_id, fast, deals, SCOUT_SEED, out=folder / "fast", progress=tell("scouting"))
        order = [row.agent for row in fuda.ratings(game_id, folder)]
        found["neighbours"] = {name: neighbours(order, name) for name in slow}
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(found, indent=1) + "\n")
    return found


def tell(what: str) -> Any:
    """Prints a line whenever another twentieth is played."""
    told = -1

    def progress(now: Any) -> None:
        nonlocal told
        done = 20 * now.deals_played // now.deals_in_all
        if done > told:
            told = done
            print(f"{what}: {now.deals_played:,} of {now.deals_in_all:,} deals", flush=True)

    return progress


def play(
    game_id: str, device: str | None, deals: int, slow_deals: int, scout_deals: int, results: Path
) -> None:
    planned = plan(game_id, ROOT / "runs" / f"ladder-{game_id}", device, scout_deals)
    out = results / f"ladder-{game_id}"
    fast = [entrant(name, device) for name in planned["seconds"] if name not in planned["slow"]]
    fuda.tournament(
        game_id, fast, deals, REPORT_SEED, out=out / "all", progress=tell(f"{game_id}, all pairs")
    )
    met: set[frozenset[str]] = set()
    for name in planned["slow"]:
        others = [other for other in planned["neighbours"][name] if frozenset((name, other)) not in met]
        met |= {frozenset((name, other)) for other in others}
        if others:
            agents = [entrant(each, device) for each in [name, *others]]
            short = name.partition("/")[2]
            fuda.tournament(
                game_id, agents, slow_deals, REPORT_SEED, out=out / short, gauntlet=name, progress=tell(name)
            )
    found = fuda.ratings(game_id, out)
    stored = found.as_dict() | {
        "kind": "ladder",
        "weights": {row.agent: agent_weights(row.agent) for row in found},
        "seed": REPORT_SEED,
        "device": device or "cpu",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }
    write(results / f"ladder-{game_id}.json", stored)
    for row in found:
        print(f"{row.agent}: {row.rating:.0f} ± {row.stderr:.0f}, {row.games:,} games")


def main() -> None:
    parser = argparse.ArgumentParser(description="Play and store the ladders of the shipped agents.")
    parser.add_argument("games", nargs="*", default=fuda.list_games())
    parser.add_argument("--device", help="play models by PyTorch on this device, not by onnxruntime")
    parser.add_argument("--deals", type=int, default=DEALS, help="of pairs that decide fast")
    parser.add_argument("--slow-deals", type=int, default=SLOW_DEALS, help="of the others")
    parser.add_argument("--scout-deals", type=int, default=SCOUT_DEALS, help="to find neighbours by")
    add_results(parser, "--out")
    arguments = parser.parse_args()
    for game_id in arguments.games:
        play(
            game_id,
            arguments.device,
            arguments.deals,
            arguments.slow_deals,
            arguments.scout_deals,
            arguments.out,
        )
    tables.write()


if __name__ == "__main__":
    main()
