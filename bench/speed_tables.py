"""Tables of how fast engines, searches, decisions, bots, environments and the server are."""

from collections.abc import Callable

from markdown_text import num_seatings, percent, points, stored, table


def engines() -> str:
    found = stored("engine speed")
    if not found:
        return table(["decisions a second, random play"], [])
    names = [name for name in found[0] if isinstance(found[0][name], int | float) and name != "rules_version"]
    rows = [[name, *(f"{engine[name]:,}" for engine in found)] for name in names]
    where, at = found[0]["machine"], found[0]["commit"]
    note = f"\n\nMeasured on {where['processor']}, {where['cores']} cores; commit `{at}`."
    return table(["decisions a second, random play", *(engine["game"] for engine in found)], rows) + note


def searches() -> str:
    rows = []
    for search in stored("search"):
        over = search["information set over determinized"]
        rate = search["rollouts per second, one core"]
        mean, slowest = search["mean seconds a decision"], search["slowest decision, seconds"]
        rows.append([
            search["agent"], f"{search['trees']} x {search['iterations']}", f"{rate:,}",
            f"{mean * 1000:.1f} ms", f"{slowest * 1000:.0f} ms",
            percent(over, num_seatings(search["game"])), points(over), f"{over['games']:,}",
        ])  # fmt: skip
    head = ["agent", "trees x iterations", "rollouts/s, one core", "a decision", "the slowest"]
    return table([*head, "information set v determinized", "points a game", "games"], rows)


def memory() -> str:
    rows = [
        [row["agent"], f"{row['games']:,}", f"{row['MiB after a tenth']:.0f}", f"{row['MiB at the end']:.0f}"]
        for found in stored("memory")
        for row in found["players"]
    ]
    return table(["agent", "games", "MiB after a tenth", "MiB at the end"], rows)


def served() -> str:
    rows = [
        [
            ", ".join(f"{line['tables']} {line['agent']}" for line in found["tables"]),
            f"{found['moves']:,} in {found['seconds'] / 60:.0f} min",
            *(
                f"{found[what]['median']:.0f}, {found[what]['95%']:.0f}"
                for what in ("acknowledgement, ms", "next own turn, ms")
            ),
            str(found["errors"]),
            f"{found['cores used by the server']:.2f} + {found['cores used by the workers']:.2f}",
            " / ".join(f"{size:.0f}" for size in found["server and workers, MiB"].values()),
            f"`{found['commit']}`",
        ]
        for kind in ("serve load", "serve load, search")
        for found in stored(kind)
    ]
    head = [
        "tables", "moves of persons", "acknowledged, ms (median, 95%)", "next own turn, ms (median, 95%)",
        "errors", "cores: server + workers", "MiB after a tenth / at half / at the end", "commit",
    ]  # fmt: skip
    return table(head, rows)


def decisions() -> str:
    head = [
        "player", "network, MiB", "alone", "the slowest", "decisions/s over many games", "of processor time",
        "load", "commit",
    ]  # fmt: skip
    rows = [
        [
            f"{speed['game']}/{speed['player']}", f"{speed['model MiB']:.2f}", f"{speed['alone, ms']:.1f} ms",
            f"{speed['alone, ms, the slowest']:.0f} ms",
            f"{speed['decisions per second']:,}", f"{speed['decisions per second of processor time']:,}",
            f"{speed['others at work (load)']:.1f}", f"`{speed['commit']}`",
        ]
        for speed in stored("decision speed")
    ]  # fmt: skip
    return table(head, rows)


KINDS = {
    "views": "vector: steps and views",
    "observations": "with observations",
    "observations and moves": "and with moves",
    "match": "`Match`",
    "pettingzoo, bytes": "PettingZoo, bytes",
    "pettingzoo, encoded": "encoded",
    "openspiel": "OpenSpiel's interface",
}


def environments() -> str:
    """The rates of our environments and of others', from bench/environments.py; of what was measured."""
    parts = []
    for found in stored("environment speed"):
        kinds = [kind for kind in KINDS if kind in found["rows"][0]["fuda"]]
        ours = [
            [
                row["fuda"]["game"],
                *(f"{row['fuda'][what]:,}" for what in ("numbers of an observation", *kinds)),
            ]
            for row in found["rows"]
        ]
        parts.append(table(["game", "width", *(KINDS[kind] for kind in kinds)], ours))
        spiel = f"OpenSpiel {found['open_spiel']}"
        others = [(spiel, row["open_spiel"]) for row in found["rows"]]
        others += [(f"Pgx {each['version']}", each) for each in [found.get("pgx")] if each]
        theirs = [
            [
                library, other["game"], f"{other['numbers of an observation']:,}",
                f"{other['states']:,}" if "states" in other else "", f"{other['observations']:,}",
            ]
            for library, other in others
        ]  # fmt: skip
        parts.append(table(["library", "game", "width", "steps", "with tensors"], theirs))
        parts.append(
            f"Decisions a second of processor time, random play, dealing included; "
            f"{found['environments']:,} environments at once (`vector`, Pgx), else one match at a time. On "
            f"{found['machine']['processor']}; commit `{found['commit']}`."
        )
    return "\n\n".join(parts)


def example() -> str:
    """What examples/koikoi_ppo.py learned, from bench/example_curve.py."""
    parts = []
    for found in stored("example curve"):
        rows = [
            [
                f"{row['minutes']:.1f}", f"{row['updates']:,}", f"{row['decisions']:,}",
                f"{row['points']:+.2f} ± {row['stderr']:.2f}",
            ]
            for row in found["rows"]
        ]  # fmt: skip
        head = ["minutes", "updates", "decisions learned from", f"points a round over `{found['opponent']}`"]
        note = f"{found['rounds']:,} rounds that it does not train on. On {found['machine']['processor']}, "
        note += f"{found['machine']['cores']} cores; commit `{found['commit']}`."
        parts += [table(head, rows), note]
    return "\n\n".join(parts) or "Not measured yet."


def players() -> str:
    rows = [
        [
            row["agent"], row["opponent"], f"{row['games per second']:,}",
            f"{row['mean seconds'] * 1000:.2f} ms", f"{row['slowest, seconds'] * 1000:.1f} ms",
        ]
        for row in stored("players")[0]["players"]
    ]  # fmt: skip
    return table(["agent", "against", "games/s, one core", "a decision", "the slowest"], rows)


def bots() -> str:
    rows = [
        [
            row["game"], row["bot"], str(row["positions in a message"]),
            f"{row['milliseconds a decision, median']:.3f} ms",
            f"{row['milliseconds a decision, mean']:.3f} ms",
            f"{row['making the position, milliseconds']:.3f} ms",
        ]
        for row in stored("bots")[0]["rows"]
    ]  # fmt: skip
    columns = ["game", "bot", "positions in a message", "a decision, median", "mean", "making the position"]
    return table(columns, rows)


TABLES: dict[str, Callable[[], str]] = {
    "engines": engines,
    "searches": searches,
    "memory": memory,
    "served": served,
    "decisions": decisions,
    "players": players,
    "bots": bots,
    "environments": environments,
    "example": example,
}
