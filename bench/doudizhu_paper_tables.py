"""What the papers on Dou Dizhu say, beside ours: tables of docs/papers.md, from stored results.

Few of these papers' figures are numbers, so a row has the paper's own words, and whether ours shows the same.
"""

from collections.abc import Callable
from typing import Any

from cql_tables import SEATS
from markdown_text import percent, stored, table

HEAD = ["in the paper", "theirs", "ours", "verdict", "by"]
NOT_MEASURED = "not measured"
NO_WAY = "cannot be checked"
MANY_KICKERS = 3
MOSTLY = 0.8  # of the deals, for "it is a good idea" to count as so


def same(shown: bool) -> str:
    """The verdict on what a paper says."""
    return "reached" if shown else "differs"


def cql() -> str:
    """Combinatorial Q-Learning."""
    return table(HEAD, [
        _decomposing(), *_situations(),
        _unmeasured(
            "doudizhu landlord", "Fig. 3, a landlord over two RHCP peasants",
            "CQL above A3C by 30%; naive DQN does not converge", "doudizhu_landlord",
        ),
        _unmeasured(
            "doudizhu adversaries", "Fig. 4, agents that learn against each other",
            "the landlord gains most, the peasants about five percent; the sides end level",
            "doudizhu_adversaries",
        ),
        *_seats(), _over_rhcp(), _minutes(),
        [
            "Section 6, cooperation told to the peasants", "future work", NOT_MEASURED, "",
            "`fuda train doudizhu-cql-cooperation --out RUN`",
        ],
        ["comparable to humans", "", "there are no games of people", NO_WAY, ""],
    ])  # fmt: skip


def _decomposing() -> list[str]:
    [found] = stored("decompositions")
    cards, row = max(found["by cards"].items(), key=lambda item: int(item[0]))
    took = row["counted, 100, ms"]
    return [
        "Section 5.1, to take a hand apart", "tens of milliseconds", f"{took:g} ms for {cards} cards",
        same(took < 10),
        "[all sizes](doudizhu-cql.md#decompositions) by `python bench/doudizhu_decompose.py`",
    ]  # fmt: skip


def _situations() -> list[list[str]]:
    by = "[beside others](doudizhu-cql.md#two-2s-and-three-4s) by `python bench/doudizhu_situations.py`"
    told = {
        "two 2s against a solo A": ("plays 2", "they are taken apart for a 2", True),
        "444 against a solo 3": ("plays 4", "they are not taken apart for a 4", False),
    }
    rows = []
    for title, (what, theirs, is_good) in told.items():
        row = [f"Section 4.2, {title}", theirs, NOT_MEASURED, "", by]
        for found in stored("doudizhu situations"):
            share, best = (
                found["players"][f"doudizhu/{name}"]["situations"][title]["played"][what]
                for name in ("cql", "best-raw")
            )
            row[2:4] = (
                f"in {share:.0%} of the deals; `best-raw` in {best:.0%}",
                same((share if is_good else 1 - share) > MOSTLY),
            )
        rows.append(row)
    return rows


def _unmeasured(kind: str, what: str, theirs: str, script: str) -> list[str]:
    """A comparison that has its own table once it is played."""
    ours = "[the table](doudizhu-cql.md#the-papers-comparisons)" if stored(kind) else NOT_MEASURED
    return [what, theirs, ours, "", f"`python bench/{script}.py`"]


def _seats() -> list[list[str]]:
    """CQL among an environment that the paper names, beside what the environment itself wins there."""
    by = "[all](doudizhu-cql.md#each-seat-among-other-players) by `python bench/doudizhu_seats.py`"
    cells = {name: cell for found in stored("doudizhu seats") for name, cell in found["cells"].items()}
    rows = []
    for other in ("rhcp", "mcts"):
        row = [f"Fig. 5, a seat among {other.upper()}", "a comparable performance", NOT_MEASURED, "", by]
        mine, level = (cells.get(f"{who} among {other}") for who in ("cql", other))
        if mine and level:
            won = [[cell["seats"][seat]["won"] for seat in SEATS] for cell in (mine, level)]
            shares = [", ".join(f"{each:.0%}" for each in part) for part in won]
            row[2] = f"{shares[0]} as {', '.join(SEATS)}; {other.upper()} itself {shares[1]}"
            behind = [theirs - ours for ours, theirs in zip(*won, strict=True)]
            errors = [mine["seats"][seat]["deviation"] for seat in SEATS]  # over blocks of games
            row[3] = same(all(gap <= error for gap, error in zip(behind, errors, strict=True)))
        rows.append(row)
    return rows


def _over_rhcp() -> list[str]:
    duel = _duel("cql", "rhcp")
    result = duel["result"]
    return [
        "Section 5.3, both sides over RHCP", "a comparable performance", percent(result, duel["seatings"]),
        same(result["win_rate"] + 2 * result["win_rate_stderr"] >= 0.5),
        "[what limits it](doudizhu-cql.md#how-strong-it-is-and-what-limits-it), `python bench/strength.py`",
    ]  # fmt: skip


