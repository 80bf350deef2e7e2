"""Tables of DeepRocket: what was measured of it, each from one stored file, and a game cut into pairs."""

from collections.abc import Callable
from functools import partial
from typing import Any

from markdown_text import ROOT, stored, table
from training_tables import over

import fuda
from fuda.games.doudizhu.kickers import GROUP_CARDS, GROUP_KICKERS, KICKERS, NO_KICKER
from fuda.games.doudizhu.moves import GROUP_KIND, KIND_NAMES, MOVE_GROUP, NUM_RANKS, RANKS
from fuda.games.doudizhu.text import cards_text
from fuda.records import load

PAIRS_GAME = ROOT / "docs" / "deeprocket-game.jsonl"

Shown = tuple[list[str], list[list[str]], str]
DOWN = 1  # the seat after the landlord's


def note_of(found: dict[str, Any], what: str) -> str:
    """Whose games these are, and of which model, if one was looked at."""
    model = found.get("model")
    of_model = f" The model: {model}." if model else ""
    return f"{found['games']:,} games of `{found['teacher']}`; {what}.{of_model} Commit `{found['commit']}`."


def agreement(found: dict[str, Any]) -> Shown:
    """Who chooses what the teacher does, by what was to be decided."""
    players = found["players"]
    some = next(iter(players.values()))
    kickers = {"kickers of the same main group": "kickers, where the main group is the same"}
    rows = [
        [
            kickers.get(what, what), "" if what in kickers else f"{row['choices']:,}",
            *(same(player.get(what)) for player in players.values()),
        ]
        for what, row in some.items()
    ]  # fmt: skip
    return ["choices", "how many", *players], rows, note_of(found, "forced plays do not count")


def same(part: dict[str, Any] | None) -> str:
    """A share of equal choices; of a player without such a part, or of none, a dash."""
    return "-" if part is None or part["same"] is None else f"{part['same']:.1%}"


def chains(found: dict[str, Any]) -> Shown:
    """How rare moves with kickers are, by their kind."""
    rows = [
        [name, f"{row['chosen']:,}", f"{row['share of choices']:.3%}", f"{row['legal in']:,}"]
        for name, row in found["moves"].items()
    ]
    head = ["kind of move", "chosen", "of all choices", "legal in so many positions"]
    return head, rows, note_of(found, f"{found['choices']:,} choices")


def passes(found: dict[str, Any]) -> Shown:
    """What peasants do whose partner's move stands and who has one or two cards."""
    rows = [
        [name, f"{row['positions']:,}", f"{row['passed']:.1%}", f"{row['games with them']:,}",
         f"{row['won of these']:.1%}", f"{row['won of all']:.1%}"]
        for name, row in found["peasants"].items()
    ]  # fmt: skip
    head = ["peasants", "positions", "passed", "games with them", "won of these", "won of all"]
    note = f"{found['games']:,} games each, the landlord in one seat alone, seed {found['seed']}"
    return head, rows, f"{note}. Commit `{found['commit']}`."


def probe(found: dict[str, Any]) -> Shown:
    """How well the next seat's cards are known."""
    rows = [[name, f"{loss:.4f}"] for name, loss in found["log loss"].items()]
    what = f"{found['predicted']:,} of {found['positions']:,} positions predicted"
    return ["by", "log loss a rank, nats"], rows, note_of(found, what)


def bids(found: dict[str, Any]) -> Shown:
    """What the bid module is worth over other bids."""
    rows = [
        [
            way, f"{result['mean_diff']:+.3f} ± {result['stderr']:.3f}", f"{result['win_rate']:.1%}",
            f"{result['deals']:,}", f"`{result['commit']}`",
        ]
        for way, result in found["over"].items()
    ]  # fmt: skip
    note = f"Cards by the model ({found['model']}) on both sides; each deal in six seatings, score=adp"
    seed = next(iter(found["over"].values()))["seed"]
    return ["over bids", "points a game", "games won", "deals", "commit"], rows, f"{note}, seed {seed}."


