"""Attention between cards as a picture: one panel for each layer and head."""

import math
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline

from fuda.core.match import Match
from fuda.explain.attention import Attention, AttentionReader

FORMATS = (".svg", ".png")
CELL = 0.125  # inches, as are the next three
SIDE, BELOW, HEAD = 1.3, 1.0, 1.45  # beside and below a panel, and above all
LABEL_SIZE, PLACE_SIZE = 6.0, 7.0
PLACE, SUIT = "#8a4b08", "#2a9d4a"  # the colours of what tells places and suits
DOTS = 160
STRONGEST = 0.3  # attention from here on is drawn alike, so that weaker lines stay visible
HOW_TO_READ = (
    "A row is a token: the darker, the more of its attention is on the column's token. "
    "Green frames: the same suit.\nThe last layer is computed for the legal moves alone."
)

Groups = list[tuple[str, list[int]]]  # names of places with the tokens that are there


def check_format(path: Path) -> Path:
    """A path that a picture can be written to."""
    if path.suffix not in FORMATS:
        raise ValueError(f"a picture is a file that ends in {' or '.join(FORMATS)}, not {path.name}")
    return path


def draw_attention(reader: AttentionReader, match: Match, title: str, path: Path) -> None:
    """Draw the attention in a position, tokens grouped by place; in the last layer the legal moves' alone."""
    (attention,) = reader.read([match])
    groups = reader.token_places(match)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "fuda"}):  # text as text, the same ids each time
        figure = _figure(attention, groups, np.asarray(reader.encoding.SUITS), match, title)
        try:
            figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=DOTS)
        except OSError as error:
            raise ValueError(f"cannot write {path}: {error.strerror}") from None


def _figure(attention: Attention, groups: Groups, suits: np.ndarray, match: Match, title: str) -> Figure:
    tokens = [token for _, cards in groups for token in cards]
    layers, _, heads = attention.weights.shape[:3]
    columns = math.ceil(heads**0.5)
    rows = [[token for token in tokens if attention.readers[layer, 0, token]] for layer in range(layers)]
    panel, heights = CELL * len(tokens), [CELL * len(read) for read in rows]
    width = columns * (panel + SIDE)
    height = HEAD + sum(math.ceil(heads / columns) * (tall + BELOW) for tall in heights)
    figure = Figure(figsize=(width, height))
    left_text = 0.5 * SIDE / width
    figure.text(left_text, 1 - 0.2 / height, title, fontsize=13, fontweight="bold", va="top")
    figure.text(left_text, 1 - 0.5 / height, HOW_TO_READ, fontsize=9, va="top")
    top = height - HEAD
    for layer, (read, tall) in enumerate(zip(rows, heights, strict=True)):
        for head in range(heads):
            left = 0.5 * SIDE + head % columns * (panel + SIDE)
            bottom = top - tall - head // columns * (tall + BELOW)
            axes = figure.add_axes((left / width, bottom / height, panel / width, tall / height))
            weights = attention.weights[layer, 0, head][np.ix_(read, tokens)]
            image = axes.imshow(
                weights, cmap="Blues", vmin=0, vmax=STRONGEST, aspect="auto", interpolation="nearest"
            )
            axes.set_title(f"Layer {layer + 1}, head {head + 1}", fontsize=10, pad=30)
            _label(axes, groups, read, match)
            _frame(axes, (suits[read][:, None] == suits[tokens]) & (suits[read] >= 0)[:, None])
        top -= math.ceil(heads / columns) * (tall + BELOW)
    bar = figure.add_axes(((width - 3.4) / width, 1 - 0.5 / height, 2.8 / width, 0.13 / height))
    figure.colorbar(image, cax=bar, orientation="horizontal", extend="max")
    bar.tick_params(labelsize=7)
    bar.set_title("part of a token's attention", fontsize=8, pad=3)
    return figure


def _frame(axes: Axes, framed: np.ndarray) -> None:
    """Frames around cells, all in one path: the file stays small."""
    corners = np.array([(-0.35, -0.35), (0.35, -0.35), (0.35, 0.35), (-0.35, 0.35), (-0.35, -0.35)])
    cells = [Outline(corners + cell[::-1], closed=True) for cell in np.argwhere(framed)]
    if cells:
        axes.add_patch(PathPatch(Outline.make_compound_path(*cells), fill=False, ec=SUIT, lw=0.6))


def _label(axes: Axes, groups: Groups, read: list[int], match: Match) -> None:
    """Names of the tokens and of the places, and lines between places."""
    names = {
        token: match.game.spec.text.move_text(token) for _, tokens in groups for token in tokens
    }  # a token stands for an action
    axes.set_xticks(range(len(names)), list(names.values()), rotation=90, fontsize=LABEL_SIZE)
    axes.set_yticks(range(len(read)), [names[token] for token in read], fontsize=LABEL_SIZE)
    axes.tick_params(length=0, pad=2)
    first_column = first_row = 0
    for place, tokens in groups:
        last_column = first_column + len(tokens)
        last_row = first_row + sum(token in read for token in tokens)
        middle = (first_column + last_column - 1) / 2
        axes.text(middle, -0.9, place, rotation=30, fontsize=PLACE_SIZE, ha="left", va="bottom", color=PLACE)
        axes.axvline(last_column - 0.5, color=PLACE, lw=0.6)
        if last_row > first_row:
            beside = len(names) - 0.2
            axes.text(
                beside, (first_row + last_row - 1) / 2, place, fontsize=PLACE_SIZE, va="center", color=PLACE
            )
            axes.axhline(last_row - 0.5, color=PLACE, lw=0.6)
        first_column, first_row = last_column, last_row
