"""Boxes and arrows of the documents: a turn of Koi-Koi, the network, the training loop.

`python docs/pictures.py` draws them. Sizes come from the code that they describe. Choices are orange, what
happens by itself is blue, data is green, ends are grey.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from fuda.games.koikoi import encoding, rules
from fuda.games.koikoi.outcomes import NUM_CLASSES
from fuda.nets.token_transformer import TokenShape
from fuda.training.registry import find_recipe

CHOICE, WORK, END, DATA = "#fbe3c0", "#dbe9f6", "#e3e3e3", "#e4f1dc"
LINE = "#444444"
SIZE, LEADING = 14, 18


@dataclass(frozen=True)
class Box:
    """A labelled rectangle, given by its centre."""

    x: float
    y: float
    width: float
    height: float

    def side(self, name: str) -> tuple[float, float]:
        """The middle of a side."""
        dx, dy = {"left": (-0.5, 0), "right": (0.5, 0), "top": (0, -0.5), "bottom": (0, 0.5)}[name]
        return self.x + dx * self.width, self.y + dy * self.height


class Drawing:
    """An SVG picture that is put together piece by piece."""

    def __init__(self, width: int, height: int, title: str):
        self.width, self.height, self.title = width, height, title
        self._parts: list[str] = []

    def box(
        self, x: float, y: float, width: float, lines: Sequence[str], colour: str = WORK, round_by: int = 4
    ) -> Box:
        """A box around lines of text; the first is bold."""
        height = LEADING * len(lines) + 16
        self._parts.append(
            f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" '
            f'rx="{round_by}" fill="{colour}" stroke="{LINE}"/>'
        )
        for number, line in enumerate(lines):
            below = y + (number - (len(lines) - 1) / 2) * LEADING + SIZE * 0.35
            self.text(x, below, line, bold=number == 0)
        return Box(x, y, width, height)

    def text(self, x: float, y: float, line: str, bold: bool = False, anchor: str = "middle") -> None:
        """One line of text."""
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{weight}>{escape(line)}</text>')

    def arrow(self, *points: tuple[float, float]) -> None:
        """An arrow along points."""
        path = " L".join(f"{x:g} {y:g}" for x, y in points)
        self._parts.append(
            f'<path d="M{path}" fill="none" stroke="{LINE}" stroke-width="1.5" marker-end="url(#tip)"/>'
        )

    def frame(self, x: float, y: float, width: float, height: float, label: str) -> None:
        """A dashed frame with a label in its upper left corner."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8" fill="none" '
            f'stroke="#999999" stroke-dasharray="6 4"/>'
        )
        self.text(x + 12, y + 20, label, bold=True, anchor="start")

    def svg(self) -> str:
        """The whole picture."""
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" font-family="Helvetica, Arial, sans-serif" '
            f'font-size="{SIZE}" fill="#222222">',
            f"<title>{escape(self.title)}</title>",
            '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
            f'orient="auto"><path d="M0 0 L10 5 L0 10 z" fill="{LINE}"/></marker></defs>',
            f'<rect width="{self.width}" height="{self.height}" fill="white"/>',
            *self._parts,
            "</svg>\n",
        ])  # fmt: skip


