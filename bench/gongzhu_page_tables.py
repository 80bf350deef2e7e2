"""Tables of docs/gongzhu-results.md: those of the ScrofaZero paper, runs, cards, decisions."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from markdown_text import RESULTS, plus_minus, stored, table

from fuda.arena.transitivity import by_chance

GONGZHU = ("table2", "table3", "table5", "table8", "ceiling", "best")


def gongzhu(name: str) -> str:
    """A table of the ScrofaZero paper, from bench/gongzhu_tables.py."""
    found = stored(f"gongzhu {name}")
    if not found:
        return "Not measured yet."
    rows = []
    for what, row in found[0]["rows"].items():
        gain = f"{row['gain']:+.1f} ± {row['gain_stderr']:.1f}" if "gain" in row else ""
        rows.append([
            what, f"{row['points']:+.1f} ± {row['stderr']:.1f}", f"{row['win_rate']:.1%}",
            f"{row['draw_rate']:.1%}", gain, plus_minus(row.get("paper")),
            f"{row['deals']:,}" if "deals" in row else "", f"`{row['commit']}`" if "commit" in row else "",
        ])  # fmt: skip
    over = f" over {found[0]['gains are over']}" if "gains are over" in found[0] else ""
    head = ["", "points a game", "won", "drawn", f"gain{over}", "paper", "deals", "commit"]
    there = [column for column in range(len(head)) if any(row[column] for row in rows)]
    text = table([head[column] for column in there], [[row[column] for column in there] for row in rows])
    if name == "best":  # its rows are of several days
        return f"{text}\n\nDeals are played twice, seed {found[0]['seed']}."
    text += f"\n\n{found[0]['deals']:,} deals twice, seed {found[0]['seed']}; commit `{found[0]['commit']}`."
    if "intransitivity" in found[0]:
        rings, chance = found[0]["intransitivity"], intransitivity_by_chance(found[0]["rows"])
        text += f" Intransitivity {rings['value']:.3f} ± {rings['stderr']:.3f}"
        text += f" (paper {plus_minus(rings['paper'])}); a ladder, measured with these errors, has"
        text += (
            f" {chance.mean():.3f} on average and {np.quantile(chance, 0.95):.3f} or less in 95 of 100 cases."
        )
    return text


def intransitivity_by_chance(rows: dict[str, Any]) -> np.ndarray:
    """The intransitivity that a ladder shows, measured with the errors of these duels [samples]."""
    names = sorted({name for what in rows for name in what.split(" over ")})
    won, errors = np.zeros((2, len(names), len(names)))
    for what, row in rows.items():
        first, second = (names.index(name) for name in what.split(" over "))
        won[first, second], won[second, first] = row["points"], -row["points"]
        errors[first, second] = errors[second, first] = row["stderr"]
    return by_chance(won, errors, seed=1)


def gongzhu_training() -> str:
    """The ends of Gongzhu's training runs, from bench/gongzhu_training.py."""
    found = stored("gongzhu training")
    if not found:
        return "Not measured yet."
    rows = []
    for name, run in found[0]["runs"].items():
        last, start = run["curve"][-1], run.get("start")
        before = f"{start['games']:,} + " if start else ""
        rows.append([
            name, f"{run['parameters']:,}", f"{before}{last['games']:,}", f"{last['minutes']:.1f}",
            f"{run['games per second']:,}", f"{last['random_points']:+.0f}", f"{last['if_points']:+.0f}",
            f"{last['greed_points']:+.0f} ± {last['greed_stderr']:.0f}", f"`{run['commit']}`",
        ])  # fmt: skip
    head = ["run", "weights", "games", "minutes", "games/s", "over random", "over if", "over greed", "commit"]
    return table(head, rows)


def gongzhu_decisions() -> str:
    """How long Gongzhu's players think, from bench/gongzhu_decision.py."""
    rows = [
        [
            f"gongzhu/{found['player']}", f"{found['model MiB']:.2f}", f"{found['mean seconds']:.3f} s",
            f"{found['slowest, seconds']:.3f} s", f"{found['seconds of a game at all four seats']:.1f} s",
            f"{found['others at work (load)']:.1f}", f"`{found['commit']}`",
        ]
        for found in stored("gongzhu decision")
    ]  # fmt: skip
    head = [
        "player",
        "network, MiB",
        "a decision",
        "the slowest",
        "a game at all four seats",
        "load",
        "commit",
    ]
    return table(head, rows)


def gongzhu_curves(base: str) -> str:
    """The ends of the curves from bench/gongzhu_curves.py."""
    path = RESULTS / f"gongzhu-curves-{base}.json"
    if not path.exists():
        return "Not measured yet."
    found = json.loads(path.read_text())
    rows = []
    for name, run in found["runs"].items():
        end = run["curve"][-1]
        points, error = run["over greed"]["points"], run["over greed"]["stderr"]
        rows.append([
            name, f"{end['minutes']:.1f}", f"{end['random_points']:+.0f}", f"{points:+.0f} ± {error:.0f}",
            f"{run['all hearts']:.1%}",
            f"`{run['commit']}`",
        ])  # fmt: skip
    head = ["changed", "minutes", "over random", "over greed", "all hearts taken", "commit"]
    return f"{table(head, rows)}\n\n{found['games']:,} games each."


def gongzhu_cards() -> str:
    """Table 4 of the ScrofaZero paper, from bench/gongzhu_cards.py."""
    found = stored("gongzhu cards")
    if not found:
        return "Not measured yet."
    rows = [
        [card, f"{row['worth']:+.1f} ± {row['stderr']:.1f}", str(row["greed"]), row["paper"]]
        for card, row in found[0]["table 4"].items()
    ]
    return table(["card", "worth to hold", "Mr. Greed", "paper's network"], rows)


def gongzhu_irrelevant() -> str:
    """Tables 6 and 7 of the ScrofaZero paper, from bench/gongzhu_cards.py."""
    found = stored("gongzhu cards")
    if not found:
        return "Not measured yet."

    def told(factors: dict[str, float]) -> str:
        return ", ".join(f"{card} {factor:.2f}" for card, factor in factors.items())

    rows = [
        [name, row["cards"], told(row["without"]), told(row["with"]), f"{row['mean change']:.3f}"]
        for name in ("table 6", "table 7")
        for row in found[0][name]
    ]
    head = ["", "cards", "factors without the irrelevant card", "with it", "mean change of the others"]
    return table(head, rows)


TABLES: dict[str, Callable[[], str]] = {
    **{f"gongzhu {name}": partial(gongzhu, name) for name in GONGZHU},
    "gongzhu cards": gongzhu_cards,
    "gongzhu irrelevant": gongzhu_irrelevant,
    "gongzhu training": gongzhu_training,
    "gongzhu decisions": gongzhu_decisions,
    **{f"gongzhu curves {base}": partial(gongzhu_curves, base) for base in ("ours", "small", "views-small")},
}
