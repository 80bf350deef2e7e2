"""Draws the pictures of the documents: `python docs/pictures.py`, or some: `python docs/pictures.py network`.

The charts are drawn from bench/results/ and the shipped models; `docs/charts.py` draws them for others.
The picture of attention is drawn by `bench/explain.py`.
"""

import argparse
import io
import re
from pathlib import Path

import charts
import deeprocket_diagrams
import diagrams
from rich.console import Console

import fuda
from fuda.games.koikoi import terminal

FOLDER = Path(__file__).parent
SEED, MOVES = 24, 19  # a position with something on both piles


def koikoi_terminal() -> str:
    """A turn of Koi-Koi as `fuda play` shows it."""
    match = fuda.game("koikoi").start(SEED)
    agent = fuda.agent("koikoi/classical")
    console = Console(record=True, width=92, file=io.StringIO(), highlight=False)
    names = ["You", "Classical"]
    while len(match.moves) < MOVES or match.seat != 0 or match.view(0)["phase"] != "discard":
        match.play(agent.choose(match))
        if len(match.moves) > MOVES - 2:
            for event in match.events(0):
                console.print(terminal.say(event, names))
    view = match.view(0)
    numbers = {move: number for number, move in enumerate(terminal.order(view["legal"]), 1)}
    console.print(terminal.draw(view, names, numbers))
    svg = console.export_svg(title="fuda play koikoi --against koikoi/classical")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # no font from elsewhere


PICTURES = {"koikoi-terminal": koikoi_terminal, **diagrams.DRAWINGS, **deeprocket_diagrams.DRAWINGS,
            **charts.CHARTS}  # fmt: skip


def main() -> None:
    """Write the pictures that are asked for, or all."""
    parser = argparse.ArgumentParser(description="Draw the pictures of the documents.")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(PICTURES)}; else all")
    names = parser.parse_args().names or list(PICTURES)
    for name in names:
        if name not in PICTURES:
            parser.error(f"there is no picture {name}; there are {', '.join(PICTURES)}")
        (FOLDER / f"{name}.svg").write_text(PICTURES[name]())


if __name__ == "__main__":
    main()
