"""The ladder of a game's shipped agents, stored under bench/results/ as duels and as one table.

    python bench/ladder.py koikoi                  goes on where it was stopped
    python bench/ladder.py koikoi --agents app     only the games of this agent
    python bench/ladder.py koikoi --device cuda    networks are played by PyTorch there

Agents without search, and those that search for at most 20 ms of processor time, play each other on 1,024
deals. Each slower one plays its four neighbours on 256, found by a few deals of another seed, which do not
count. What was found so is kept in runs/. The table is stored when the fast ones have played, and again after
each slow one. Pairs that are stored as the agents are now are not played again, also after commits.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import tables
from gauntlets import Gauntlets
from positions import positions, processor_seconds
from strength import REPORT_SEED

import fuda
from fuda.agents import agent_bid_weights, agent_info, agent_weights
from fuda.arena.stored import read_duels
from fuda.core.provenance import commit, machine, versions
from fuda.core.threads import limited_to

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"
RUNS = ROOT / "runs"
DEALS, SLOW_DEALS, SCOUT_DEALS = 1024, 256, 8
SCOUT_SEED = 2
SLOW, NEIGHBOURS, MATCHES = 0.02, 4, 2


class Lengths(NamedTuple):
    """Deals of a pair: of fast agents, of a slow one and a neighbour, and to find the neighbours by."""

    fast: int = DEALS
    slow: int = SLOW_DEALS
    scout: int = SCOUT_DEALS


def slow_agents(game_id: str, kept: Path) -> list[str]:
    """Who takes longer than 20 ms of processor time; measured once for the weights that an agent has."""
    found: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
    searching = [name for name in fuda.list_agents(game_id) if agent_info(name).searches]
    learned = {name: [agent_weights(name), agent_bid_weights(name)] for name in searching}
    new = [name for name in searching if name not in found or found[name]["learned"] != learned[name]]
    if new:
        where = positions(game_id, f"{game_id}/{fuda.game(game_id).spec.fallback}", MATCHES)
        for name in new:
            with limited_to(1):
                seconds = processor_seconds(fuda.agent(name), where)
            found[name] = {"learned": learned[name], "seconds": seconds}
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(found, indent=1) + "\n")
    return [name for name in searching if found[name]["seconds"] > SLOW]


def neighbours(order: Sequence[str], name: str) -> list[str]:
    """The four that are next to an agent on a ladder, two on each side where there are so many."""
    place = order.index(name)
    first = min(max(place - NEIGHBOURS // 2, 0), max(len(order) - NEIGHBOURS - 1, 0))
    return [other for other in order[first : first + NEIGHBOURS + 1] if other != name]


def tell(what: str) -> Callable[[Any], None]:
    """Prints a line whenever another twentieth is played."""
    told = -1

    def progress(now: Any) -> None:
        nonlocal told
        done = 20 * now.deals_played // now.deals_in_all
        if done > told:
            told = done
            print(f"{what}: {now.deals_played:,} of {now.deals_in_all:,} deals", flush=True)

    return progress


def play(game_id: str, lengths: Lengths, results: Path, device: str | None, asked: set[str]) -> None:
    """Play what is missing of the games of the agents that are asked for, and store the ladder of all."""
    runs = RUNS / f"ladder-{game_id}"
    ladder = Gauntlets(game_id, REPORT_SEED, results / f"ladder-{game_id}", device)
    ladder.drop_outdated()
    slow = slow_agents(game_id, runs / "seconds.json")
    fast = [name for name in fuda.list_agents(game_id) if name not in slow]
    for place, name in enumerate(fast):
        others = [other for other in fast[:place] if {name, other} & asked]
        ladder.meet(name, others, lengths.fast, tell(name))
    counted = ladder.files(1, fast)
    if counted:
        store(game_id, results)
    wanted = [name for name in slow if name in asked]
    if not wanted:
        return
    scouted = Gauntlets(game_id, SCOUT_SEED, runs, device)
    scouted.drop_outdated()
    names = fuda.list_agents(game_id)
    for name in wanted:
        everybody = [other for other in names if other != name]
        scouted.meet(name, everybody, lengths.scout, tell(f"scouting {name}"))
    # Of the games that count those of slow agents are left out, so that another run finds the same order.
    found = [*scouted.files(lengths.scout, names).values(), *counted.values()]
    order = [row.agent for row in fuda.ratings(game_id, *found)]
    for name in wanted:
        ladder.meet(name, neighbours(order, name), lengths.slow, tell(name))
        store(game_id, results)


def store(game_id: str, results: Path) -> None:
    """The ladder of all that is stored so far."""
    folder = results / f"ladder-{game_id}"
    found = fuda.ratings(game_id, folder)
    played = read_duels([folder]).values()
    bid_weights = {row.agent: agent_bid_weights(row.agent) for row in found}
    stored = found.as_dict() | {
        "kind": "ladder",
        "weights": {row.agent: agent_weights(row.agent) for row in found},
        "bid_weights": {name: weights for name, weights in bid_weights.items() if weights is not None},
        "seed": REPORT_SEED,
        "devices": sorted({duel["device"] for duel in played}),
        "commits": sorted({str(duel["commit"]) for duel in played}),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "versions": versions(),
        "commit": commit(),
    }
    (results / f"ladder-{game_id}.json").write_text(json.dumps(stored, indent=1) + "\n")
    for row in found:
        print(f"{row.agent}: {row.rating:.0f} ± {row.stderr:.0f}, {row.games:,} games", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Play and store the ladders of the shipped agents.")
    parser.add_argument("games", nargs="*", default=fuda.list_games())
    parser.add_argument("--agents", nargs="+", help="only the games of these, such as app or koikoi/app")
    parser.add_argument("--device", help="play models by PyTorch on this device, not by onnxruntime")
    parser.add_argument("--deals", type=int, default=DEALS, help="of pairs that decide fast")
    parser.add_argument("--slow-deals", type=int, default=SLOW_DEALS, help="of the others")
    parser.add_argument("--scout-deals", type=int, default=SCOUT_DEALS, help="to find neighbours by")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the folder to store them in")
    arguments = parser.parse_args()
    lengths = Lengths(arguments.deals, arguments.slow_deals, arguments.scout_deals)
    wanted = {name.rpartition("/")[2] for name in arguments.agents or ()}
    listed = {name.partition("/")[2] for game_id in arguments.games for name in fuda.list_agents(game_id)}
    if wanted - listed:
        parser.error(f"there is no agent {min(wanted - listed)} of {', '.join(arguments.games)}")
    for game_id in arguments.games:
        asked = {name for name in fuda.list_agents(game_id) if name.partition("/")[2] in (wanted or listed)}
        if asked:
            play(game_id, lengths, arguments.out, arguments.device, asked)
    if arguments.out.resolve() == RESULTS.resolve():  # the documents show what is stored there
        tables.write()


if __name__ == "__main__":
    main()
