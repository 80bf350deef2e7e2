"""Start the server: bind the port, serve until Ctrl-C."""

import contextlib
import dataclasses
import errno
import socket
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

from fuda.core.files import replacing
from fuda.serve import qr
from fuda.serve.app import make_app
from fuda.serve.config import Config
from fuda.serve.door import PARAMETER, read_key
from fuda.serve.network import EVERYWHERE, LOOPBACK, own_addresses, own_names
from fuda.serve.soundness import OWN
from fuda.serve.strict_http import strict_protocol

SHUTDOWN_SECONDS = 3
ADDRESS_SPACE = 2 * 2**30  # bytes of a process; most of them are never touched
SWITCH_SECONDS = 0.0005
LINKS = "link.txt"


def run(config: Config, browser: bool) -> None:
    """Serve until the process is told to stop. Port 0 is any that is free."""
    check_memory()
    if config.lan or config.public_url:
        config = dataclasses.replace(config, key=read_key(config.data))
    if config.lan:
        host = EVERYWHERE[0] if config.host in LOOPBACK else config.host
        address = (own_addresses() if host in EVERYWHERE else [host])[:1]
        config = dataclasses.replace(
            config, host=host, names=(*config.names, *own_names()), address="".join(address)
        )
    listener = bind(config.host, config.port)
    with contextlib.closing(listener):
        config = dataclasses.replace(config, port=listener.getsockname()[1])
        own = f"http://{_shown(config.host)}:{config.port}/"
        if config.key:
            keep_links(config, own)
        # What is printed elsewhere than in a terminal goes into a log.
        key = config.key if sys.stdout.isatty() else ""

        def started() -> None:
            kept = f"Ctrl-C stops it; games are kept in {config.data}"
            print(f"fuda: the table is at {own}{query(key)} ({kept})", flush=True)
            tell_others(config, key)
            if browser:
                webbrowser.open(own + query(config.key))

        serve(config, listener, started)


def keep_links(config: Config, own: str) -> None:
    """Keep the links of this start in a file of the data folder, the most public first."""
    path = config.data / LINKS
    try:
        with replacing(path) as (file,):
            Path(file.name).chmod(OWN)
            lines = [each + query(config.key) for each in (*addresses(config), own)]
            file.write("".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise ValueError(f"the links cannot be kept in {path}: {error}; give another --data") from None


def addresses(config: Config) -> list[str]:
    """Where others reach the server, the most public first."""
    public = [f"{config.public_url}/"] if config.public_url else []
    return public + [f"http://{each}:{config.port}/" for each in own_addresses() if config.lan]


def tell_others(config: Config, key: str) -> None:
    """Print how other devices get there, with the key if there is one to show."""
    links = [each + query(key) for each in addresses(config)]
    told = []
    if config.public_url:
        told.append(f"others open {links[0]}")
    if config.lan:
        own = " or ".join(links[bool(config.public_url) :]) or "it by the address of this machine"
        told.append(f"in your network open {own}")
        told.append(
            "whoever has the link can play. It is not encrypted: who can listen in this network can "
            "read all of it"
        )
    if config.key and not key:
        told.append(f"the links with the key, which is for no log, are in {config.data / LINKS}")
    if not config.key and config.host not in LOOPBACK:
        told.append(who_is_let_in(config))
    for line in told:
        print(f"fuda: {line}", flush=True)
    if key:
        with contextlib.suppress(ValueError):  # too long for a code
            print(qr.as_text(qr.encode(links[0])), flush=True)


def who_is_let_in(config: Config) -> str:
    """What `--host` alone does, which is seldom what was meant."""
    if config.host in EVERYWHERE and not config.names:
        return (
            "it listens at all addresses but answers under none of them except 127.0.0.1: for other devices "
            "start it with --lan"
        )
    names = " or ".join((*config.names, *([] if config.host in EVERYWHERE else [config.host])))
    return f"whoever reaches {names} is let in, and nothing is encrypted: --lan lets in who has a link alone"


def query(key: str) -> str:
    """The part of a link that lets a browser in."""
    return f"?{PARAMETER}={key}" if key else ""


def check_memory() -> None:
    """Refuse to start where processes would soon end in a game for want of address space."""
    if resource is None:
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < ADDRESS_SPACE:
        raise ValueError(
            f"fuda serve needs {ADDRESS_SPACE // 2**30} GiB of address space for each of its processes; "
            f"here the limit is {limit // 2**20} MiB: raise it (ulimit -v)"
        )


def serve(config: Config, listener: socket.socket, started: Callable[[], None]) -> None:
    """Serve on a bound socket; `started` is called when the lobby is open."""
    # The thread that writes to the disk takes Python's lock many times for one commit, and would
    # wait 5 ms for it each time while the server is busy.
    sys.setswitchinterval(SWITCH_SECONDS)
    server = uvicorn.Server(
        uvicorn.Config(
            make_app(config, started),
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # who asks is found in addresses.py
            ws="websockets-sansio",
            ws_max_size=config.message_bytes,
            ws_per_message_deflate=False,
            http=strict_protocol(config),
            h11_max_incomplete_event_size=config.header_bytes,
            limit_concurrency=config.connections,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            lifespan="on",
        )
    )
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn has closed everything and raises it again
        server.run(sockets=[listener])


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens, or a `ValueError` that says why not."""
    if not host:  # to the system it is every address there is, which nobody has asked for
        raise ValueError("the address to listen at is empty; give another --host, such as 127.0.0.1")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise ValueError(_why_not(host, port, error)) from None
    return listener


def _why_not(host: str, port: int, error: OSError) -> str:
    """One sentence for a person who can do something about it."""
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"this machine has no address {host}; give another --host, such as 127.0.0.1"
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is in use: is fuda running there? Else give another --port"
    if error.errno == errno.EACCES:
        return f"port {port} is for the system alone; give a --port from 1024 on"
    return f"cannot serve at {host} port {port}: {error.strerror}; give another --host or --port"


def _shown(host: str) -> str:
    """The host as a person types it."""
    if host in EVERYWHERE:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
