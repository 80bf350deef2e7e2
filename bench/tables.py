"""Writes the tables of README.md and docs/ from bench/results/ and the sources, between marker comments.

python bench/tables.py            rewrite the tables
python bench/tables.py --check    exit code 1 if a table is not what the results say
"""

import importlib
import io
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

import fuda
from fuda.cli.explain import show
from fuda.explain import Explanation, Judgement
from fuda.explain.values import position_before
from fuda.records import load

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"
POSITIONS = ROOT / "docs" / "positions"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


def stored(kind: str) -> list[dict[str, Any]]:
    files = sorted(RESULTS.glob("*.json"))
    return [found for file in files if (found := json.loads(file.read_text())).get("kind") == kind]


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def percent(result: dict[str, Any]) -> str:
    return f"{result['win_rate']:.1%} ± {result['win_rate_stderr']:.1%}"


def points(result: dict[str, Any]) -> str:
    return f"{result['mean_diff']:+.2f} ± {result['stderr']:.2f}"


def rules_of(duel: dict[str, Any]) -> str:
    """The game of a duel, with what is not as usual in its rules."""
    usual = {option.name: option.default for option in fuda.game(duel["game"]).spec.options}
    other = [f"{name}={value}" for name, value in duel["options"].items() if usual[name] != value]
    return ", ".join([duel["game"], *other])


def duels() -> str:
    rows = []
    for duel in stored("duel"):
        result = duel["result"]
        first, second = (name.partition("/")[2] for name in duel["agents"])
        rows.append([
            rules_of(duel), first, second, percent(result), points(result), f"{result['games']:,}",
            str(duel["seed"]), f"`{duel['commit']}`",
        ])  # fmt: skip
    return table(["game", "agent", "over", "games won", "points a game", "games", "seed", "commit"], rows)


# The players that the README shows, each with the opponent that tells the most.
HEADLINES = {
    "koikoi": (
        ("best", "rl-wp"), ("best", "classical"), ("best", "sl-heldout"), ("rl-wp", "sl-heldout"),
        ("rl-point", "sl-heldout"),
    ),
    "doudizhu": (("best", "rhcp"), ("best", "rhcp-partner"), ("mcts", "rhcp"), ("rhcp-partner", "rhcp")),
    "doudizhu, score=adp": (("best-point", "rhcp"), ("best-point", "best")),
    "gongzhu": (("best", "greed"), ("scrofazero", "greed"), ("greed", "if"), ("greed", "random")),
}  # fmt: skip


def headlines() -> str:
    found = {(rules_of(duel), *duel["agents"]): duel for duel in stored("duel")}
    rows = []
    for game, pairs in HEADLINES.items():
        for pair in pairs:
            duel = found.get((game, *(f"{game.partition(',')[0]}/{name}" for name in pair)))
            if duel is not None:
                result = duel["result"]
                figures = (percent(result), points(result), f"{result['games']:,}", duel.get("date", ""))
                rows.append([game, *pair, *figures])
    return table(["game", "agent", "over", "games won", "points a game", "games", "date"], rows)


def roles() -> str:
    rows = [
        [
            rules_of(duel),
            *(name.partition("/")[2] for name in duel["agents"]),
            role,
            percent(part),
            points(part),
        ]
        for duel in stored("duel")
        for role, part in duel["result"].get("roles", {}).items()
    ]
    return table(["game", "agent", "over", "as", "games won", "points a game"], rows)


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
            percent(over), points(over), f"{over['games']:,}",
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


