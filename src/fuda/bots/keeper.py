"""Runs one bot with limits and leaves nothing of it behind. It needs Python's library alone.

    python -I -S keeper.py LIFELINE LIMITS FOLDER COMMAND...

The bot gets this program's standard streams and a process group of its own. When it ends, or nobody holds the
other end of the pipe LIFELINE any more (whoever started it has closed it or was killed, by whatever signal),
all processes that it has started are killed, and its temporary FOLDER is removed. On Linux those that have
left its group or session are found too: orphans become this program's children.
"""

import contextlib
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import sys
import time

SET_PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36  # of prctl, in linux/prctl.h
NOT_RUN = 127
PARENT_SECONDS = 0.5  # between two looks whether the parent is there
SWEEP_SECONDS = 0.002


def prctl(option: int, value: int) -> None:
    """Linux's call of that name; elsewhere nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def become(command: list[str], limits: dict[str, int], keeper: int) -> None:
    """In the child of the process `keeper`: turn into the bot."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and programs inherit that
    prctl(SET_PDEATHSIG, signal.SIGKILL)  # should this program be killed
    if os.getppid() != keeper:  # it was, before the signal was asked for
        os._exit(NOT_RUN)
    for name, limit in limits.items():
        kind = getattr(resource, name)
        _, highest = resource.getrlimit(kind)
        limit = limit if highest == resource.RLIM_INFINITY else min(limit, highest)
        resource.setrlimit(kind, (limit, limit))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot run {command[0]}: {error.strerror}\n".encode())
        os._exit(NOT_RUN)


def children() -> list[int]:
    """The processes whose parent this one is."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():  # noqa: PTH112, PTH208 as quick as can be
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                    found.append(int(name))
    return found


def kill_all(group: int) -> None:
    """Kill the bot's group and all children; what they leave behind become children, and so on."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for child in children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        time.sleep(SWEEP_SECONDS)


def main() -> None:
    """Run the bot; end as it ends."""
    lifeline, limits, folder, *command = int(sys.argv[1]), json.loads(sys.argv[2]), *sys.argv[3:]
    parent = os.getppid()
    prctl(SET_CHILD_SUBREAPER, 1)
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    os.set_inheritable(lifeline, False)
    keeper = os.getpid()
    bot = os.fork()
    if bot == 0:
        become(command, limits, keeper)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # the bot's alone: when it ends, its readers must see that
        os.dup2(null, stream)
    status = None
    while status is None and os.getppid() == parent:
        ready, _, _ = select.select([lifeline, awake], [], [], PARENT_SECONDS)
        if lifeline in ready:  # nothing is ever written: it was closed
            break
        if awake in ready:
            os.read(awake, 4096)
        with contextlib.suppress(ChildProcessError):
            while status is None:
                ended, found = os.waitpid(-1, os.WNOHANG)
                if not ended:
                    break
                status = os.waitstatus_to_exitcode(found) if ended == bot else None
    kill_all(bot)
    shutil.rmtree(folder, ignore_errors=True)  # whoever started us may be gone
    os._exit(128 - status if status is not None and status < 0 else status or 0)


if __name__ == "__main__":
    main()
