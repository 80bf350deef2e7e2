"""Tables of strength: ladders and duels."""

from collections.abc import Callable
from functools import partial

from markdown_text import percent, points, rules_of, stored, table


def duels() -> str:
    rows = []
    for duel in stored("duel"):
        result = duel["result"]
        first, second = (name.partition("/")[2] for name in duel["agents"])
        won, games = percent(result, duel["seatings"]), f"{result['games']:,}"
        origin = str(duel["seed"]), f"`{duel['commit']}`"
        rows.append([rules_of(duel), first, second, won, points(result), games, *origin])
    return table(["game", "agent", "over", "games won", "points a game", "games", "seed", "commit"], rows)


# The players that the README shows, each with the opponent that tells the most.
HEADLINES = {
    "koikoi": (
        ("best", "rl-wp"), ("best", "classical"), ("best", "sl-heldout"), ("rl-wp", "sl-heldout"),
        ("rl-point", "sl-heldout"),
    ),
    "doudizhu": (
        ("best", "best-raw"), ("best-raw", "rhcp"), ("best-raw", "rhcp-partner"), ("deeprocket", "rhcp"),
        ("deeprocket", "best-raw"), ("cql", "rhcp"), ("mcts", "rhcp"), ("rhcp-partner", "rhcp"),
    ),
    "doudizhu, score=adp": (("best-point", "rhcp"), ("best-point", "best-raw")),
    "gongzhu": (("best", "greed"), ("scrofazero", "greed"), ("greed", "if"), ("greed", "random")),
}  # fmt: skip


SHOWN = ("best", "cql", "deeprocket")  # Dou Dizhu's players with their duels on pages of their own


def headlines() -> str:
    """The ladders, or the duels that tell the most until those of all games are played."""
    played = {found["game"] for found in stored("ladder")}
    return ladders() if played >= {rules.partition(",")[0] for rules in HEADLINES} else telling_duels()


def ladders() -> str:
    """The ladders of the shipped agents, from bench/ladder.py."""
    if not stored("ladder"):
        return "Not played yet."
    rows = [
        [
            found["game"], row["agent"].partition("/")[2],
            f"{row['rating']:.0f}" + ("" if row["agent"] == found["anchor"] else f" ± {row['stderr']:.0f}"),
            "" if row["above_next"] is None else above(row["above_next"]),
            f"{row['points']:+.2f}", f"{row['games']:,}", found["date"],
        ]
        for found in stored("ladder")
        for row in found["rows"]
    ]  # fmt: skip
    head = ["game", "agent", "rating", "above the next", "points a game", "games", "date"]
    return table(head, rows)


def above(chance: float) -> str:
    """A thousand samples cannot tell more than that it is above 99.9%."""
    return ">99.9%" if chance == 1 else f"{chance:.1%}"


def ladder_notes() -> str:
    """What roles are worth, by rating, and the pairs that no ladder tells."""
    lines = []
    for found in stored("ladder"):
        for role in found["roles"]:
            lines.append(
                f"- {found['game']}, as {role['role']}: {role['rating']:+.0f} ± {role['stderr']:.0f} "
                "over the other side"
            )
        for pair in found["pairs"]:
            if pair["surprising"]:
                first, second = (pair[who].partition("/")[2] for who in ("first", "second"))
                lines.append(
                    f"- {found['game']}, {first} over {second}: {pair['win_rate']:.1%} of {pair['games']:,} "
                    f"games, where the ladder expects {pair['expected']:.1%}"
                )
    return "\n".join(lines) or "Not played yet."


def telling_duels() -> str:
    found = {(rules_of(duel), *duel["agents"]): duel for duel in stored("duel")}
    rows = []
    for game, pairs in HEADLINES.items():
        for pair in pairs:
            duel = found.get((game, *(f"{game.partition(',')[0]}/{name}" for name in pair)))
            if duel is not None:
                result = duel["result"]
                figures = (
                    percent(result, duel["seatings"]),
                    points(result),
                    f"{result['games']:,}",
                    duel.get("date", ""),
                )
                rows.append([game, *pair, *figures])
    return table(["game", "agent", "over", "games won", "points a game", "games", "date"], rows)


def duels_of(game: str, player: str) -> str:
    """The duels of one player under the usual rules, by role too."""
    rows = []
    for duel in stored("duel"):
        first, second = duel["agents"]
        if first != f"{game}/{player}" or rules_of(duel) != game:
            continue
        result = duel["result"]
        rows.append([
            second.partition("/")[2], percent(result, duel["seatings"]),
            *(percent(part, 1) for part in result["roles"].values()), f"{result['games']:,}",
            str(duel["seed"]), f"`{duel['commit']}`",
        ])  # fmt: skip
        roles = list(result["roles"])
    if not rows:
        return "Not played yet."
    head = ["over", "games won", *(f"as {role}" for role in roles), "games", "seed", "commit"]
    return table(head, rows)


def roles() -> str:
    rows = [
        [
            rules_of(duel),
            *(name.partition("/")[2] for name in duel["agents"]),
            role,
            percent(part, 1),
            points(part),
        ]
        for duel in stored("duel")
        for role, part in duel["result"].get("roles", {}).items()
    ]
    return table(["game", "agent", "over", "as", "games won", "points a game"], rows)


def levels() -> str:
    """Each level over the one below, by game."""
    found = {measured["game"]: measured["rows"] for measured in stored("levels")}
    names = {"beginner": "half of the hand-written player's moves, half random", "casual": "beginner"}
    names |= {"skilled": "casual", "best": "skilled"}
    rows = []
    for level, other in names.items():
        cells = []
        for game in found:
            row = found[game].get(level)
            cells.append("" if row is None else f"{row['win_rate']:.1%} ± {row['win_rate_stderr']:.1%}")
        rows.append([f"`{level}`", other, *cells])
    return table(["level", "over", *found], rows)


def simulated_ladders() -> str:
    """How often the intervals of simulated ladders hold what was planted, from bench/simulated_ladders.py."""
    rows = [
        [
            f"{found['tournaments']:,}", str(found["players"]), str(found["deals of a pair"]),
            f"{found['ratings covered']:.1%} ± {found['stderr']:.1%}", f"{found['roles covered']:.1%}",
            f"{found['seconds, 1,000 samples, 12 players, 1,024 deals']:.1f} s", f"`{found['commit']}`",
        ]
        for found in stored("simulated ladders")
    ]  # fmt: skip
    head = ["tournaments", "players", "deals of a pair", "ratings held", "role held", "12 players", "commit"]
    return table(head, rows)


TABLES: dict[str, Callable[[], str]] = {
    "headlines": headlines,
    "ladders": ladders,
    "ladder notes": ladder_notes,
    "duels": duels,
    "roles": roles,
    "levels": levels,
    **{f"doudizhu {player} duels": partial(duels_of, "doudizhu", player) for player in SHOWN},
    "simulated ladders": simulated_ladders,
}
