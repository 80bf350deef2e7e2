"""Tables of Combinatorial Q-Learning's comparisons, each from one stored file: head, rows, and a note."""

from typing import Any

Shown = tuple[list[str], list[list[str]], str]

SEATS = ("landlord", "down", "up")
ALGORITHMS = {"cql": "CQL", "a2c": "A2C", "dqn": "naive DQN"}


def share(won: float, error: float) -> str:
    """A part of the games with its error."""
    return f"{won:.1%} ± {error:.1%}"


def landlords(found: dict[str, Any]) -> Shown:
    """What the last and the best model of each run won; the best of so many measured is a little too good."""
    rows = []
    for run in found["runs"].values():
        if "algorithm" not in run:
            continue
        last = run["curve"][-1]
        best = max(run["curve"], key=lambda point: point["won"])
        rows.append([
            ALGORITHMS[run["algorithm"]], f"{run['learning rate']:g}", str(run["training seed"]),
            f"{last['minutes']:.1f}", f"{last['games']:,}", share(last["won"], last["stderr"]),
            share(best["won"], best["stderr"]), f"`{last['commit']}`",
        ])  # fmt: skip
    random = found["runs"]["random"]
    point = next(run["curve"][-1] for run in found["runs"].values() if "curve" in run)
    note = (
        f"{point['of games']:,} games over two RHCP peasants for each model, seed {point['seed']}. "
        f"A random landlord wins {share(random['won'], random['stderr'])}."
    )
    head = ["algorithm", "learning rate", "training seed", "minutes", "games", "won at the end", "at best"]
    return [*head, "commit"], rows, note


def seats(found: dict[str, Any]) -> Shown:
    """Each player in one seat among each other one."""
    rows = [
        [
            cell["agent"], cell["environment"], f"{cell['games']:,}",
            *(share(cell["seats"][seat]["won"], cell["seats"][seat]["deviation"]) for seat in SEATS),
            f"`{cell['commit']}`",
        ]
        for cell in found["cells"].values()
    ]  # fmt: skip
    cell = next(iter(found["cells"].values()))
    note = f"Standard deviations are those over {cell['blocks']} blocks of games; seed {cell['seed']}."
    return ["in one seat", "in the others", "games", *(f"as {seat}" for seat in SEATS), "commit"], rows, note


def situations(found: dict[str, Any]) -> Shown:
    """What players do in the paper's situations."""
    rows, examples = [], []
    for name, player in found["players"].items():
        for title, situation in player["situations"].items():
            played = situation["played"]
            alone, together = (
                [f"{value:.0%}" for key, value in played.items() if key.startswith(start)]
                for start in ("plays", "keeps")
            )
            rows.append([title, name, *alone, f"{played['passes']:.0%}", *(together or ["-"])])
            if "for example" in played:
                told = played["for example"]
                groups = "  ".join(group for group in told["decomposition"] if group != "pass")
                examples.append(f"`{told['hand']}` as `{groups}`, playing `{told['move']}` ({name}, {title})")
    deals = next(iter(found["players"].values()))["deals"]
    head = ["situation", "player", "plays one of them", "passes", "keeps them together"]
    note = f"Parts of {deals} deals of each situation. Examples: " + "; ".join(examples) + "."
    return head, sorted(rows), note if examples else f"Parts of {deals} deals of each situation."


def adversaries(found: dict[str, Any]) -> Shown:
    """The seats of the models that a run kept."""
    names = (*SEATS, "landlord over its own peasants")
    rows = [
        [
            f"{point['games']:,}", f"{point['minutes']:.1f}",
            *(share(point[name]["won"], point[name]["stderr"]) for name in names),
        ]
        for point in found["curve"]
    ]  # fmt: skip
    last = found["curve"][-1]
    note = (
        f"{last['of games']:,} games of each seat with RHCP in the two others, and of the landlord over its "
        f"own peasants; seed {last['seed']}, commit `{last['commit']}`."
    )
    return ["games of training", "minutes", *names], rows, note
