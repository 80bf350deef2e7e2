"""What the papers report beside what fuda measured: the tables of docs/papers.md, from stored results.

A figure of a paper that can be compared with one of ours is a `Compared`. What the paper shows as a
picture, or says in words, is told in the page itself.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from koikoi_tables import PAPER_TABLE2
from markdown_text import stored, table

MET = {("rl-wp", "sl"), ("rl-point", "sl")}  # these were trained against those
ERRORS = 2  # standard errors within which a figure counts as reached


class Compared(NamedTuple):
    """One figure of a paper and ours."""

    what: str
    theirs: float
    their_error: float
    ours: float
    error: float
    form: str  # how both are written

    def row(self) -> list[str]:
        """For the page: what, theirs, ours, verdict."""
        theirs = self.form.format(self.theirs)
        if self.their_error:
            theirs += " ± " + self.form.format(self.their_error).lstrip("+")
        ours = self.form.format(self.ours) + " ± " + self.form.format(self.error).lstrip("+")
        return [self.what, theirs, ours, self.verdict]

    @property
    def verdict(self) -> str:
        """Whether ours is as high, given the errors that are known."""
        error = (self.error**2 + self.their_error**2) ** 0.5
        if self.ours > self.theirs + ERRORS * error:
            return "above"
        return "reached" if self.ours >= self.theirs - ERRORS * error else "below"


def koikoi_table1() -> list[Compared]:
    """How often a person's choice is foreseen."""
    [found] = stored("table1")
    return [
        Compared(
            decision, row["paper"], 0, row["chosen without the fold"]["accuracy"],
            row["chosen without the fold"]["stderr"], "{:.3f}",
        )
        for decision, row in found["table"].items()
    ]  # fmt: skip


def koikoi_table2() -> list[Compared]:
    """Games won by the agents over each other; the authors themselves cannot be asked again."""
    duels = {
        tuple(name.partition("/")[2] for name in duel["agents"]): duel["result"]
        for duel in stored("duel")
        if duel["game"] == "koikoi"
    }
    return [
        Compared(
            f"{first} over {second}" + ", met in training" * ((first, second) in MET),
            won, 0, duels[first, second]["win_rate"],
            duels[first, second]["win_rate_stderr"], "{:.1%}",
        )
        for (first, second), (won, _) in PAPER_TABLE2.items()
        if (first, second) in duels
    ]  # fmt: skip


def gongzhu_rows(name: str) -> list[Compared]:
    """Points a game in a table of the ScrofaZero paper."""
    [found] = stored(f"gongzhu {name}")
    rows = []
    for what, row in found["rows"].items():
        if "paper" in row:
            theirs, their_error = row["paper"] if isinstance(row["paper"], list) else (row["paper"], 0)
            rows.append(Compared(what, theirs, their_error, row["points"], row["stderr"], "{:+.1f}"))
    return rows


def beside(rows: Callable[[], list[Compared]]) -> str:
    """The table of a paper's figures beside ours."""
    return table(["", "paper", "fuda", ""], [one.row() for one in rows()])


TABLES: dict[str, Callable[[], str]] = {
    "paper koikoi table1": partial(beside, koikoi_table1),
    "paper koikoi table2": partial(beside, koikoi_table2),
    **{
        f"paper gongzhu {name}": partial(beside, partial(gongzhu_rows, name))
        for name in ("table2", "table3", "table5", "table8")
    },
}
