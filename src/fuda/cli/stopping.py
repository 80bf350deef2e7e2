"""Long work that is stopped by Ctrl-C or a polite kill: what is finished is on disk."""

import signal
from types import FrameType


class Stop:
    """Turns both signals into `KeyboardInterrupt`, and remembers: where Numba asks a record for an attribute,
    it takes any exception for a no.
    """

    def __init__(self) -> None:
        self._is_asked = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._is_asked = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Stop here, if that was asked for and got lost."""
        if self._is_asked:
            raise KeyboardInterrupt
