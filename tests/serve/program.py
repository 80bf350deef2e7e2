"""`fuda serve` for the tests: any free port, limits and deadlines given as JSON, faults on demand.

python program.py DATA PORT SETTINGS

The port is printed when the server is ready. The setting `die` names a moment at which the
process kills itself; `agents` adds agents that misbehave. Nothing of this is in the product.
"""

import dataclasses
import json
import os
import signal
import sys
from pathlib import Path

from fuda.serve import run as serve_run
from fuda.serve import store
from fuda.serve.config import Config
from fuda.serve.minds import Minds


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_at(moment: str, seq: int) -> None:
    """Arrange for the process to be killed at a named moment of the move number `seq`."""

    def is_move(job) -> bool:
        return any(
            "INTO moves" in sql and seq in parameters for sql, parameters in job.statements
        )  # the seq is the only number of a move that is so large

    if moment == "before the commit":
        execute = store.Store._execute

        def executing(self, job):
            error = execute(self, job)
            if is_move(job):
                die()
            return error

        store.Store._execute = executing
    elif moment == "before the acknowledgement":
        finish = store._Job.finish

        def finishing(self, error):
            if is_move(self):
                die()
            finish(self, error)

        store._Job.finish = finishing
    elif moment == "agent thinking":
        choose = Minds.choose

        async def choosing(self, match, name, luck):
            if len(match.moves) >= seq:
                die()
            return await choose(self, match, name, luck)

        Minds.choose = choosing
    else:
        raise ValueError(moment)


def main() -> None:
    data, port, settings = Path(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
    if "die" in settings:
        die_at(*settings.pop("die"))
    config = Config(
        data,
        port=port,
        **{name: Path(value) if name == "page" else value for name, value in settings.items()},
    )
    listener = serve_run.bind(config.host, config.port)
    config = dataclasses.replace(config, port=listener.getsockname()[1])
    serve_run.serve(config, listener, lambda: print(config.port, flush=True))


if __name__ == "__main__":
    main()
