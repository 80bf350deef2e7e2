"""What the shipped models think of the kept positions, and how much attention stays in a suit.

    python bench/explain.py                for all games with models
    python bench/explain.py --games 50     attention over so many games of self-play

Writes explain-GAME.json (values in docs/positions/GAME-*.jsonl, before the last move of each)
and attention-GAME.json, and draws the attention in the first position. Needs `make dev`.
"""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from results_folder import add_results, pictures, write

import fuda
from fuda.agents.model import model_folders
from fuda.core.provenance import commit, versions
from fuda.explain import explain_move, valued_models
from fuda.explain.attention import AttentionReader, suit_masses
from fuda.explain.picture import draw_attention
from fuda.explain.values import position_before
from fuda.explain.walk import walk
from fuda.records import load

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SEED = 1


def positions(game: str) -> dict[str, tuple[fuda.Match, int]]:
    """The kept records of a game with the number of the move that is explained, by name."""
    matches = {file.stem: load(file) for file in sorted((DOCS / "positions").glob(f"{game}-*.jsonl"))}
    return {name: (match, len(match.moves)) for name, match in matches.items()}


def values(game: str) -> dict[str, Any]:
    agents = [fuda.agent(name) for name in valued_models(game)]
    return {
        "kind": "explain",
        "game": game,
        "weights": {agent.name: agent.weights for agent in agents},
        "positions": {
            name: explain_move(match, number, agents).as_dict()
            for name, (match, number) in positions(game).items()
        },
        "commit": commit(),
        "versions": versions(),
    }


def attention(game: str, games: int) -> dict[str, Any]:
    """Of the networks that play alone: what a search looks at is not one position's attention."""
    found, weights = {}, {}
    for name in sorted(model_folders(game)):
        agent = fuda.agent(f"{game}/{name}")
        if agent.info.searches:
            continue
        weights[agent.name] = agent.weights
        masses = suit_masses(AttentionReader(agent), walk(fuda.game(game), agent, games, SEED))
        found[agent.name] = [asdict(mass) for mass in masses]
        print(f"{agent.name}: {len(masses)} heads", flush=True)
    return {
        "kind": "attention",
        "game": game,
        "games": games,
        "seed": SEED,
        "weights": weights,
        "agents": found,
        "commit": commit(),
        "versions": versions(),
    }


def draw(game: str, stored: dict[str, Any], folder: Path) -> None:
    """The attention of the agent with the head that looks most at its suit, in the first position."""
    strongest = max(
        stored["agents"],
        key=lambda name: max(mass["others"] for mass in stored["agents"][name] if mass["layer"] == 1),
    )
    name, (match, number) = next(iter(positions(game).items()))
    title = f"{strongest} in {name}, before move {number}"
    reader = AttentionReader(fuda.agent(strongest))
    draw_attention(reader, position_before(match, number), title, folder / f"attention-{game}.svg")


def main() -> None:
    parser = argparse.ArgumentParser(description="Values in the kept positions, and attention.")
    parser.add_argument("--games", type=int, default=50, help="of self-play of each model, for attention")
    add_results(parser)
    arguments = parser.parse_args()
    for game in fuda.list_games():
        if not positions(game) or not model_folders(game):
            continue
        explained, attended = values(game), attention(game, arguments.games)
        for figures in (explained, attended):
            write(arguments.results / f"{figures['kind']}-{game}.json", figures)
        draw(game, attended, pictures(arguments.results))


if __name__ == "__main__":
    main()