def turn() -> str:
    """The decisions of a turn of Koi-Koi (the paper's Fig. 2)."""
    drawing = Drawing(960, 690, "The decisions of a turn of Koi-Koi")
    middle, right, left = 450, 820, 130
    begin = drawing.box(middle, 35, 240, ["The player's turn"], END, 16)
    discard = drawing.box(middle, 105, 300, ["1  Discard a card from the hand"], CHOICE)
    meet = drawing.box(
        middle,
        195,
        340,
        ["How many field cards of its month?", "none: it stays; one: it takes it; three: takes all"],
    )
    pick = drawing.box(right, 195, 220, ["2  Pick one of the two", "for the discard"], CHOICE)
    draw = drawing.box(middle, 285, 300, ["Draw the top card of the stock"])
    meet_again = drawing.box(middle, 370, 340, ["How many field cards of its month?", "the same again"])
    pick_again = drawing.box(right, 370, 220, ["3  Pick one of the two", "for the draw"], CHOICE)
    check = drawing.box(middle, 465, 340, ["Are the points of the yaku higher", "than before the turn?"])
    last = drawing.box(middle, 555, 300, [f"Is it the player's own {rules.HAND_SIZE}th turn?"])
    claim = drawing.box(middle, 635, 300, ["4  Koi-koi or stop?"], CHOICE)
    end = drawing.box(
        right, 635, 220, ["The round ends", "the player wins the points", "and deals the next"], END
    )
    other = drawing.box(
        left,
        520,
        230,
        [
            "The other player's turn",
            f"after turn {rules.NUM_TURNS}: the round ends,",
            "the dealer wins 1 point",
        ],
        END,
    )
    for above, below in (
        (begin, discard),
        (discard, meet),
        (meet, draw),
        (draw, meet_again),
        (meet_again, check),
        (check, last),
        (last, claim),
    ):
        drawing.arrow(above.side("bottom"), below.side("top"))
    for asked, chosen, then in ((meet, pick, draw), (meet_again, pick_again, check)):
        drawing.arrow(asked.side("right"), chosen.side("left"))
        drawing.text(asked.side("right")[0] + 12, asked.y - 8, "two", anchor="start")
        x, y = chosen.side("bottom")
        drawing.arrow((x, y), (x, then.y), then.side("right"))
    drawing.text(middle + 12, 518, "yes", anchor="start")
    drawing.text(middle + 12, 598, "no", anchor="start")
    x, y = check.side("left")
    drawing.arrow((x, y), (other.x, y), other.side("top"))
    drawing.text(x - 12, y - 8, "no", anchor="end")
    x, y = last.side("right")
    drawing.arrow((x, y), (end.x, y), end.side("top"))
    drawing.text(x + 12, y - 8, "yes", anchor="start")
    x, y = claim.side("right")
    drawing.arrow((x, y), end.side("left"))
    drawing.text(x + 12, y - 8, "stop", anchor="start")
    x, y = claim.side("left")
    drawing.arrow((x, y), (other.x, y), other.side("bottom"))
    drawing.text(x - 10, y - 8, "koi-koi", anchor="end")
    return drawing.svg()


def network(shape: TokenShape | None = None) -> str:
    """From a view to the value of each legal move (the paper's Fig. 3)."""
    shape = shape or TokenShape()
    drawing = Drawing(960, 760, "The network over card tokens")
    tokens = encoding.NUM_TOKENS
    drawing.frame(20, 15, 920, 205, "Input, written from the mover's view")
    cards = ["1-1", "1-2", "1-3", "1-4", "2-1", "...", "12-3", "12-4", "koi-koi", "stop"]
    drawing.text(140, 75, f"{tokens} tokens, one for each move:", anchor="middle")
    for number, card in enumerate(cards):
        drawing.box(300 + 66 * number, 71, 60, [card], DATA if number < 8 else CHOICE)
    places = drawing.box(
        180,
        160,
        270,
        [
            "places",
            f"{tokens} x {encoding.NUM_PLACE_ROWS} bits: where a card is,",
            "what happened to it in each turn",
        ],
        DATA,
    )
    attributes = drawing.box(
        480,
        160,
        270,
        ["attributes", f"{tokens} x {encoding.NUM_ATTRIBUTES} bits: suit, groups;", "they never change"],
        DATA,
    )
    progress = drawing.box(
        780,
        160,
        270,
        [
            "progress",
            f"{encoding.NUM_PROGRESS} numbers: lead, rounds, turn,",
            "yaku, counts; once for all tokens",
        ],
        DATA,
    )
    added = drawing.box(480, 285, 420, [f"Linear to {shape.first} each, added, ReLU", "for every token"])
    narrow = drawing.box(480, 355, 420, [f"Linear to {shape.width}, ReLU"])
    for given in (places, progress):
        x, y = given.side("bottom")
        drawing.arrow((x, y), (x, added.y), added.side("left" if x < 480 else "right"))
    drawing.arrow(attributes.side("bottom"), added.side("top"))
    drawing.arrow(added.side("bottom"), narrow.side("top"))
    drawing.frame(150, 395, 660, 135, f"Block, {_times(shape.blocks - 1)}: all tokens")
    drawing.frame(150, 545, 660, 135, "Last block: only the tokens of legal moves ask")
    bottom = narrow.side("bottom")
    for y in (475, 625):
        attention = drawing.box(
            320, y, 280, [f"Self-attention, {shape.heads} heads", "+ residual, LayerNorm"]
        )
        forward = drawing.box(640, y, 280, [f"ReLU layer of {shape.hidden}", "+ residual, LayerNorm"])
        top = attention.side("top")
        drawing.arrow(bottom, (bottom[0], y - 40), (top[0], y - 40), top)
        drawing.arrow(attention.side("right"), forward.side("left"))
        bottom = forward.side("bottom")
    value = drawing.box(640, 725, 280, ["Linear to 1: the value of a move"])
    best = drawing.box(200, 725, 300, ["the best legal move is played"], CHOICE)
    drawing.arrow(bottom, value.side("top"))
    drawing.arrow(value.side("left"), best.side("right"))
    return drawing.svg()


