"""What the papers show as pictures, beside ours: tables of docs/papers.md, from stored results and models.

A picture has no figures to compare, so a row says what the paper reads off it, in its words, and whether ours
shows the same.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from gongzhu_page_tables import intransitivity_by_chance
from markdown_text import plus_minus, stored, table
from paper_tables import Compared

from fuda.agents.model import model_folders, read_card
from fuda.games.koikoi.winning import MAX_LEAD

HEAD = ["in the paper", "theirs", "ours", "verdict", "by"]
LEAD = 10  # points by which the rounds of Fig. 5 are compared
# Points over Mr. Greed of the network with open hands, after so many games (ScrofaZero, Fig. 2).
FIG2 = {25_600: -64.0, 102_400: -3.0, 256_000: 37.0}
IRRELEVANT = 0.014  # the largest change of a factor in ScrofaZero's Tables 6 and 7


def same(shown: bool) -> str:
    """The verdict on what a picture shows."""
    return "reached" if shown else "differs"


def koikoi_figures() -> str:
    """Figs. 5 to 8 of the Koi-Koi paper."""
    return table(HEAD, [_winning(), _learning(), *_expectations(), _attention()])


def _winning() -> list[str]:
    folder = model_folders("koikoi")["rl-wp"]
    chances = read_card(folder).table(folder)
    assert chances is not None
    rounds = range(8, 0, -1)  # left
    gains = [chances[left, MAX_LEAD + LEAD] - chances[left, MAX_LEAD] for left in rounds]
    return [
        "Fig. 5, the chance to win by round and points",
        "the nearer the last round, the more a lead is worth",
        f"a lead of {LEAD} is worth {gains[0]:.0%} to the dealer of round 1, rising to {gains[-1]:.0%} (8)",
        same(bool(np.all(np.diff(gains) > 0))),
        "[drawn](koikoi.md#the-chance-to-win) by `python docs/pictures.py`",
    ]


def _learning() -> list[str]:
    [run] = [run for run in stored("training") if run["name"] == "koikoi"]
    first, last = run["curve"][0], run["curve"][-1]
    won = [f"{aim}_sl_win_rate" for aim in ("probability", "points")]
    return [
        "Fig. 6, learning curves over the supervised player",
        "RL-WP over 50% after 500,000 games and then above RL-Point; 63.6% and 61.6% after 10 million games",
        f"{first[won[0]]:.1%} and {first[won[1]]:.1%} after {first['games']:,} games, {last[won[0]]:.1%} and "
        f"{last[won[1]]:.1%} after {last['games']:,} (200 games, ± 3.4%), over `sl`, met in training",
        same(first[won[0]] > 0.5 and last[won[0]] > last[won[1]]),
        "[drawn](koikoi.md#runs-on-one-h200) by `python bench/training.py`",
    ]


def _expectations() -> list[list[str]]:
    [found] = stored("explain")
    rows = []
    for position, what, theirs in (
        ("koikoi-first-round", "Fig. 7 (a)", "Curtain by RL-WP, Wisteria by RL-Point"),
        ("koikoi-seventh-round", "Fig. 7 (b)", "Wild Goose by RL-WP, Moon by RL-Point"),
    ):
        best = {one["agent"]: one["best"] for one in found["positions"][position]["agents"]}
        wins, points = best["koikoi/rl-wp"], best["koikoi/rl-point"]
        rows.append([
            f"{what}, what both agents choose in a position of its kind", f"they differ: {theirs}",
            f"`{wins}` by `rl-wp`, `{points}` by `rl-point`", same(wins != points),
            "[explained](explain.md#two-positions) by `fuda explain`",
        ])  # fmt: skip
    return rows


def _attention() -> list[str]:
    [found] = stored("attention")
    heads = [one for one in found["agents"]["koikoi/rl-wp"] if one["layer"] == 1]
    most = max(heads, key=lambda one: one["others"])
    further = max(one["others"] for one in heads if one is not most)
    return [
        "Fig. 8, attention between cards",
        "one head of the first layer connects cards of a suit, the others other cards (one position)",
        f"head {most['head']} has {most['others']:.1%} ± {most['stderr']:.1%} on other cards of the suit, "
        f"the others at most {further:.1%} ({found['games']} games)",
        same(most["others"] > 0.5),
        "[measured and drawn](explain.md#attention) by `python bench/explain.py`",
    ]


def gongzhu_figures() -> str:
    """Figs. 2 to 4, Tables 4, 6 and 7 of the ScrofaZero paper, and its transitivity."""
    return table(HEAD, [*_open_hands(), *_cards(), _transitivity()])


def _open_hands() -> list[list[str]]:
    curve = stored("gongzhu training")[0]["runs"]["gongzhu-authors"]["curve"]
    rows = []
    for games, theirs in FIG2.items():
        near = min(curve, key=lambda point: abs(point["games"] - games))
        one = Compared("", theirs, 0, near["greed_points"], near["greed_stderr"], "{:+.0f}")
        _, shown, ours, verdict = one.row()
        rows.append([
            f"Fig. 2, open hands, over Mr. Greed after {games:,} games", shown,
            f"{ours} after {near['games']:,}", verdict,
            "[all runs](gongzhu-results.md#runs) by `python bench/gongzhu_training.py`",
        ])  # fmt: skip
    return rows


def _cards() -> list[list[str]]:
    [found] = stored("gongzhu cards")
    cards = found["cards"]
    by = "[listed](gongzhu-results.md#figs-3-and-4-tables-4-6-and-7) by `python bench/gongzhu_cards.py`"
    pig = sorted(cards, key=lambda card: cards[card]["mean factor"]).index("SQ") + 1
    widest = sorted(cards, key=lambda card: -cards[card]["variance of values"])
    worth = {card: row["worth"] for card, row in found["table 4"].items()}
    rises = all(
        min(worth[high] for high in better) > max(worth[low] for low in worse)
        for better, worse in ((("DA", "DK", "DQ"), ("CA", "CK", "CQ", "CJ")), (("CA", "CK"), ("SA", "SK")))
    )
    changes = [_largest_change(row) for name in ("table 6", "table 7") for row in found[name]]
    return [
        ["Fig. 3, how good it is to play a card", "SQ is not good", f"SQ is number {pig} of 52 from below",
         same(pig <= 5), by],
        ["Fig. 4, how much that varies", "most for SQ; HA and HK among hearts",
         f"most for {', '.join(widest[:5])}", same(widest[0] == "SQ"), by],
        ["Table 4, what it is worth to hold a card", "high diamonds good, clubs bad, SA and SK worst",
         f"DA {worth['DA']:+.0f}, CA {worth['CA']:+.0f}, SA {worth['SA']:+.0f}", same(rises), by],
        ["Tables 6 and 7, irrelevant cards", f"others' factors move by {IRRELEVANT} at most",
         f"by {max(changes):.2f} at most", same(max(changes) <= IRRELEVANT), by],
    ]  # fmt: skip


def _largest_change(row: dict[str, Any]) -> float:
    return max(abs(row["with"][card] - factor) for card, factor in row["without"].items())


def _transitivity() -> list[str]:
    [found] = stored("gongzhu table2")
    rings, chance = found["intransitivity"], intransitivity_by_chance(found["rows"])
    bound = np.quantile(chance, 0.95)
    return [
        "transitivity of the players", f"intransitivity {plus_minus(rings['paper'])}, not significant",
        f"{rings['value']:.3f} ± {rings['stderr']:.3f}; by chance {bound:.3f} or less in 95 of 100 cases",
        same(rings["value"] <= bound),
        "[measured](gongzhu-results.md#table-2) by `python bench/gongzhu_tables.py`",
    ]  # fmt: skip


TABLES: dict[str, Callable[[], str]] = {
    "paper koikoi figures": koikoi_figures,
    "paper gongzhu figures": gongzhu_figures,
}
