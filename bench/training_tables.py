"""Tables of training runs: curves, rates, agents of one's own."""

from collections.abc import Callable
from functools import partial
from typing import Any

from markdown_text import num_seatings, percent, points, stored, table


def training() -> str:
    """The curves of stored runs: a row for each aim at each time."""
    rows, opponents = [], ("random", "classical", "sl")
    for run in stored("training"):
        if "aims" not in run["recipe"]:
            continue
        for point in run["curve"]:
            for aim in run["recipe"]["aims"]:
                over = [
                    f"{point[f'{aim}_{who}_win_rate']:.1%}, {point[f'{aim}_{who}_points']:+.1f}"
                    if f"{aim}_{who}_win_rate" in point else "" for who in opponents
                ]  # fmt: skip
                if any(over):
                    rows.append([
                        run["name"], f"{point['minutes']:.1f}", f"{point['games']:,}",
                        f"{run['games per second']:,}", aim, *over, f"`{run['commit']}`",
                    ])  # fmt: skip
    head = ["run", "minutes", "games", "games/s", "aim", *(f"over {who}" for who in opponents), "commit"]
    return table(head, rows)


# What only recipes of one algorithm have, where a game is learned by several.
MARKS = ("decompositions", "teacher")


def training_of(game: str, mark: str = "") -> str:
    """The curves of stored runs of a game whose runs have one aim; of one algorithm, by its mark."""
    runs = [
        run
        for run in stored("training")
        if run["recipe"]["game"] == game and [mark] * bool(mark) == [m for m in MARKS if m in run["recipe"]]
    ]
    opponents = list(dict.fromkeys(name for run in runs for name in run["recipe"]["opponents"]))
    rows = [
        [
            run["name"], str(run["recipe"]["seed"]), f"{run['parameters']:,}", f"{point['minutes']:.1f}",
            f"{point['games']:,}", *(over(point, opponent) for opponent in opponents),
            f"{point['evaluation_games']:,}", f"`{run['commit']}`",
        ]
        for run in runs
        for point in _doublings(run["curve"])
    ]  # fmt: skip
    head = ["run", "seed", "weights", "minutes", "games learned from"]
    return table([*head, *(f"over {name}" for name in opponents), "games played", "commit"], rows)


def _doublings(curve: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of a curve the first point, each after twice the minutes of the last, and its end."""
    kept = curve[:1]
    for point in curve[1:-1]:
        if 2 * kept[-1]["minutes"] <= point["minutes"] < curve[-1]["minutes"] / 1.5:
            kept.append(point)
    return [*kept, *curve[1:][-1:]]


def over(point: dict[str, Any], opponent: str) -> str:
    """Games won and points at a point of a curve, if this opponent was played there."""
    if f"{opponent}_win_rate" not in point:
        return ""
    won = f"{point[f'{opponent}_win_rate']:.1%} ± {point[f'{opponent}_win_rate_stderr']:.1%}"
    return f"{won}, {point[f'{opponent}_points']:+.2f} ± {point[f'{opponent}_stderr']:.2f}"


def rates() -> str:
    """How fast recipes train on a GPU and where the time goes, from the scripts that measure it."""
    rows = []
    for found in stored("training rate") + stored("gongzhu training rate"):
        tick = next((part for name, part in found.items() if name.startswith("parts of a")), {})
        parts = [f"{name} {part:.0%}" for name, part in tick.items() if not name.endswith("ms")]
        told = (", ms", "late in the run", "for all games")
        parts += [f"{name} {found[name]}" for name in found if name.endswith(told)]
        rows.append([
            found["recipe"], f"{found['games per second']:,}", f"{found['decisions per second']:,}",
            f"{found['samples learned per second']:,}", "; ".join(parts), f"`{found['commit']}`",
        ])  # fmt: skip
    return table(
        ["recipe", "games/s", "decisions/s", "samples learned/s", "where the time goes", "commit"], rows
    )


OWN = (  # recipes for a CPU
    "koikoi-small", "gongzhu-small", "gongzhu-views-small", "doudizhu-small", "doudizhu-cql-small",
    "doudizhu-deeprocket-small",
)  # fmt: skip


def own_agents(recipe: str) -> str:
    """What an agent of one's own reaches, from bench/own_agent.py."""
    runs = [run for run in stored("own agent") if run["recipe"] == recipe]
    seatings = num_seatings(recipe.partition("-")[0])
    rows = [
        [
            str(run["training seed"]), f"{run['minutes']:g}", f"{run['games']:,}",
            str(run["games per second"]),
            f"{run['cores used']} of {run['machine']['cores']}",
            *(f"{percent(result, seatings)}, {points(result)}" for result in run["over"].values()),
            f"`{run['commit']}`",
        ]
        for run in runs
    ]  # fmt: skip
    over = [f"over {opponent}" for opponent in (runs[0]["over"] if runs else ())]
    return table(["training seed", "minutes", "games", "games/s", "cores used", *over, "commit"], rows)


TABLES: dict[str, Callable[[], str]] = {
    "training": training,
    "training doudizhu": partial(training_of, "doudizhu"),
    "training doudizhu cql": partial(training_of, "doudizhu", "decompositions"),
    "training doudizhu deeprocket": partial(training_of, "doudizhu", "teacher"),
    "rates": rates,
    **{f"own agents {name}": partial(own_agents, name) for name in OWN},
}
