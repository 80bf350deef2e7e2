"""What bots did wrong in a duel: counted with its chunks, and told with its result."""

import dataclasses
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fuda.agents import Agent
from fuda.agents.bot import RESIGNED, BotAgent
from fuda.arena.result import Result

Verdicts = dict[str, Counter[str]]  # of each bot, in how many matches

FORFEITED, CONTINUED = "which it lost by that", "which the game's fallback finished"


def chunk_of(margins: list[Any], entrants: Sequence[Agent]) -> Any:
    """A finished chunk as it is kept: its margins, and where a bot plays the verdicts up to here."""
    if not any(isinstance(entrant, BotAgent) for entrant in entrants):
        return margins
    return {"margins": margins, "verdicts": [dict(getattr(entrant, "verdicts", {})) for entrant in entrants]}


def margins_in(chunk: Any) -> Any:
    """The margins of a chunk."""
    return chunk["margins"] if isinstance(chunk, dict) else chunk


def restore_verdicts(chunks: Sequence[Any], entrants: Sequence[Agent]) -> None:
    """Count on from those of an earlier run; a `ValueError` if they cannot be."""
    try:
        last = chunks[-1]["verdicts"] if chunks and isinstance(chunks[-1], dict) else [{}] * len(entrants)
        for entrant, counts in zip(entrants, last, strict=True):
            if isinstance(entrant, BotAgent):
                entrant.verdicts = Counter({str(name): int(number) for name, number in counts.items()})
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from None


def with_verdicts(result: Result, entrants: Sequence[Agent]) -> Result:
    """The result with the verdicts on its bots, if there are any."""
    return dataclasses.replace(result, verdicts=by_name(verdicts_on(entrants)))


def verdicts_on(entrants: Sequence[Agent]) -> Verdicts:
    """Those so far, by the names of the bots."""
    found: Verdicts = {}
    for entrant in {id(entrant): entrant for entrant in entrants}.values():  # a bot against itself is one
        if isinstance(entrant, BotAgent):
            found[entrant.name] = found.get(entrant.name, Counter()) + entrant.verdicts
    return found


def by_name(found: Verdicts) -> dict[str, dict[str, int]]:
    """For JSON: of the bots that failed or resigned, sorted by name."""
    return {name: dict(sorted(counts.items())) for name, counts in found.items() if counts}


def verdict_lines(found: dict[str, dict[str, int]], entrants: Sequence[Agent]) -> list[str]:
    """Verdicts by the bots' names for people, with examples from the bots that this process played."""
    bots = {bot.name: bot for bot in entrants if isinstance(bot, BotAgent)}
    lines = []
    for name, counts in found.items():
        failed = {word: number for word, number in counts.items() if word != RESIGNED}
        if RESIGNED in counts:
            lines.append(f"{name} resigned {counts[RESIGNED]} matches")
        if failed:
            kinds = ", ".join(f"{number} {word}" for word, number in failed.items())
            is_lost = bots[name].limits.on_verdict == "forfeit"
            outcome = FORFEITED if is_lost else CONTINUED
            lines.append(f"{name} failed in {sum(failed.values())} matches, {outcome}: {kinds}")
            lines += [f"  {example}" for example in bots[name].examples]
    return lines
