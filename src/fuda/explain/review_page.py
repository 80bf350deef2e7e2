"""A review as one HTML file: text, tables and a graph, without a script or a request."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from fuda.core.game import GameSpec
from fuda.explain.review import Review
from fuda.explain.review_words import (
    amount,
    headline,
    judged_by,
    label,
    signed,
    standing_line,
    sum_line,
    unlearned_rules,
    where,
)

WIDTH, HEIGHT = 760, 260  # of the graph, and how much of it is for labels
LEFT, BELOW, ABOVE = 56, 24, 12
NUM_LINES = 4  # across the graph

STYLE = """
:root { color-scheme: light dark; --ink: #222; --soft: #666; --line: #ccc; --curve: #1668a8; --bad: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --soft: #a0a0a0; --line: #444; --curve: #6db3f2; --bad: #ff8a80 }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 48rem;
  margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
.soft, figcaption { color: var(--soft); font-size: .9rem } figure { margin: 1.5rem 0 }
svg { width: 100%; height: auto } svg text { fill: var(--soft); font-size: 12px }
.grid { stroke: var(--line) } .deal { stroke: var(--line); stroke-dasharray: 3 3 }
.curve { fill: none; stroke: var(--curve); stroke-width: 2 } .mistake { fill: var(--bad) }
table { border-collapse: collapse; width: 100% } .wide { overflow-x: auto }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line) }
td.number, th.number { text-align: right }
"""


class Point(NamedTuple):
    """A point of the graph: after so many moves, what was expected."""

    moves: int
    level: float


def review_page(review: Review, spec: GameSpec) -> str:
    """The whole file."""
    name = review.players[review.seat]
    title = f"{spec.title}: a review of seat {review.seat}" + ("" if name == "?" else f", {name}")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p><strong>{escape(headline(review))}</strong></p>
<p>{escape(sum_line(review))}</p>
{_standing(review)}
{_graph(review)}
<h2>Mistakes</h2>
{_mistakes(review, spec)}
<h2>Cost by kind of decision</h2>
{_kinds(review)}
<h2>All decisions</h2>
{_decisions(review, spec)}
<p class="soft">{escape(judged_by(review))}</p>{_unlearned(review)}
</body>
</html>
"""


def _standing(review: Review) -> str:
    line = standing_line(review)
    return f"<p>{escape(line)}</p>" if line else ""


def _unlearned(review: Review) -> str:
    return f"\n<p>{escape(unlearned_rules(review))}.</p>" if review.unlearned else ""


def points_of(review: Review) -> list[Point]:
    """What was expected before each decision and after it, and at the end."""
    points = [Point(0, review.start)]
    for one in review.decisions:
        points += [Point(one.index, one.before), Point(one.index + 1, one.after)]
    return [*points, Point(review.moves, review.start + review.result)]


def _graph(review: Review) -> str:
    points = points_of(review)
    low, high = _range(review, points)

    def x(index: float) -> float:
        return LEFT + (WIDTH - LEFT) * index / review.moves

    def y(level: float) -> float:
        return ABOVE + (HEIGHT - ABOVE - BELOW) * (high - level) / (high - low)

    lines = []
    for number in range(NUM_LINES + 1):
        level = low + (high - low) * number / NUM_LINES
        text = f"{level:.0%}" if review.unit == "probability" else f"{level:+.0f}"
        lines.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH}" y1="{y(level):.1f}" y2="{y(level):.1f}"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y(level) + 4:.1f}" text-anchor="end">{text}</text>')
    for one, following in zip(review.decisions, review.decisions[1:], strict=False):
        if following.deal != one.deal:
            place = x(following.index)
            lines.append(
                f'<line class="deal" x1="{place:.1f}" x2="{place:.1f}" y1="{ABOVE}" y2="{HEIGHT - BELOW}"/>'
            )
    curve = " ".join(f"{x(point.moves):.1f},{y(point.level):.1f}" for point in points)
    lines.append(f'<polyline class="curve" points="{curve}"/>')
    after = {one.index: one.after for one in review.decisions}
    for mistake in review.mistakes:
        title = f"move {mistake.index + 1}: {signed(-mistake.cost, review.unit)}"
        lines.append(
            f'<circle class="mistake" cx="{x(mistake.index + 1):.1f}" cy="{y(after[mistake.index]):.1f}" '
            f'r="5">'
            f"<title>{escape(title)}</title></circle>"
        )
    lines.append(f'<text x="{LEFT}" y="{HEIGHT - 6}">move 1</text>')
    lines.append(f'<text x="{WIDTH}" y="{HEIGHT - 6}" text-anchor="end">move {review.moves}</text>')
    what = "The chance to win the match" if review.unit == "probability" else "The points expected"
    return (
        f'<figure><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{what}, move by move">\n'
        + "\n".join(lines)
        + f"\n</svg><figcaption>{what}, by what the player saw. Dots: mistakes.</figcaption></figure>"
    )


def _range(review: Review, points: Sequence[Point]) -> tuple[float, float]:
    """The lowest and the highest level that the graph has room for."""
    if review.unit == "probability":
        return 0.0, 1.0
    reach = max(1.0, *(abs(point.level) for point in points))
    return -reach, reach


def _mistakes(review: Review, spec: GameSpec) -> str:
    if not review.mistakes:
        return "<p>None that can be told from noise.</p>"
    decisions = {one.index: one for one in review.decisions}
    rows = [
        (
            where(spec, decisions[one.index]), label(spec, one.move), label(spec, one.best),
            amount(one.cost, review.unit), f"{amount(one.second_cost, review.unit)} ± "
            f"{amount(one.stderr, review.unit)}",
        )
        for one in review.mistakes
    ]  # fmt: skip
    return _table(("where", "played", "better", "cost", "played out"), rows, 3)


def _kinds(review: Review) -> str:
    rows = [(kind, amount(cost, review.unit)) for kind, cost in review.costs_by_kind.items()]
    return _table(("kind", "cost"), rows, 1)


def _decisions(review: Review, spec: GameSpec) -> str:
    unit = review.unit
    rows = [
        (
            where(spec, one), one.kind, label(spec, one.move), label(spec, one.best), amount(one.cost, unit),
            signed(one.luck, unit), signed(one.others_cost, unit),
        )
        for one in review.decisions
    ]  # fmt: skip
    return _table(
        ("where", "kind", "played", "best", "cost", "luck until the next", "from the others"), rows, 4
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], first_number: int) -> str:
    """A table whose columns from `first_number` on are figures."""

    def cells(tag: str, texts: Sequence[str]) -> str:
        kinds = ('class="number"' if place >= first_number else "" for place in range(len(texts)))
        return "".join(
            f"<{tag} {kind}>{escape(text)}</{tag}>".replace(" >", ">")
            for kind, text in zip(kinds, texts, strict=True)
        )

    body = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    head = f"<thead><tr>{cells('th', heads)}</tr></thead>"
    return f'<div class="wide"><table>{head}\n<tbody>\n{body}\n</tbody></table></div>'
