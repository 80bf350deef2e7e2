"""What the kit says when it is given something that it cannot use."""

import shlex
import sys

MAX_ECHO = 40
DISTRIBUTION = "fuda-cards"  # what pip calls it: another project has the name of the import


class IllegalMove(ValueError):
    """The move is not one of the legal moves now; nothing was changed."""


class RecordError(ValueError):
    """The file or dictionary is not a record that replays; the message says where."""


class LineError(RecordError):
    """A text of matches is wrong in a line, counted from 1; who read the file tells its name."""

    def __init__(self, line: int, why: str):
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class DealError(ValueError):
    """A given deal is not one that the rules deal; `number` counts the given deals from 0."""

    def __init__(self, number: int, why: str, where: str = ""):
        super().__init__(where + why)
        self.number = number
        self.why = why


class AgentError(RuntimeError):
    """An agent answered with something that is no legal move; the message says which."""


def how_to_get(extra: str) -> str:
    """What to install for a part that needs more than the core.

    By the pip of this Python, in which fuda is installed: it installs what the extra needs and looks for no
    other fuda, so that the line holds for a checkout and a wheel alike.
    """
    return f"install the extra, {shlex.quote(sys.executable)} -m pip install '{DISTRIBUTION}[{extra}]'"


def echo(given: object) -> str:
    """What was given, as one line of at most `MAX_ECHO` characters, for use in a message."""
    try:
        text = repr(given)
    except Exception:  # a foreign object whose repr fails must not hide the real error
        text = f"<{type(given).__name__}>"
    text = "".join(char if char.isprintable() else "?" for char in text)
    return text if len(text) <= MAX_ECHO else text[: MAX_ECHO - 3] + "..."
