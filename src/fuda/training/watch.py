"""Whether all ranks of a run are still there: each tells torchrun's store twice a second that it is.

Who waits for a rank that was killed waits in a call that no signal interrupts, and who evaluates for minutes
does not even wait. So threads of every rank watch the others, and end it where it cannot end by itself.
"""

import os
import sys
import threading
import time
from contextlib import suppress
from datetime import timedelta

from torch.distributed import PrefixStore, TCPStore  # type: ignore[attr-defined]

BEAT_SECONDS = 0.5
NAMED_SECONDS = 5.0  # a rank that is silent for so long is named when something has failed
SILENT_SECONDS = 12.0  # and for so long is reason enough to stop
GRACE_SECONDS = 8.0  # in which the main thread may find out by itself
LOST = 1  # the exit code


class RankLost(RuntimeError):
    """A rank does not answer any more; the message is empty where another rank says so."""


class Watch:
    """Watches the other ranks; `go_on` says how their run is gone on with."""

    def __init__(self, number: int, count: int, go_on: str):
        self._number, self._count, self._go_on = number, count, go_on
        address, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
        store = TCPStore(
            address, port, is_master=False, wait_for_workers=False, timeout=timedelta(seconds=SILENT_SECONDS)
        )
        self._store = PrefixStore(f"fuda-{os.environ['TORCHELASTIC_RESTART_COUNT']}", store)
        self._num_beats = 0
        self._answered = time.monotonic()  # when the store did so last
        self._heard = {other: (b"", self._answered) for other in range(count) if other != number}
        self._ended = threading.Event()
        for work in (self._talk, self._judge):
            threading.Thread(target=work, name="fuda-watch", daemon=True).start()

    def end(self) -> None:
        """Stop watching."""
        self._ended.set()

    def claim(self) -> bool:
        """Be the one who says why the ranks stop, unless another one is."""
        if time.monotonic() - self._answered > NAMED_SECONDS:
            return True  # nobody can be asked
        try:
            return self._store.add("told", 1) == 1
        except RuntimeError:
            return True

    def wait_for_loss(self) -> RankLost | None:
        """Who is missing, as soon as that is seen; None if all are there."""
        until = time.monotonic() + SILENT_SECONDS
        while time.monotonic() < until:
            if sentence := self._find_loss(NAMED_SECONDS):
                return RankLost(sentence if self.claim() else "")
            time.sleep(BEAT_SECONDS)
        return None

    def _talk(self) -> None:
        with suppress(RuntimeError):  # the store is gone: `_judge` finds that it does not answer
            while not self._ended.is_set():
                self._num_beats += 1
                self._store.set(f"beat-{self._number}", str(self._num_beats))
                beats = self._store.multi_get([f"beat-{other}" for other in self._heard])
                self._answered = now = time.monotonic()
                for other, beat in zip(self._heard, beats, strict=True):
                    if beat != self._heard[other][0]:
                        self._heard[other] = beat, now
                self._ended.wait(BEAT_SECONDS)

    def _judge(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            sentence = self._find_loss(SILENT_SECONDS)
            if sentence and not self._ended.wait(GRACE_SECONDS):
                if self.claim():
                    print(f"fuda: {sentence}", file=sys.stderr, flush=True)
                os._exit(LOST)

    def _find_loss(self, seconds: float) -> str:
        """A sentence about those who were silent for so long; empty if nobody was."""
        now = time.monotonic()
        if now - self._answered > seconds:
            return f"torchrun does not answer any more, so all ranks stop: {self._go_on}"
        silent = [str(other) for other, (_, when) in self._heard.items() if now - when > seconds]
        if not silent:
            return ""
        who = f"rank {silent[0]} does" if len(silent) == 1 else f"ranks {', '.join(silent)} do"
        return f"{who} not answer any more, so all {self._count} ranks stop: {self._go_on}"