def encoding(game: str, module: str = "encoding") -> str:
    """The block tables of a game's encoding: what its networks see."""
    found = importlib.import_module(f"fuda.games.{game}.{module}")
    if hasattr(found, "NUM_WORDS"):
        head = f"Version {found.ENCODING_VERSION}; {found.NUM_WORDS} words, {found.NUM_COLUMNS} numbers."
        text = [head, blocks_table(found.BLOCKS)[1]]
        if hasattr(found, "MOVE_BLOCKS"):
            text.append(f"A move: {found.NUM_MOVE_WORDS} words, {found.NUM_MOVE_COLUMNS} numbers.")
            text.append(blocks_table(found.MOVE_BLOCKS)[1])
        return "\n\n".join(text)
    parts = (
        ("Attributes, of each token", found.ATTRIBUTE_BLOCKS),
        ("Places, of each token", found.PLACE_BLOCKS),
        ("Progress, the same for all tokens", found.PROGRESS_BLOCKS),
    )
    text = [f"Version {found.ENCODING_VERSION}; {found.NUM_TOKENS} tokens."]
    for title, blocks in parts:
        width, rows = blocks_table(blocks)
        text += [f"### {title}: {width} rows", rows]
    return "\n\n".join(text)


def blocks_table(blocks: Any) -> tuple[int, str]:
    """The width of all blocks, and their table with the place of each."""
    rows, first = [], 0
    for block in blocks:
        last = first + block.width - 1
        number = "" if last < first else f"{first}" if first == last else f"{first} to {last}"
        divided = f"; divided by {block.scale}" if getattr(block, "scale", 1) != 1 else ""
        rows.append([number, block.name, str(block.width), block.meaning + divided])
        first += block.width
    return first, table(["rows", "block", "width", "meaning"], rows)


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


ENCODED = sorted(
    (file.parent.name, file.stem)
    for file in (ROOT / "src/fuda/games").glob("*/*.py")
    if "\nENCODING_VERSION = " in file.read_text()
)


def players() -> str:
    rows = [
        [
            row["agent"], row["opponent"], f"{row['games per second']:,}",
            f"{row['mean seconds'] * 1000:.2f} ms", f"{row['slowest, seconds'] * 1000:.1f} ms",
        ]
        for row in stored("players")[0]["players"]
    ]  # fmt: skip
    return table(["agent", "against", "games/s, one core", "a decision", "the slowest"], rows)


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
                        f"{run['games per second']:,}", aim, *over,
                    ])  # fmt: skip
    return table(["run", "minutes", "games", "games/s", "aim", *(f"over {who}" for who in opponents)], rows)


