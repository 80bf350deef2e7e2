"""What a bot may use: time, memory, output."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from fuda.core.errors import echo

MIB = 2**20

OnVerdict = Literal["fallback", "forfeit"]
Sandbox = Literal["auto", "none"]
Luck = Literal["own", "arena"]


@dataclass(frozen=True)
class Limits:
    """What a bot gets, and what a verdict means. Times are in seconds of the clock on the wall."""

    load_seconds: float = 60.0  # from its start to its hello
    match_seconds: float = 600.0  # for all its moves of a match
    move_seconds: float = 20.0  # for each of them
    cpu_seconds: int = 3600  # of a process; one that used half of it is replaced before its next match
    memory_mib: int = 8192  # address space of a process, which is far more than what it uses
    file_mib: int = 256  # the longest file that it may write
    on_verdict: OnVerdict = "fallback"  # who fails loses the match, or the game's fallback plays on
    sandbox: Sandbox = "auto"  # bubblewrap where it works
    # What a bot draws its lots from: a stream of its own, or the very one that an agent inside would have.
    # From that the luck of all other agents can be computed, so it is for agents of fuda alone.
    luck: Luck = "own"


RANGES: dict[str, tuple[float, float]] = {
    "load_seconds": (0.1, 3600), "match_seconds": (0.1, 86_400), "move_seconds": (0.01, 3600),
    "cpu_seconds": (1, 10_000_000), "memory_mib": (16, 10_000_000), "file_mib": (1, 10_000_000),
}  # fmt: skip
WORDS = {"on_verdict": get_args(OnVerdict), "sandbox": get_args(Sandbox), "luck": get_args(Luck)}

MAX_LINE = MIB  # bytes of a line from a bot
MAX_SAID = 4096  # bytes that are kept of the last that it wrote to its standard error
FILES = 256  # that a process may have open
GRACE_SECONDS = 1.0  # to end by itself, once its input has ended


def limits_from(given: Mapping[str, object]) -> Limits:
    """Limits with some of them given, or a `ValueError` that says what they may be."""
    known = [field.name for field in dataclasses.fields(Limits)]
    for name, value in given.items():
        if name not in known:
            raise ValueError(f"a bot has no parameter {echo(name)}; it has {', '.join(known)}")
        if name in WORDS:
            if value not in WORDS[name]:
                raise ValueError(f"{name} of a bot is one of {', '.join(WORDS[name])}, not {echo(value)}")
            continue
        low, high = RANGES[name]
        is_whole = isinstance(getattr(Limits, name), int)
        kinds = int if is_whole else int | float
        if not isinstance(value, kinds) or isinstance(value, bool) or not low <= value <= high:
            what = "a whole number" if is_whole else "a number"
            raise ValueError(f"{name} of a bot is {what} from {low:g} to {high:,.0f}, not {echo(value)}")
    return Limits(**given)  # type: ignore[arg-type]  # checked above
