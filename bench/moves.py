"""The moves of every shipped agent in stored positions: what must not change play is checked by them.

    python bench/moves.py                 plays the stored positions again and says what differs
    python bench/moves.py --write         stores the choices of today (new positions where a game has none)

Half of a game's positions come from random play and half from its fallback player, in every rule that its
options can switch. Searching players decide by their own random streams, numbered by position.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

import fuda
from fuda.agents.agent import Agent
from fuda.core.generator import AGENT, streams
from fuda.core.match import Match
from fuda.core.provenance import commit

RESULTS = Path(__file__).parent / "results"
NUM_POSITIONS = 1000
EACH = 10  # positions of one match
SEED = 14


def tables(game_id: str) -> list[fuda.Game]:
    """The game as it is by default, and with each other word of its options, but for implied ones."""
    found = [fuda.game(game_id)]
    for option in [option for option in found[0].spec.options if not option.implied]:
        found += [
            fuda.game(game_id, **{option.name: word}) for word in option.words if word != option.default
        ]
    return found


def new_matches(game_id: str) -> list[dict]:
    """Matches as their records, and at which moves they are looked at."""
    games = tables(game_id)
    fallback = f"{game_id}/{games[0].spec.fallback}"
    found: list[dict] = []
    while sum(len(stored["at"]) for stored in found) < NUM_POSITIONS:
        number = len(found)
        match = games[number // 2 % len(games)].start(seed=SEED + number)
        player = fuda.agent(fallback if number % 2 else f"{game_id}/random", seed=number)
        choices = []
        while not match.over:
            if len(match.legal()) > 1:
                choices.append(len(match.moves))
            match.play(player.choose(match))
        picked = np.linspace(0, len(choices) - 1, EACH).round().astype(int)
        record = match.record()
        record["events"] = [event for event in record["events"] if "scores" not in event]
        found.append({"record": record, "at": sorted({choices[place] for place in picked})})
    return found


def positions(matches: list[dict]) -> list[Match]:
    """The stored positions, each a match that stands there."""
    found = []
    for stored in matches:
        record = stored["record"]
        deals = [event["deal"] for event in record["events"] if "deal" in event]
        match = fuda.game(record["game"], **record["options"]).start(record["seed"], deals)
        moves = [event["move"] for event in record["events"] if "move" in event]
        for number, move in enumerate(moves):
            if number in stored["at"]:
                found.append(match.copy())
            match.play(move)
    return found


def choices(agent: Agent, where: list[Match]) -> list[str]:
    """The agent's move in each position, all asked at once."""
    views = np.concatenate([match.view_record(match.seat) for match in where]).view(np.recarray)
    seats = np.array([match.seat for match in where])
    actions = agent.act(views, seats, streams(SEED, AGENT, 0, len(where)))
    return [agent.spec.text.move_text(int(action)) for action in actions]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="the games; else all")
    parser.add_argument("--write", action="store_true", help="store the choices of today")
    wanted = parser.parse_args()
    differing = 0
    for game_id in wanted.games or fuda.list_games():
        path = RESULTS / f"moves-{game_id}.json"
        if not wanted.write and not path.exists():
            print(f"{game_id} has no stored positions; --write makes them")
            return 2
        stored = json.loads(path.read_text()) if path.exists() else {"matches": new_matches(game_id)}
        where = positions(stored["matches"])
        found = {}
        for name in fuda.list_agents(game_id):
            began = time.perf_counter()
            found[name] = choices(fuda.agent(name), where)
            known = stored.get("choices", {}).get(name)
            other = None if known is None else sum(a != b for a, b in zip(known, found[name], strict=True))
            differing += other or 0
            said = "not stored yet" if other is None else f"{other} of {len(where)} differ"
            print(f"{name}: {said}, {time.perf_counter() - began:.0f} s", flush=True)
        if wanted.write:
            written = {"game": game_id, "commit": commit(), "seed": SEED, "choices": found}
            path.write_text(
                json.dumps(written | {"matches": stored["matches"]}, separators=(",", ":")) + "\n"
            )
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
