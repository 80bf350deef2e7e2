"""Tables of what encodings tell networks, from the games' own tables of blocks."""

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

from markdown_text import ROOT, table

import fuda
from fuda.envs import layout_of


def encoding(game: str, module: str = "encoding") -> str:
    """The block tables of a game's encoding: what its networks see."""
    found = importlib.import_module(f"fuda.games.{game}.{module}")
    if hasattr(found, "LAYOUT"):
        return planes_of(found)
    if hasattr(found, "NUM_WORDS"):
        head = f"Version {found.ENCODING_VERSION}; {found.NUM_WORDS} words, {found.NUM_COLUMNS} numbers."
        text = [head, blocks_table(found.BLOCKS)[1]]
        if hasattr(found, "MOVE_BLOCKS"):
            text.append(f"A move: {found.NUM_MOVE_WORDS} words, {found.NUM_MOVE_COLUMNS} numbers.")
            text.append(blocks_table(found.MOVE_BLOCKS)[1])
        return "\n\n".join(text)
    parts = (
        ("Attributes, of each token", found.ATTRIBUTE_BLOCKS),
        ("Places, of each token", found.PLACE_BLOCKS),
        ("Progress, the same for all tokens", found.PROGRESS_BLOCKS),
    )
    text = [f"Version {found.ENCODING_VERSION}; {found.NUM_TOKENS} tokens."]
    for title, blocks in parts:
        width, rows = blocks_table(blocks)
        text += [f"### {title}: {width} rows", rows]
    return "\n\n".join(text)


def observations(game: str, **options: object) -> str:
    """The columns of environments' observations and moves."""
    layout = layout_of(fuda.game(game, **options))
    return "\n\n".join(
        f"{title}: {sum(block.width for block in blocks):,} numbers.\n\n{blocks_table(blocks)[1]}"
        for title, blocks in (("An observation", layout.blocks), ("A legal move", layout.move_blocks))
    )


def planes_of(encoding: Any) -> str:
    """The planes of an encoding, of positions and of beginnings of actions."""
    text = [f"Version {encoding.ENCODING_VERSION}."]
    for what, layout, rows, blocks in (
        ("A position", encoding.LAYOUT, encoding.ROWS, encoding.PLANES),
        ("A kicker", encoding.FURTHER_LAYOUT, encoding.FURTHER_ROWS, encoding.FURTHER_PLANES),
    ):
        z, y, x = layout.shape
        text.append(
            f"{what}: {x} x {y} x {z}, with {len(layout.legal_words)} outputs. Rows: {', '.join(rows)}."
        )
        first, lines = 0, []
        for block in blocks:
            last = first + block.planes - 1
            lines.append([str(first) if first == last else f"{first} to {last}", block.name, block.meaning])
            first = last + 1
        text.append(table(["planes", "block", "meaning"], lines))
    return "\n\n".join(text)


def blocks_table(blocks: Any) -> tuple[int, str]:
    """The width of all blocks, and their table with the place of each."""
    rows, first = [], 0
    for block in blocks:
        last = first + block.width - 1
        number = "" if last < first else f"{first}" if first == last else f"{first} to {last}"
        divided = f"; divided by {block.scale}" if getattr(block, "scale", 1) != 1 else ""
        rows.append([number, block.name, str(block.width), block.meaning + divided])
        first += block.width
    return first, table(["rows", "block", "width", "meaning"], rows)


ENCODED = sorted(
    (file.parent.name, file.stem)
    for file in (ROOT / "src/fuda/games").glob("*/*.py")
    if "\nENCODING_VERSION = " in file.read_text()
)


TABLES: dict[str, Callable[[], str]] = {
    **{f"observations {game}": partial(observations, game) for game in fuda.list_games()},
    "observations doudizhu bidding": partial(observations, "doudizhu", bidding="on"),
    **{f"{module} {game}": partial(encoding, game, module) for game, module in ENCODED},
}
