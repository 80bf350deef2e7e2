"""Tables I and II of the Koi-Koi paper."""

from collections.abc import Callable

from markdown_text import percent, points, stored, table


def table1() -> str:
    """How often a person's choices are foreseen, beside the Koi-Koi paper's Table I."""
    columns = {
        "paper": None,
        "ours": "chosen without the fold",
        "four folds": "the same, other folds than settings were chosen on",
        "the very card": "the same, the very card",
        "best epoch on the fold": "best epoch on the fold",
    }
    rows = []
    for found in stored("table1"):
        for decision, row in found["table"].items():
            rates = [row[key] for key in columns.values() if key is not None]
            rows.append([
                found["way"], decision, f"{row['samples']:,}", f"{row['paper']:.3f}",
                *(f"{rate['accuracy']:.3f} ± {rate['stderr']:.3f}" for rate in rates),
                f"`{found['commit']}`",
            ])  # fmt: skip
    return table(["way", "decision", "samples", *columns, "commit"], rows)


PAPER_TABLE2 = {  # games won, points a game; of 2,000 games, the authors' own of 50
    ("author", "rl-wp"): (0.52, -1.04),
    ("author", "rl-point"): (0.47, -2.02),
    ("rl-wp", "rl-point"): (0.515, -2.88),
    ("rl-wp", "sl"): (0.636, 3.44),
    ("rl-point", "sl"): (0.616, 6.13),
    ("rl-wp", "random"): (0.992, 27.41),
    ("rl-point", "random"): (0.982, 31.01),
    ("sl", "random"): (0.982, 20.05),
}


def table2() -> str:
    """The agents against each other, beside the Koi-Koi paper's Table II."""
    ours = {
        tuple(name.partition("/")[2] for name in duel["agents"]): duel
        for duel in stored("duel")
        if duel["game"] == "koikoi"
    }
    learned = ("best", "best-point", "search", "rl-wp", "rl-point", "sl")
    more = [pair for pair in ours if pair[0] in learned and pair not in PAPER_TABLE2]
    rows = []
    for pair in (*PAPER_TABLE2, *sorted(more)):
        paper = "{:.1%}, {:+.2f}".format(*PAPER_TABLE2[pair]) if pair in PAPER_TABLE2 else ""
        row = [*pair, paper, "", "", "", ""]
        if pair in ours:
            result, rounds = ours[pair]["result"], ours[pair]["options"]["rounds"]
            row[3:] = [
                percent(result, ours[pair]["seatings"]),
                points(result),
                f"{result['mean_diff'] / rounds:+.3f}",
                f"{result['games']:,}",
            ]
        rows.append(row)
    head = ["agent", "over", "paper", "games won", "points a game", "a round", "games"]
    return table(head, rows)


TABLES: dict[str, Callable[[], str]] = {
    "table1": table1,
    "table2": table2,
}