def training() -> str:
    """Self-play and learning in one process (the paper's Fig. 4)."""
    recipe = find_recipe("koikoi").recipe
    guests = sum(recipe.guests.values())
    drawing = Drawing(980, 620, "The training loop")
    drawing.frame(20, 15, 420, 400, "CPU: compiled, on all cores")
    drawing.frame(540, 15, 420, 400, "GPU: two recorded steps")
    play = drawing.box(
        230,
        95,
        360,
        [
            "Play one choice in every match",
            "the best move, or with chance epsilon any",
            f"{recipe.groups} groups of {recipe.group_size:,} matches, in turn",
            f"{guests:.0%} of the matches against guests",
        ],
    )
    encode = drawing.box(230, 220, 360, ["Encode the movers' views", "as bits; legal moves beside them"])
    label = drawing.box(
        230,
        335,
        360,
        [
            "When a round ends: targets",
            "how it ended, drawn towards the chances",
            f"given at later decisions (lambda {recipe.lambda_return:g})",
        ],
    )
    value = drawing.box(750, 95, 360, ["Value the legal moves", "by the averaged weights"], CHOICE)
    keep = drawing.box(750, 220, 360, ["Keep the decisions", "until their rounds have ended"], DATA)
    learn = drawing.box(
        750,
        335,
        360,
        [
            "Learn from the oldest",
            f"chances of {NUM_CLASSES} outcomes, batches of {recipe.batch:,};",
            "the average of the weights is what ships",
        ],
    )
    drawing.arrow(play.side("bottom"), encode.side("top"))
    x, y = encode.side("right")
    drawing.arrow((x, y), keep.side("left"))
    drawing.text((x + keep.side("left")[0]) / 2, y - 10, "views")
    drawing.arrow(keep.side("top"), value.side("bottom"))
    drawing.arrow(value.side("left"), play.side("right"))
    drawing.text(490, play.y - 10, "moves")
    drawing.arrow(keep.side("bottom"), learn.side("top"))
    drawing.arrow(label.side("right"), learn.side("left"))
    drawing.text(490, label.y - 10, "targets")
    left = play.side("left")[0]
    drawing.arrow((left, play.y), (left - 15, play.y), (left - 15, label.y), (left, label.y))
    right = learn.side("right")[0]
    drawing.arrow((right, learn.y), (right + 15, learn.y), (right + 15, value.y), (right, value.y))
    chances = drawing.box(
        230,
        500,
        380,
        [
            "What an outcome is worth",
            "its points, or the chance to win after it: by",
            "backward induction over rounds, dealer and",
            "lead, from how rounds end in this play",
        ],
        DATA,
    )
    drawing.arrow(chances.side("top"), label.side("bottom"))
    model = drawing.box(
        750, 480, 360, ["Checkpoints and the model folder", "a run that was killed goes on the same"], END
    )
    duels = drawing.box(750, 570, 360, ["Duels while it trains", "on a seed that is for choosing"], END)
    drawing.arrow(learn.side("bottom"), model.side("top"))
    drawing.arrow(model.side("bottom"), duels.side("top"))
    return drawing.svg()


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


DRAWINGS = {"koikoi-turn": turn, "network": network, "training-loop": training}
