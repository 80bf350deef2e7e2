"""Whether a bot keeps all rules of the protocol: matches of all kinds, and what duels seldom ask of it."""

import random
import statistics
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from fuda.agents import agent_of
from fuda.agents.bot import RESIGNED, BotAgent
from fuda.arena.matches import play_matches
from fuda.bots.limits import GRACE_SECONDS
from fuda.bots.process import BotFault
from fuda.bots.sandbox import why_not
from fuda.core.game import RANDOM, Game, GameSpec
from fuda.core.match import Match
from fuda.games import game, spec

SECONDS_TO_END = 5 * GRACE_SECONDS
Progress = Callable[[int, int], None]  # matches played, matches in all


@dataclass(frozen=True)
class Rule:
    """A rule of the protocol, and whether the bot keeps it."""

    name: str
    is_kept: bool
    detail: str = ""


@dataclass
class Report:
    """All that a check has found."""

    agent: str
    title: str
    author: str
    rules: list[Rule] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether it keeps every rule."""
        return all(rule.is_kept for rule in self.rules)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"is_sound": self.is_sound}


def check_bot(bot: BotAgent, matches: int, seed: int, progress: Progress) -> Report:
    """Play so many matches, rounded up, against random players: in each seat, under rules of all kinds."""
    report = Report(bot.name, bot.info.title, bot.hello.author)
    report.rules.append(Rule("says hello", True))
    report.rules.append(_on_fault("answers a ping", bot.ping))
    tables = list(_tables(bot.spec.id, seed))
    num_seatings = sum(len(table.seatings) for _, table in tables)
    deals = max(1, -(-matches // num_seatings))
    total = deals * num_seatings
    for number, (name, table) in enumerate(tables):
        progress(number * total // len(tables), total)
        report.rules.append(_play(bot, name, table, seed, deals))
    progress(total, total)
    match = game(bot.spec.id).start(seed)
    report.rules.append(
        _on_fault("goes on when it is started again within a match", lambda: _again(bot, match))
    )
    if bot.hello.unit is not None:
        report.rules.append(_values(bot, seed))
    report.rules.append(_on_fault("says nothing that nobody asked for", bot.ping))
    report.rules.append(Rule("ends when its input ends", bot.ends_by_itself(SECONDS_TO_END)))
    if bot.seconds:
        each = [spent / count for spent, count in zip(bot.seconds, bot.asked, strict=True)]
        report.figures = {
            "matches": total,
            "decisions": sum(bot.asked),
            "milliseconds a decision, mean": 1000 * sum(bot.seconds) / sum(bot.asked),
            "milliseconds a decision, median": 1000 * statistics.median(each),
            "milliseconds a decision, most": 1000 * max(each),
        }
    report.notes.append(_sandbox_note(bot))
    return report


def _sandbox_note(bot: BotAgent) -> str:
    unsafe = why_not() if bot.limits.sandbox == "auto" else "sandbox=none"
    if unsafe is None:
        return "it ran in bubblewrap"
    return f"it ran without bubblewrap ({unsafe}): it could use the network and read your files"


def _tables(game_id: str, seed: int) -> Iterator[tuple[str, Game]]:
    """The game as usual, under each preset, with options at their ends or at each of their words, and mixed.

    With what to call it. Implied options are met in the presets and in the mixture, where each differs from
    its default: one table for each of their values would take long.
    """
    usual = game(game_id)
    yield "as usual", usual
    for preset in spec(game_id).presets:
        if (table := game(game_id, preset=preset.id)) != usual:
            yield f"under the preset {preset.id}", table
    for option in spec(game_id).options:
        if option.implied:
            continue
        for value in option.words or (option.low, option.high):
            if value != usual.all_options[option.name]:
                yield f"with {option.name}={value}", game(game_id, **{option.name: value})
    mixed = _mixed(spec(game_id), random.Random(seed))
    if mixed:
        told = ", ".join(f"{name}={value}" for name, value in mixed.items())
        yield f"with {told}", game(game_id, **mixed)


def _mixed(game_spec: GameSpec, luck: random.Random) -> dict[str, int | str]:
    """Each option at any of its values, implied ones at any but the default; nothing where there are none."""
    found: dict[str, int | str] = {}
    for option in game_spec.options:
        values: list[int | str] = list(option.words or range(option.low, option.high + 1))
        if option.implied:
            values.remove(option.default)
        found[option.name] = luck.choice(values)
    return found if any(option.implied for option in game_spec.options) else {}


def _play(bot: BotAgent, name: str, table: Game, seed: int, deals: int) -> Rule:
    """Matches under some options: none may end with a verdict."""
    entrants = [bot, agent_of(table.id, f"{table.id}/{RANDOM}", seed)]
    seatings = table.seatings
    before = bot.verdicts.copy()
    bot.examples.clear()
    numbers = np.repeat(np.arange(deals), len(seatings))
    play_matches(table, entrants, seed, numbers, np.tile(np.array(seatings), (deals, 1)))
    found = bot.verdicts - before
    found.pop(RESIGNED, None)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(found.items()))
    examples = "; ".join(bot.examples[:2])
    return Rule(f"plays {len(numbers)} matches {name}", not found, f"{counts}; {examples}" if found else "")


def _again(bot: BotAgent, match: Match) -> None:
    """Play a match in which it is started anew at each tenth move."""
    other = agent_of(match.game.id, f"{match.game.id}/{RANDOM}")
    before = bot.verdicts.total() - bot.verdicts[RESIGNED]
    bot.examples.clear()
    while not match.over:
        if len(match.moves) % 10 == 5:
            bot.restart()
        match.play((bot if match.seat == 0 else other).choose(match))
    if bot.verdicts.total() - bot.verdicts[RESIGNED] > before:
        raise BotFault("crash", "; ".join(bot.examples))


def _values(bot: BotAgent, seed: int) -> Rule:
    """Whether it has values where it says that it has a unit."""
    match, other = game(bot.spec.id).start(seed), agent_of(bot.spec.id, f"{bot.spec.id}/{RANDOM}")
    asked = told = 0
    while not match.over:
        if len(match.legal()) > 1 and match.seat == 0:
            asked += 1
            told += bool(bot.values(match))
        match.play(other.choose(match))
    return Rule("tells values when it is asked", told > 0, f"in {told} of {asked} positions with a choice")


def _on_fault(name: str, ask: Callable[[], object]) -> Rule:
    try:
        ask()
    except BotFault as fault:
        return Rule(name, False, str(fault))
    return Rule(name, True)
