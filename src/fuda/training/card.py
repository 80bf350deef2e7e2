"""CARD.md of a model that a run exports: what the run knows of it, for people."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fuda.agents.bidding import only_bids
from fuda.core.files import replacing
from fuda.core.game import Game
from fuda.games import spec
from fuda.nets.folder import CARD, ModelCard, read_card

TEXT = "CARD.md"
REPORTING_SEED = 1  # of figures that are published: nothing is chosen by it
WON = "_win_rate"  # ends the names of evaluations in a log


def write_cards(
    out: Path, told: Mapping[str, Any], lines: Sequence[Mapping[str, Any]], how: str, seed: int, done: float
) -> None:
    """Beside each model of the run in `out`: a card by what the run was `told` and its log has in `lines`.

    `how` says who plays in its evaluations, on the deals of `seed`; so much of the run is `done`.
    """
    for path in out.glob(f"model*/{CARD}"):
        text = card_text(
            f"{out.resolve().name}/{path.parent.name}", read_card(path.parent), told, lines, how, seed, done
        )
        with replacing(path.with_name(TEXT)) as (file,):
            file.write(text.encode())


def card_text(
    name: str,
    card: ModelCard,
    told: Mapping[str, Any],
    lines: Sequence[Mapping[str, Any]],
    how: str,
    seed: int,
    done: float,
) -> str:
    """The text of the card of a model folder."""
    unit = {"points": ", for points", "probability": ", to win the match"}.get(card.unit or "", "")
    plays = "Bids, and nothing else, in" if only_bids(card) else "Plays"
    return "\n\n".join([
        f"# {name}",
        f"{plays} {spec(card.game).title} (`{card.game}`, rules version {card.rules_version}){unit}."
        f"{_rules(card)} {card.line} It sees positions as `{card.encoding}` tells them (version "
        f"{card.encoding_version}).",
        f"**How it was made.** {_made(card.made, told, done)}",
        f"**Results.** {_results(card, lines, how, seed)}",
        _measured(name, card),
        "**Known weaknesses.** Those of one training seed; nobody has looked at its play yet.",
        "**Licence.** Whoever trained it decides; fuda is under the MIT licence.",
    ]) + "\n"  # fmt: skip


def _typed_options(card: ModelCard) -> list[str]:
    """The rule options of a model, but for those at their defaults, as a command line has them."""
    return [
        f"-o{name}={value}" for name, value in Game(spec(card.game), card.options).changed_options.items()
    ]


def _rules(card: ModelCard) -> str:
    typed = _typed_options(card)
    return f" It learned under `{' '.join(typed)}`." if typed else ""


def _measured(name: str, card: ModelCard) -> str:
    """How others see what it is worth."""
    where = f"from the folder that has `{name.partition('/')[0]}`"
    if only_bids(card):
        player = next(iter(card.made["recipe"]["fixed"].values()))
        return f'A player of cards bids by it {where}: `fuda.agent("{card.game}/{player}", bids="{name}")`.'
    players = [card.game, name, f"{card.game}/random"]
    duel = shlex.join(["fuda", "duel", *players, *_typed_options(card), "--games", "2000"])
    return f"To measure it on other deals, {where}:\n\n```\n{duel} --seed {REPORTING_SEED}\n```"


def _made(made: Mapping[str, Any], told: Mapping[str, Any], done: float) -> str:
    """How, from what, how long and where it was trained."""
    machine, versions = told.get("machine", {}), told.get("versions", {})
    name = told.get("name")
    by = f"`fuda train {name}`" if name else "A run of fuda"
    where = machine.get("gpu") if made["device"] == "cuda" else None
    where = where or f"{machine.get('processor', 'a CPU')}, {machine.get('cores', '?')} cores"
    start = made.get("start") or {}
    sentences = [
        f"{by}, seed {made['recipe']['seed']}: {made['games']:,} games in {made['minutes']:,.1f} minutes of "
        f"training (device {made['device']}: {where})",
        f"It went on from `{start['name']}`, which had {start['games']:,} games" if start else "",
        f"{told['parameters']:,} numbers were learned" if "parameters" in told else "",
        f"The run was not at its end: {done:.0%} of it were done" if done < 1 else "",
        f"Commit `{made['commit'] or 'unknown'}`, sources `{made['sources']}`, "
        f"PyTorch {versions.get('torch', 'unknown')}",
        f"`{CARD}` has the whole recipe",
    ]
    return ". ".join(sentence for sentence in sentences if sentence) + "."


def _results(card: ModelCard, lines: Sequence[Mapping[str, Any]], how: str, seed: int) -> str:
    """The last evaluation."""
    line = next((line for line in reversed(lines) if any(name.endswith(WON) for name in line)), None)
    if line is None:
        return "It was not evaluated yet."
    names = [name.removesuffix(WON) for name in line if name.endswith(WON)]
    mine = [name for name in names if name.startswith(f"{card.unit}_")]  # of a run with several aims
    rows = {(name.removeprefix(f"{card.unit}_") if mine else name): name for name in mine or names}
    games = f"{line['evaluation_games']:,}" if "evaluation_games" in line else "?"
    table = ["| opponent | games | won | points a game |", "|---|---|---|---|"]
    for opponent, name in rows.items():
        won = f"{line[name + WON]:.1%}" + _error(line, f"{name}{WON}_stderr", ".1%")
        points = f"{line[f'{name}_points']:+.2f}" + _error(line, f"{name}_stderr", ".2f")
        table.append(f"| `{card.game}/{opponent}` | {games} | {won} | {points} |")
    guests = [guest for guest in card.made["recipe"].get("guests", ()) if guest in rows]
    known = f" It met {' and '.join(f'`{guest}`' for guest in guests)} in training, too." if guests else ""
    return (
        f"The run's own evaluation of {how}, after {line['games']:,} games ({line['minutes']:.1f} minutes). "
        f"Its deals have the seed {seed}, which is for choosing: they were not trained on, and others are "
        f"for reporting. Errors are standard errors over deals.{known}\n\n" + "\n".join(table)
    )


def _error(line: Mapping[str, Any], name: str, form: str) -> str:
    """The error behind a figure, if it is known."""
    error = line.get(name)
    return "" if error is None or error != error else f" ± {error:{form}}"
