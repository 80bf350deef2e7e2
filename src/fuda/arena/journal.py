"""Finished chunks of a long run on disk, so that a killed run goes on where it was.

`FILE.part` has the run's description on its first line and one finished chunk on each further
line. When all is done, the result is written to `FILE` and the part is deleted. A line that was
cut off by a kill is dropped; the chunk is played again with the same outcome.
"""

import contextlib
import fcntl
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from fuda.core.files import replacing


class Journal:
    """The partial results of one run. Use as a context: it holds a lock on its file."""

    def __init__(self, out: Path, description: dict[str, Any]):
        self.kind = description["kind"]
        self.out = out
        self.part = out.with_name(out.name + ".part")
        self.description = description
        self.chunks: list[Any] = []
        self._file: TextIO | None = None

    def finished(self) -> dict[str, Any] | None:
        """What `out` holds if this very run is done; a `ValueError` if it holds anything else."""
        try:
            if not self.out.exists():
                return None
        except OSError as error:  # a name too long, say
            raise self._cannot_write(self.out, error) from None
        try:
            stored = self.read(self.out)
        except (OSError, ValueError):
            stored = None
        if not isinstance(stored, dict) or self._differs(stored) or "result" not in stored:
            raise ValueError(
                f"{self.out} exists and is not the result of this {self.kind}; choose another --out or "
                "remove it"
            )
        with contextlib.suppress(OSError):
            self.part.unlink(missing_ok=True)  # a kill came between the two
        return stored

    def __enter__(self) -> "Journal":
        try:
            self._file = self.part.open("a+", encoding="utf-8")
        except OSError as error:
            raise self._cannot_write(self.part, error) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise ValueError(
                f"another run is writing {self.part}; wait for it or choose another --out"
            ) from None
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def _cannot_write(self, path: Path, error: OSError) -> ValueError:
        return ValueError(f"cannot write {path}: {error.strerror}; choose another --out")

    def damaged(self) -> ValueError:
        """What to say when the part holds something that no run has written."""
        return ValueError(f"{self.part} is damaged; remove it to begin again")

    def append(self, chunk: Any) -> None:
        """Keep a finished chunk, on disk before this returns."""
        self.chunks.append(chunk)
        self._write(chunk)

    def finish(self, result: dict[str, Any]) -> None:
        """Write the result in one piece and delete the part."""
        with replacing(self.out) as (file,):
            file.write(self.text(self.description | result))
        self.part.unlink()

    @staticmethod
    def text(result: dict[str, Any]) -> bytes:
        """What the file of a result holds."""
        return (json.dumps(result, indent=1) + "\n").encode()

    @staticmethod
    def read(path: Path) -> Any:
        """What it says; a `ValueError` where it is no JSON."""
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except RecursionError:
            raise ValueError(f"{path} is damaged") from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._file is not None
        self._file.close()
        if not self.chunks and self.part.exists():
            self.part.unlink()  # nothing was played: leave no trace

    def _read(self) -> None:
        assert self._file is not None
        self._file.seek(0)
        try:
            text = self._file.read()
            whole = text[: text.rfind("\n") + 1]  # a kill may have cut the last line
            lines = [json.loads(line) for line in whole.splitlines()]
        except (ValueError, RecursionError):
            raise self.damaged() from None
        if not lines:
            self._file.truncate(0)
            self._write(self.description)
            return
        if not isinstance(lines[0], dict) or self._differs(lines[0]):
            raise ValueError(
                f"{self.part} belongs to another {self.kind} (agents, games, seed, options or commit "
                "differ); choose another --out or remove it"
            )
        self.chunks = lines[1:]
        self._file.truncate(len(whole.encode()))

    def _differs(self, stored: dict[str, Any]) -> bool:
        return any(stored.get(key) != value for key, value in self.description.items())

    def _write(self, line: Any) -> None:
        assert self._file is not None
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())
