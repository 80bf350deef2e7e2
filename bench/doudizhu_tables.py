"""Tables of Dou Dizhu: hands, decompositions, bids, search, the CQL paper's comparisons."""

from collections.abc import Callable
from functools import partial

import cql_tables
from markdown_text import percent, points, stored, table


def fewest_moves() -> str:
    """How long it takes to find the fewest moves that empty a hand."""
    [found] = stored("fewest moves")
    parts = [*found["by cards"].items(), ("all", found)]
    rows = [[cards, f"{part['hands']:,}", f"{part['nanoseconds']} ns"] for cards, part in parts]
    where = found["machine"]
    note = (
        f"What legal moves leave in games of RHCP, on one core of {where['processor']}; searched: "
        f"{found['searched']:,}. Commit `{found['commit']}`."
    )
    return table(["cards", "hands", "a hand"], rows) + "\n\n" + note


def decompositions() -> str:
    """How long it takes to take hands apart, from bench/doudizhu_decompose.py."""
    found = stored("decompositions")
    if not found:
        return "Not measured yet."
    ways = ("naive search", "dancing links", "counted, all", "counted, 100", "counted, 1000")
    rows = [
        [
            cards, f"{row['hands']:,}", f"{row['median']:,.0f}", f"{row['most']:,}",
            *(f"{row[f'{way}, ms']:,g}" for way in ways),
        ]
        for cards, row in found[0]["by cards"].items()
    ]  # fmt: skip
    few = {row["naive search, hands"] for row in found[0]["by cards"].values()}
    note = (
        f"Milliseconds a hand, on one core of {found[0]['machine']['processor']}; naive search of "
        f"{min(few)} hands where it takes long. Commit `{found[0]['commit']}`."
    )
    head = ["cards", "hands", "decompositions, median", "most", *ways]
    return table(head, rows) + "\n\n" + note


# Of Combinatorial Q-Learning, by the kind of what is stored.
OF_CQL = {
    "doudizhu landlord": cql_tables.landlords, "doudizhu seats": cql_tables.seats,
    "doudizhu situations": cql_tables.situations, "doudizhu adversaries": cql_tables.adversaries,
}  # fmt: skip


def of_cql(kind: str, name: str | None = None) -> str:
    """A comparison of Combinatorial Q-Learning; of several of a kind the one of a name."""
    kept = [each for each in stored(kind) if each.get("name") == name]
    if not kept:
        return "Not measured yet."
    head, rows, note = OF_CQL[kind](kept[0])
    return table(head, rows) + "\n\n" + note


BIDS = {"rule": "the rule of `rhcp-partner`", "random": "random", "lowest": "always 0", "highest": "always 3"}


def doudizhu_bidding() -> str:
    """What learned bids are worth over other ways to bid, from bench/doudizhu_bidding.py."""
    kept = stored("doudizhu bidding")
    if not kept:
        return "Not measured yet."
    [found] = kept
    deals = f"{found['deals']:,} deals"
    over = [[BIDS[way], points(result), percent(result)] for way, result in found["over"].items()]
    bids = [
        [highest, *(f"{count:,}" for count in counts.values())]
        for highest, counts in found["bids after a highest of"].items()
    ]
    stakes = [
        [stake, f"{row['deals']:,}", f"{row['won']:.1%}", f"{row['points']:+.2f}"]
        for stake, row in found["landlord by stake"].items()
    ]
    return "\n\n".join([
        f"`{found['player']}` with learned bids over itself with other bids, score=adp: {deals} in "
        f"{found['seatings']} seatings, seed {found['seed']}; commit `{found['commit']}`.",
        table(["over bids", "points a game", "games won"], over),
        f"Learned bids at all seats, {deals}: how often each was made, and how landlords fared.",
        table(["highest before", *(f"bid{bid}" for bid in range(4))], bids),
        table(["stake", "deals", "won by the landlord", "its points a deal"], stakes),
    ])  # fmt: skip


SEARCH_FIGURES = ("win rate", "as landlord", "as peasants")

GAME_FIGURES = ("bombs a game", "plays a game", "choices a game", "legal moves of a choice")


def doudizhu_search() -> str:
    """What settings of play-outs win over the network alone, from bench/doudizhu_search.py."""
    kept = stored("doudizhu search")
    if not kept:
        return "Not measured yet."
    [found] = kept
    rows = [
        [name, *(f"{mean:.1%} ± {error:.1%}" for mean, error in (row[who] for who in SEARCH_FIGURES))]
        for name, row in found["rows"].items()
    ]
    return "\n\n".join([
        f"`best` over `best-raw`, {found['deals']:,} deals, seed {found['seed']} (for choosing); "
        f"commit `{found['commit']}`.",
        table(["settings", "games won", "as landlord", "as peasants"], rows),
    ])  # fmt: skip


def doudizhu_games() -> str:
    """What games of players with themselves are like, from bench/doudizhu_games.py."""
    kept = stored("doudizhu games")
    if not kept:
        return "Not measured yet."
    [found] = kept
    rows = [
        [
            row["player"].partition("/")[2],
            f"{row['landlord wins']:.1%} ± {row['landlord wins, stderr']:.1%}",
            *(str(row[name]) for name in GAME_FIGURES), f"{row['forced plays']:.0%}",
        ]
        for row in found["players"]
    ]  # fmt: skip
    return "\n\n".join([
        f"{found['games']:,} games each, seed {found['seed']}; commit `{found['commit']}`.",
        table(["player in all seats", "won by the landlord", *GAME_FIGURES, "forced plays"], rows),
    ])  # fmt: skip


def doudizhu_decisions() -> str:
    """How long players think on one core, by both clocks of bench/doudizhu_decision.py."""
    kept = stored("doudizhu decision")
    if not kept:
        return "Not measured yet."
    rows = []
    for found in kept:
        mean, most, slowest, crowded, rate = (
            (found["worked"][name], found["waited"][name]) for name in found["worked"]
        )
        rows.append([
            found["player"], f"{found['decisions']:,}",
            *(f"{worked:g} ({waited:g})" for worked, waited in (mean, most, slowest, crowded)),
            f"{rate[0]:,} ({rate[1]:,})", f"{found['others at work (load)']:.1f}", f"`{found['commit']}`",
        ])  # fmt: skip
    some = kept[0]
    head = [
        "player", "decisions", "mean, ms", "99 of 100 below", "slowest",
        f"slowest with {some['most moves']} moves",
        "decisions/s, games together", "load", "commit",
    ]  # fmt: skip
    note = (
        "Positions with two or more legal moves, in games of the player with itself, on one core of "
        f"{some['machine']['processor']}. Milliseconds of the processor; in brackets as waited, other "
        "programs at work."
    )
    return table(head, rows) + "\n\n" + note


TABLES: dict[str, Callable[[], str]] = {
    "fewest moves": fewest_moves,
    "decompositions": decompositions,
    "doudizhu bidding": doudizhu_bidding,
    "doudizhu search": doudizhu_search,
    "doudizhu games": doudizhu_games,
    "doudizhu decisions": doudizhu_decisions,
    "doudizhu landlord small": partial(of_cql, "doudizhu landlord", "doudizhu-landlord-small"),
    "doudizhu landlord": partial(of_cql, "doudizhu landlord", "doudizhu-landlord"),
    "doudizhu adversaries small": partial(of_cql, "doudizhu adversaries", "small"),
    "doudizhu adversaries": partial(of_cql, "doudizhu adversaries", "cql"),
    "doudizhu seats": partial(of_cql, "doudizhu seats"),
    "doudizhu situations": partial(of_cql, "doudizhu situations"),
}
