"""A bot's process: a line goes in, a line comes out, and the clock runs while we wait."""

import contextlib
import fcntl
import json
import os
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path

from fuda.bots.limits import FILES, GRACE_SECONDS, MAX_LINE, MAX_SAID, MIB, Limits
from fuda.bots.protocol import Verdict
from fuda.bots.sandbox import sandboxed

KEEPER = Path(__file__).with_name("keeper.py")
KEPT = ("PATH", "HOME", "XDG_CACHE_HOME", "LANG")  # of the environment: where programs and caches are
CHUNK = 2**16
WAIT_SECONDS = 0.002  # between two looks whether it has ended
CLEAR_SECONDS = 10.0  # for the keeper to kill all that a bot has started


class BotFault(Exception):
    """A verdict on a bot, with a sentence for its author."""

    def __init__(self, verdict: Verdict, detail: str):
        super().__init__(f"{verdict}: {detail}")
        self.verdict = verdict
        self.detail = detail


class BotProcess:
    """One process of a bot, with all that it starts. It begins with the object and ends with `close`."""

    def __init__(self, command: Sequence[str], limits: Limits):
        self._limits = limits
        self._folder = tempfile.mkdtemp(prefix="fuda-bot-")
        lifeline, self._lifeline = os.pipe()
        bounds = {
            "RLIMIT_CPU": limits.cpu_seconds, "RLIMIT_AS": limits.memory_mib * MIB,
            "RLIMIT_FSIZE": limits.file_mib * MIB, "RLIMIT_NOFILE": FILES, "RLIMIT_CORE": 0,
        }  # fmt: skip
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        words = sandboxed(command, self._folder) if limits.sandbox == "auto" else list(command)
        try:
            self._process = subprocess.Popen(
                [
                    sys.executable, "-I", "-S", str(KEEPER), str(lifeline), json.dumps(bounds), self._folder,
                    *words,
                ],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                env=kept | {"TMPDIR": self._folder}, pass_fds=(lifeline,), start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            os.close(self._lifeline)
            shutil.rmtree(self._folder, ignore_errors=True)
            raise BotFault("crash", f"it cannot be started: {error}") from None
        finally:
            os.close(lifeline)
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (stream.fileno() for stream in streams if stream is not None)
        self._poll = select.poll()
        for stream in (self._in, self._out, self._err):
            os.set_blocking(stream, False)
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._said = bytearray()  # the last that it wrote to its standard error
        self.is_closed = False

    def send(self, line: bytes) -> None:
        """Give it a line that needs no answer: as much as it takes at once, the rest with the next."""
        self._outgoing += line
        with contextlib.suppress(OSError):  # it is full, or gone: `ask` finds out
            del self._outgoing[: os.write(self._in, self._outgoing)]

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Give it a line; its next line without the end, or a `BotFault` once time has run out."""
        self._outgoing += line
        deadline = time.monotonic() + seconds
        self._write()
        while True:
            end = self._incoming.find(b"\n")
            if max(end, len(self._incoming) if end < 0 else 0) > MAX_LINE:
                raise BotFault("too_long", f"a line has more than {MAX_LINE:,} bytes")
            if end >= 0 and not self._outgoing:
                answer = bytes(self._incoming[:end])
                del self._incoming[: end + 1]
                return answer
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._late(seconds)
            for stream, _ in self._poll.poll(left * 1000 + 1):
                if stream == self._in:
                    self._write()
                else:
                    self._read(stream)

    def unasked(self) -> bytes:
        """What it has written that nobody has read."""
        with contextlib.suppress(BotFault):
            for stream, _ in self._poll.poll(0):
                if stream != self._in:
                    self._read(stream)
        return bytes(self._incoming)

    def _write(self) -> None:
        """Write what its input takes; the rest when it has room."""
        try:
            del self._outgoing[: os.write(self._in, self._outgoing)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            raise self._gone() from None
        if self._outgoing:
            self._poll.register(self._in, select.POLLOUT)
        else:
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._in)

    def _read(self, stream: int) -> None:
        try:
            found = os.read(stream, CHUNK)
        except BlockingIOError:
            return
        if stream == self._err:
            self._said = (self._said + found)[-MAX_SAID:]
            if not found:
                self._poll.unregister(stream)
        elif found:
            self._incoming += found
        else:
            raise self._gone()

    def _late(self, seconds: float) -> BotFault:
        """Not in time: has it read the question?"""
        unread = struct.unpack("i", fcntl.ioctl(self._in, termios.FIONREAD, bytes(4)))[0]
        if unread or self._outgoing:
            return BotFault("stalled", f"it has not read its input within {seconds:.3g} s")
        return BotFault("timeout", f"no answer within {seconds:.3g} s")

    def _gone(self) -> BotFault:
        """How it ended."""
        try:
            code = self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return BotFault("crash", "it has closed its input or output")
        how = f"it was ended by signal {code - 128}" if code > 128 else f"it ended with exit code {code}"
        return BotFault("crash", how)

    @property
    def last_words(self) -> str:
        """The last that it wrote to its standard error."""
        if not self.is_closed:
            self._drain()
        return self._said.decode(errors="replace")

    def _drain(self) -> None:
        with contextlib.suppress(OSError):
            while found := os.read(self._err, CHUNK):
                self._said = (self._said + found)[-MAX_SAID:]

    @property
    def is_worn(self) -> bool:
        """Whether it has used half of its processor time, so that it should be replaced."""
        used = 0.0
        with contextlib.suppress(OSError, IndexError):
            keeper = self._process.pid
            children = Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()
            fields = Path(f"/proc/{children[0]}/stat").read_text().rpartition(")")[2].split()
            used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return used > self._limits.cpu_seconds / 2

    def ends_by_itself(self, seconds: float) -> bool:
        """End its input; whether it ends in time, as a bot should."""
        with contextlib.suppress(OSError):
            os.write(self._in, self._outgoing)
        with contextlib.suppress(KeyError):
            self._poll.unregister(self._in)
        assert self._process.stdin is not None
        self._process.stdin.close()
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and self._process.poll() is None:
            with contextlib.suppress(BotFault):  # what it still writes is read, so that it can end
                for stream, _ in self._poll.poll(0):
                    self._read(stream)
            time.sleep(min(left, WAIT_SECONDS))
        return self._process.poll() is not None

    def close(self, grace: float = GRACE_SECONDS) -> None:
        """End it, at once if there is no `grace`; nothing that it has started is left."""
        if self.is_closed:
            return
        self.is_closed = True
        if grace and self._process.poll() is None:
            self.ends_by_itself(grace)
        os.close(self._lifeline)
        try:
            self._process.wait(CLEAR_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._drain()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()
        shutil.rmtree(self._folder, ignore_errors=True)  # should the keeper have been killed
