"""A worker process of a tournament: `python -m fuda.arena.worker CORES`.

It reads units from its standard input and writes what came of them to its standard output. When whoever
started it ends, however that comes, its input ends and so does it.
"""

import os
import pickle
import queue
import sys
import threading
import traceback
from typing import Any, BinaryIO

from fuda.arena.frames import read_frame, write_frame
from fuda.arena.units import Work
from fuda.core.errors import AgentError
from fuda.core.threads import limited_to


def serve(given: BinaryIO, answers: BinaryIO, cores: int) -> None:
    """A worker's life: one answer for each unit, until its input ends."""
    asked: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def read() -> None:
        """The input ends with whoever wrote it, and nobody wants what is being played then."""
        while True:
            try:
                asked.put(read_frame(given))
            except (EOFError, OSError, pickle.UnpicklingError):
                os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    work: Work = asked.get()
    with limited_to(cores):
        while True:
            unit = asked.get()
            try:
                answer: tuple[Any, Any] = "played", work.play(unit)
            except (ValueError, AgentError) as error:
                answer = type(error) if type(error) is AgentError else ValueError, str(error)
            except Exception:
                answer = "failed", traceback.format_exc()
            write_frame(answers, answer)


if __name__ == "__main__":
    # What an agent prints must not get between the answers.
    own_answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, own_answers, int(sys.argv[1]))
