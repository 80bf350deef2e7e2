"""Of several processes that torchrun has started the first one speaks for all."""

import os
import signal
import time


def is_first() -> bool:
    """Whether this process is the one, or alone."""
    return "TORCHELASTIC_RUN_ID" not in os.environ or os.environ.get("RANK", "0") == "0"


def let_first_speak(seconds: float) -> None:
    """Wait for the end, which torchrun sends when the first process has ended.

    Who is still here afterwards has something of its own to say.
    """
    if is_first():
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    time.sleep(seconds)