def sweep(found: dict[str, Any]) -> Shown:
    """Width, depth and kind of the policy network."""
    rows = [
        [title, str(one["filters"]) if one["convolved"] else "", str(one["layers"]),
         f"{one['weights of a policy network']:,}", f"{one['games']:,}",
         f"{one['same moves']:.1%}"]
        for title, one in found["variants"].items()
    ]  # fmt: skip
    head = ["network", "filters", "layers", "weights", "games", "moves as the teacher's"]
    length = f"{found['minutes']:g} minutes each" if found["minutes"] else "equal games"
    return head, rows, f"`{found['recipe']}`, {length}. Commit `{found['commit']}`."


OF_DEEPROCKET = {
    "deeprocket agreement": agreement, "deeprocket chains": chains, "deeprocket passes": passes,
    "deeprocket probe": probe, "deeprocket bids": bids, "deeprocket sweep": sweep,
}  # fmt: skip


def policy_or_values() -> str:
    """Imitation beside values from games of its own, after about as many minutes of one GPU."""
    found = {run["name"]: run for run in stored("training") if run["recipe"]["game"] == "doudizhu"}
    taught = found["doudizhu-deeprocket"]
    alone = [
        run for run in found.values()
        if run["recipe"].get("reward") == "win" and "decompositions" not in run["recipe"]
        and run["minutes"] <= taught["minutes"]
    ]  # fmt: skip
    rows = []
    for run in (taught, *alone):
        teacher, last = run["recipe"].get("teacher"), run["curve"][-1]
        rows.append([
            f"the moves of `{teacher}`" if teacher else "values, from its own games",
            str(run["recipe"]["seed"]), f"{last['minutes']:.1f}", f"{run['parameters']:,}",
            f"{last['games']:,}", *(over(last, opponent) for opponent in ("rhcp", "rhcp-partner")),
            f"`{run['commit']}`",
        ])  # fmt: skip
    head = ["learned", "seed", "minutes", "weights", "games", "over rhcp", "over rhcp-partner", "commit"]
    return table(head, rows)


def pairs(match: fuda.Match) -> Shown:
    """The positions and choices that the down peasant's network learns of a game (the paper's Fig. 3)."""
    again = match.game.start(match.seed, match.deals)
    rows = []
    for seat, move in match.moves:
        legal = again.legal_actions()
        if seat == DOWN:
            view, action = again.view(seat), legal[move]
            group = int(MOVE_GROUP[action])
            kickers = [_kicker(int(each)) for each in KICKERS[action] if each != NO_KICKER]
            name = KIND_NAMES[GROUP_KIND[group]]
            label = (
                f"{name} {cards_text(GROUP_CARDS[group])}".strip()
                if GROUP_KICKERS[group]
                else f"{name} {move}"
            )
            label = name if move == "pass" else label
            last = ", ".join(played for _, played in again.moves[-3:]) or "nothing"
            is_learned = len(legal) > 1
            rows.append([
                str(len(rows) + 1), view["hand"], last, str(len(legal)),
                label if is_learned else "forced: left out", ", ".join(kickers) if is_learned else "",
            ])  # fmt: skip
        again.play(move)
    head = ["", "hand", "last three plays", "legal moves", "output", "kickers"]
    return head, rows, f"The landlord holds `{match.deals[0]['hands'][0]}`; seed {match.seed}."


def _kicker(number: int) -> str:
    return RANKS[number] if number < NUM_RANKS else 2 * RANKS[number - NUM_RANKS]


def of_deeprocket(kind: str) -> str:
    """What was measured of DeepRocket."""
    kept = stored(kind)
    if not kept:
        return "Not measured yet."
    [found] = kept
    head, rows, note = OF_DEEPROCKET[kind](found)
    return table(head, rows) + "\n\n" + note


def pairs_of_game() -> str:
    """A stored game of `best-raw`, cut into the down peasant's pairs."""
    head, rows, note = pairs(load(PAIRS_GAME))
    return table(head, rows) + "\n\n" + note


TABLES: dict[str, Callable[[], str]] = {
    **{kind: partial(of_deeprocket, kind) for kind in OF_DEEPROCKET},
    "deeprocket pairs": pairs_of_game,
    "deeprocket or values": policy_or_values,
}
