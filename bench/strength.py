"""The strength of the players: duels on fixed seeds, stored under bench/results/.

    python bench/strength.py              what is not stored yet, or of fewer games, or with other weights
    python bench/strength.py koikoi       only those of a game
    python bench/strength.py koikoi --of best --over sl random    only those of these players, over these
    python bench/strength.py --of app bidding showing    who learned a preset's rules, under them
    python bench/strength.py --again      play them all again, at this commit
    python bench/strength.py --device cuda    models are played by PyTorch there: minutes instead of hours

A duel that was killed goes on where it was; one of a model that is not there is left out. At the end the
tables of the documents are written.
"""

import argparse
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import tables

import fuda
from fuda.agents import Agent
from fuda.agents.model import model_players
from fuda.arena.stored import is_current
from fuda.core.provenance import commit

RESULTS = Path(__file__).parent / "results"
REPORT_SEED = 1  # for reported figures only: never for tuning or choosing

ADP = {"score": "adp"}
APP, BIDDING, SHOWING = ({"preset": preset} for preset in ("app", "bidding", "showing"))
# game, first, second, single games, and maybe other rules than the usual ones
DUELS: tuple[tuple[Any, ...], ...] = (
    ("koikoi", "classical", "random", 10_000),
    ("koikoi", "sl", "random", 2_000),
    ("koikoi", "sl", "sl-heldout", 2_000),
    ("koikoi", "sl-heldout", "random", 2_000),
    ("koikoi", "rl-wp", "sl-heldout", 2_000),
    ("koikoi", "rl-point", "sl-heldout", 2_000),
    ("koikoi", "rl-wp", "sl", 2_000),
    ("koikoi", "rl-point", "sl", 2_000),
    ("koikoi", "rl-wp", "random", 2_000),
    ("koikoi", "rl-point", "random", 2_000),
    ("koikoi", "rl-wp", "classical", 2_000),
    ("koikoi", "rl-point", "classical", 2_000),
    ("koikoi", "rl-wp", "rl-point", 2_000),
    ("koikoi", "search", "rl-wp", 2_000),
    ("koikoi", "search", "sl-heldout", 2_000),
    ("koikoi", "search", "classical", 2_000),
    ("koikoi", "best", "rl-wp", 2_000),
    ("koikoi", "best", "rl-point", 2_000),
    ("koikoi", "best", "sl-heldout", 2_000),
    ("koikoi", "best", "classical", 2_000),
    ("koikoi", "best", "uct", 400),
    ("koikoi", "best", "sl", 2_000),
    ("koikoi", "best", "random", 2_000),
    ("koikoi", "best-point", "sl-heldout", 2_000),
    ("koikoi", "best-point", "rl-point", 2_000),
    ("koikoi", "uct", "random", 2_000),
    ("koikoi", "uct", "classical", 2_000),
    ("gongzhu", "if", "random", 2_048),
    ("gongzhu", "greed", "random", 2_048),
    ("gongzhu", "greed", "if", 2_048),
    ("gongzhu", "uct", "greed", 2_048),
    ("gongzhu", "uct", "if", 1_024),
    ("gongzhu", "scrofazero", "greed", 2_048),
    ("gongzhu", "scrofazero", "if", 2_048),
    ("gongzhu", "scrofazero", "uct", 2_048),
    ("gongzhu", "scrofazero", "random", 2_048),
    ("gongzhu", "scrofazero-raw", "greed", 2_048),
    ("gongzhu", "scrofazero-raw", "if", 2_048),
    ("gongzhu", "scrofazero-raw", "random", 2_048),
    ("gongzhu", "scrofazero-policy", "greed", 2_048),
    ("gongzhu", "scrofazero-policy", "if", 2_048),
    ("gongzhu", "scrofazero-policy", "random", 2_048),
    ("gongzhu", "scrofazero", "scrofazero-raw", 2_048),
    ("gongzhu", "scrofazero-raw", "scrofazero-policy", 2_048),
    ("gongzhu", "best", "greed", 2_048),
    ("gongzhu", "best", "if", 2_048),
    ("gongzhu", "best", "uct", 2_048),
    ("gongzhu", "best", "random", 2_048),
    ("gongzhu", "best", "scrofazero", 2_048),
    ("gongzhu", "best", "best-raw", 2_048),
    ("gongzhu", "best-raw", "greed", 2_048),
    ("gongzhu", "best-raw", "if", 2_048),
    ("gongzhu", "best-raw", "scrofazero", 2_048),
    ("doudizhu", "random", "random", 20_480),
    ("doudizhu", "rhcp", "random", 4_096),
    ("doudizhu", "rhcp", "rhcp", 4_096),
    ("doudizhu", "rhcp-partner", "rhcp", 4_096),
    ("doudizhu", "rhcp-partner", "random", 4_096),
    ("doudizhu", "mcts", "rhcp", 512),
    ("doudizhu", "best", "best-raw", 2_000),
    ("doudizhu", "best", "rhcp", 1_000),
    ("doudizhu", "best", "rhcp-partner", 1_000),
    ("doudizhu", "best-raw", "rhcp", 20_000),
    ("doudizhu", "best-raw", "rhcp-partner", 20_000),
    ("doudizhu", "best-raw", "random", 20_000),
    ("doudizhu", "best-raw", "mcts", 1_000),
    ("doudizhu", "best-point", "rhcp", 20_000),
    ("doudizhu", "best-point", "rhcp", 20_000, ADP),
    ("doudizhu", "best-point", "rhcp-partner", 20_000, ADP),
    ("doudizhu", "best-point", "best-raw", 20_000, ADP),
    ("doudizhu", "best-raw", "rhcp", 20_000, ADP),
    ("doudizhu", "deeprocket", "rhcp", 10_000),
    ("doudizhu", "deeprocket", "rhcp-partner", 10_000),
    ("doudizhu", "deeprocket", "best-raw", 10_000),
    ("doudizhu", "deeprocket", "cql", 10_000),
    ("doudizhu", "deeprocket", "mcts", 400),
    ("doudizhu", "cql", "random", 2_000),
    ("doudizhu", "cql", "rhcp", 2_000),
    ("doudizhu", "cql", "best-raw", 2_000),
    ("doudizhu", "cql", "mcts", 200),
    # Who learned the rules of a preset, under them, over those that know the papers' rules.
    ("koikoi", "app", "best-point", 2_000, APP),
    ("koikoi", "app", "best", 2_000, APP),
    ("koikoi", "app", "classical", 2_000, APP),
    ("doudizhu", "bidding", "best-point", 12_000, BIDDING),
    ("doudizhu", "bidding", "best-raw", 12_000, BIDDING),
    ("doudizhu", "bidding", "rhcp-partner", 12_000, BIDDING),
    ("gongzhu", "showing", "best", 2_048, SHOWING),
    ("gongzhu", "showing", "best-raw", 2_048, SHOWING),
    ("gongzhu", "showing", "greed", 2_048, SHOWING),
)