def _minutes() -> list[str]:
    run = _run("doudizhu-cql")
    return [
        "Section 5.3, training", "20 days of one 1080 Ti and 32 cores",
        f"{run['minutes']:g} minutes of one H200, {run['games per second']:,} games/s; stopped early", "",
        "[the run](doudizhu-cql.md#learning) by `fuda train doudizhu-cql`",
    ]  # fmt: skip


def deeprocket() -> str:
    """DeepRocket."""
    run = _run("doudizhu-deeprocket")
    shape, more = run["recipe"]["shape"], run["recipe"]["further_shape"]
    page = "doudizhu-deeprocket.md"
    others = f"[compared]({page}#reproduce)" if stored("deeprocket sweep") else NOT_MEASURED
    return table(HEAD, [
        [
            "4.1, bids", "by control cards and tidiness, thresholds untold", _bids(), "",
            f"[thresholds of ours]({page}#bids) by `python bench/doudizhu_deeprocket.py bids`",
        ],
        [
            "4.2 and 4.3, outputs", "309 main groups, 28 kickers",
            "the same; all of the 27,472 moves, tested both ways", "reached",
            f"[how]({page}#how-a-game-goes-how-a-move-is-found)",
        ],
        [
            "4.2, the network", "ten layers of 512 filters are the best; kickers by five",
            f"{shape['layers']} layers of {shape['filters']} filters ship, kickers by {more['layers']}; "
            f"others {others}", "",
            "`python bench/doudizhu_deeprocket_sweep.py`",
        ],
        [
            "4.2, records", "8 million games of people",
            f"{run['curve'][-1]['games']:,} games of `{run['recipe']['teacher']}` in {run['minutes']:g} "
            "minutes of one H200", "", f"[the run]({page}#learning) by `fuda train doudizhu-deeprocket`",
        ],
        _kickers(), _cooperation(), _inference(),
        [
            "duplicate mode", "the best performance of its time",
            ", ".join(
                f"{percent(duel['result'], duel['seatings'])} over `{other}`"
                for other in ("rhcp", "best-raw") for duel in [_duel("deeprocket", other)]
            ),
            NO_WAY, f"[by role]({page}#learning); their programs are not to be had",
        ],
        [
            "Figs. 1 to 3, workflow and records", "drawn", "drawn anew, of a stored game", "reached",
            f"[drawn]({page}#how-a-game-goes-how-a-move-is-found), [a game]({page}#learning)",
        ],
    ])  # fmt: skip


def _bids() -> str:
    for found in stored("deeprocket bids"):
        random = found["over"]["random"]
        return f"{random['mean_diff']:+.2f} ± {random['stderr']:.2f} points a game over random bids"
    return NOT_MEASURED


def _kickers() -> list[str]:
    what, ours, verdict = f"4.3, moves with {MANY_KICKERS} kickers or more", NOT_MEASURED, ""
    for found in stored("deeprocket chains"):
        count = sum(
            row["chosen"] for name, row in found["moves"].items() if int(name.split()[-2]) >= MANY_KICKERS
        )
        ours = f"{count:,} of {found['choices']:,} choices"
        verdict = same(count < found["choices"] / 1000)
    return [what, "hardly found in the records", ours, verdict, _argued("chains")]


def _cooperation() -> list[str]:
    ours, verdict = NOT_MEASURED, ""
    for found in stored("deeprocket passes"):
        model, rhcp = (found["peasants"][f"{who} over rhcp"] for who in ("the model", "rhcp"))
        ours = (
            f"where a partner is nearly out it passes in {model['passed']:.0%}, RHCP in {rhcp['passed']:.0%}"
        )
        verdict = same(model["passed"] > rhcp["passed"] and model["won of these"] > rhcp["won of these"])
    return ["2, cooperation", "the network learns it", ours, verdict, _argued("passes")]


def _inference() -> list[str]:
    ours, verdict = NOT_MEASURED, ""
    for found in stored("deeprocket probe"):
        loss = found["log loss"]
        counting, hidden, planes = (loss[name] for name in loss)
        ours = f"a probe of its last layer has {hidden:.3f} nats a rank, counting {counting:.3f}, one of its "
        ours += f"input {planes:.3f}"
        verdict = same(hidden < counting and hidden < planes)
    return ["2, inference of hidden cards", "the network learns it", ours, verdict, _argued("probe")]


def _argued(what: str) -> str:
    page = "[more](doudizhu-deeprocket.md#what-the-paper-argues)"
    return f"{page} by `python bench/doudizhu_deeprocket.py {what}`"


def _duel(first: str, second: str) -> dict[str, Any]:
    """A stored duel under the usual rules."""
    names = [f"doudizhu/{first}", f"doudizhu/{second}"]
    return next(
        duel for duel in stored("duel") if duel["agents"] == names and duel["options"]["score"] == "wp"
    )


def _run(name: str) -> dict[str, Any]:
    return next(run for run in stored("training") if run["name"] == name)


TABLES: dict[str, Callable[[], str]] = {"paper doudizhu cql": cql, "paper doudizhu deeprocket": deeprocket}
