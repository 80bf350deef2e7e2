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


def environments() -> str:
    """The rates of vector environments, from bench/environments.py."""
    found = stored("environment speed")
    if not found:
        return "Not measured yet."
    rows = [
        [
            row["fuda"]["game"], f"{row['fuda']['numbers of an observation']:,}",
            *(f"{row['fuda'][what]:,}" for what in ("views", "observations", "observations and moves")),
            row["open_spiel"]["game"], f"{row['open_spiel']['numbers of an observation']:,}",
            *(f"{row['open_spiel'][what]:,}" for what in ("states", "observations")),
        ]
        for row in found[0]["rows"]
    ]  # fmt: skip
    head = [
        "game", "numbers", "steps and views", "with observations", "and with moves",
        "OpenSpiel's", "numbers", "steps", "with tensors",
    ]  # fmt: skip
    note = (
        f"Decisions a second of processor time, {found[0]['environments']:,} environments, random play, "
        f"dealing included; OpenSpiel {found[0]['open_spiel']} through its Python states. On "
        f"{found[0]['machine']['processor']}; commit `{found[0]['commit']}`."
    )
    return table(head, rows) + "\n\n" + note


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
}