class Duel(NamedTuple):
    """One of the list above."""

    game: str
    first: str
    second: str
    games: int
    options: dict[str, str | int] = {}  # noqa: RUF012 - nobody writes to it

    @property
    def path(self) -> Path:
        """Where it is stored."""
        return RESULTS / f"{'-'.join(['duel', *self[:3], *map(str, self.options.values())])}.json"


def entrant(name: str, device: str | None, **parameters: object) -> str | Agent:
    """An agent by name; a model is played by PyTorch if there is a device for that."""
    game, _, short = name.partition("/")
    if device is None or short not in model_players(game):
        return fuda.agent(name, **parameters) if parameters else name
    from fuda.training.torch_agent import model_on  # PyTorch is for those who ask for it

    folder, suffix = model_players(game)[short]
    return model_on(device, folder, name, suffix, parameters)


def is_due(duel: Duel, again: bool) -> bool:
    """Whether a duel is to be played: not stored, or of fewer games, other weights, another commit."""
    if not duel.path.exists():
        return True
    stored = json.loads(duel.path.read_text())
    is_short = stored["result"]["games"] < duel.games
    return is_short or not is_current(stored) or (again and stored["commit"] != commit())


def tell_origin(path: Path, device: str, seconds: float) -> None:
    """Say in a stored duel when and where it was played, and how long that took."""
    day = datetime.now(UTC).date().isoformat()
    told = json.loads(path.read_text()) | {"date": day, "device": device, "seconds": round(seconds, 1)}
    path.write_text(json.dumps(told, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Play and store the duels of the result tables.")
    parser.add_argument("games", nargs="*", default=fuda.list_games())
    parser.add_argument("--of", nargs="+", help="only duels of these players over others")
    parser.add_argument("--over", nargs="+", help="only duels over these players")
    parser.add_argument("--again", action="store_true", help="also what is stored, at this commit")
    parser.add_argument("--device", help="play models by PyTorch on this device, not by onnxruntime")
    arguments = parser.parse_args()
    asked = [
        duel
        for duel in (Duel(*row) for row in DUELS)
        if duel.game in arguments.games
        and duel.first in (arguments.of or [duel.first])
        and duel.second in (arguments.over or [duel.second])
    ]
    if not asked:
        parser.error("there are no such duels")
    if not any(is_due(duel, arguments.again) for duel in asked):
        print("nothing to play: every duel asked for is stored, with the weights that ship now")
    for duel in asked:
        game, first, second, games, options = duel
        path = duel.path
        if not is_due(duel, arguments.again):  # another process may have played it meanwhile
            continue
        missing = [name for name in (first, second) if f"{game}/{name}" not in fuda.list_agents(game)]
        if missing:
            print(f"{game}/{first} over {second}: left out, there is no {missing[0]}", flush=True)
            continue
        path.unlink(missing_ok=True)
        began = time.perf_counter()
        sides = [entrant(f"{game}/{name}", arguments.device) for name in (first, second)]
        result = fuda.duel(game, *sides, games, REPORT_SEED, out=path, **options)
        seconds = time.perf_counter() - began
        tell_origin(path, arguments.device or "cpu", seconds)
        print(
            f"{game}/{first} over {second}{''.join(f', {word}' for word in options.values())}: "
            f"{result.win_rate:.1%} ± {result.win_rate_stderr:.1%}, "
            f"{result.mean_diff:+.2f} ± {result.stderr:.2f}, {result.games} games in {seconds:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
    tables.write()