def training_of(game: str) -> str:
    """The curves of stored runs of a game whose runs have one aim."""
    runs = [run for run in stored("training") if run["recipe"]["game"] == game]
    opponents = list(dict.fromkeys(name for run in runs for name in run["recipe"]["opponents"]))
    rows = [
        [
            run["name"], str(run["recipe"]["seed"]), f"{run['parameters']:,}", f"{point['minutes']:.1f}",
            f"{point['games']:,}", *(_over(point, opponent) for opponent in opponents),
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


def _over(point: dict[str, Any], opponent: str) -> str:
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


OWN = ("koikoi-small", "gongzhu-small", "gongzhu-views-small")  # recipes for a CPU


def own_agents(recipe: str) -> str:
    """What an agent of one's own reaches, from bench/own_agent.py."""
    runs = [run for run in stored("own agent") if run["recipe"] == recipe]
    rows = [
        [
            str(run["training seed"]), f"{run['minutes']:g}", f"{run['games']:,}",
            str(run["games per second"]),
            f"{run['cores used']} of {run['machine']['cores']}",
            *(f"{percent(result)}, {points(result)}" for result in run["over"].values()),
            f"`{run['commit']}`",
        ]
        for run in runs
    ]  # fmt: skip
    over = [f"over {opponent}" for opponent in (runs[0]["over"] if runs else ())]
    return table(["training seed", "minutes", "games", "games/s", "cores used", *over, "commit"], rows)


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
                percent(result),
                points(result),
                f"{result['mean_diff'] / rounds:+.3f}",
                f"{result['games']:,}",
            ]
        rows.append(row)
    head = ["agent", "over", "paper", "games won", "points a game", "a round", "games"]
    return table(head, rows)


def plus_minus(figures: Any) -> str:
    """A figure of a paper, with its error if it has one."""
    if figures is None:
        return ""
    return " ± ".join(str(each) for each in figures) if isinstance(figures, list) else str(figures)


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
        rings = found[0]["intransitivity"]
        text += f" Intransitivity {rings['value']:.3f} ± {rings['stderr']:.3f}"
        text += f" (paper {plus_minus(rings['paper'])})."
    return text


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


def explained(record: Path) -> str:
    """What `fuda explain` prints for a kept position, with the stored values."""
    stored_values = (
        found["positions"][record.stem] for found in stored("explain") if record.stem in found["positions"]
    )
    found = next(stored_values)
    judgements = [Judgement(one["agent"], one["unit"], one["values"], one["best"]) for one in found["agents"]]
    printed = Console(file=io.StringIO(), width=100, highlight=False)
    show(Explanation(position_before(load(record), found["move"]), found["played"], judgements), printed)
    lines = [
        f"$ fuda explain {found['game']} --record {record.relative_to(ROOT)} --move {found['move']}",
        *(line.rstrip() for line in printed.file.getvalue().splitlines()),
    ]
    return "\n".join(["```text", *lines, "```"])


def attention() -> str:
    """How much attention stays in a suit, by layer and head."""
    head = ["agent", "network", "layer", "head", "other cards of the suit", "if uniform", "ratio", "itself"]
    rows = [
        [
            agent, ", ".join(mass["decisions"]), str(mass["layer"]), str(mass["head"]),
            f"{mass['others']:.1%} ± {mass['stderr']:.1%}", f"{mass['uniform']:.1%}",
            f"{mass['others'] / mass['uniform']:.1f}", f"{mass['itself']:.1%}",
        ]
        for found in stored("attention")
        for agent, masses in found["agents"].items()
        for mass in masses
    ]  # fmt: skip
    notes = [
        f"{found['games']} games of each agent against itself, seed {found['seed']}; "
        f"commit `{found['commit']}`."
        for found in stored("attention")
    ]
    return "\n\n".join([table(head, rows), *notes])


TABLES: dict[str, Callable[[], str]] = {
    "headlines": headlines, "duels": duels, "roles": roles, "engines": engines, "searches": searches,
    "memory": memory, "served": served,
    "training": training, "training doudizhu": partial(training_of, "doudizhu"), "rates": rates,
    **{f"own agents {name}": partial(own_agents, name) for name in OWN},
    "table2": table2, "table1": table1,
    "fewest moves": fewest_moves,
    "players": players, "decisions": decisions, "attention": attention,
    **{f"explain {record.stem}": partial(explained, record) for record in sorted(POSITIONS.glob("*.jsonl"))},
    **{f"gongzhu {name}": partial(gongzhu, name) for name in GONGZHU},
    "gongzhu cards": gongzhu_cards, "gongzhu irrelevant": gongzhu_irrelevant,
    "gongzhu training": gongzhu_training, "gongzhu decisions": gongzhu_decisions,
    **{f"gongzhu curves {base}": partial(gongzhu_curves, base) for base in ("ours", "small", "views-small")},
    **{f"{module} {game}": partial(encoding, game, module) for game, module in ENCODED},
}  # fmt: skip


def filled(text: str) -> str:
    """The page with each table between `<!-- table: NAME -->` and `<!-- end -->` written anew."""
    for name, make in TABLES.items():
        opening, closing = f"<!-- table: {name} -->\n", "<!-- end -->"
        before, found, rest = text.partition(opening)
        if not found:
            continue
        _, ended, after = rest.partition(closing)
        if not ended:
            raise ValueError(f"the table {name} has no {closing}")
        text = before + opening + make() + "\n" + closing + after
    return text


def stale() -> list[Path]:
    """The pages whose tables differ from what is stored."""
    return [page for page in PAGES if filled(page.read_text()) != page.read_text()]


def write() -> None:
    """Write the tables of all pages that differ."""
    for page in stale():
        page.write_text(filled(page.read_text()))
        print(f"{page.relative_to(ROOT)}: written")


def main() -> None:
    if "--check" not in sys.argv:
        write()
        return
    pages = stale()
    for page in pages:
        print(f"{page.relative_to(ROOT)}: its tables differ from bench/results; run python bench/tables.py")
    sys.exit(bool(pages))


if __name__ == "__main__":
    main()
