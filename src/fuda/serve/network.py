"""Under which names browsers reach a server, and what a person types or scans to get there."""

import contextlib
import re
import socket
import struct
from urllib.parse import urlsplit

from fuda.core.errors import echo
from fuda.serve.config import Config

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

GET_ADDRESS = 0x8915  # SIOCGIFADDR of Linux
EXAMPLE = ("192.0.2.1", 9)  # an address for documents; asking for the way there sends nothing
SCHEME = "https://"
HTTPS_PORT = 443
EVERYWHERE = ("0.0.0.0", "::", "")
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def own_addresses() -> list[str]:
    """The IPv4 addresses of this machine in its networks, the one with the way out first."""
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(EXAMPLE)
        found.append(asked.getsockname()[0])
    if fcntl is not None:
        found += _addresses_of_interfaces()
    with contextlib.suppress(OSError):
        found += [each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(map(str, found)) if not address.startswith("127.")]


def _addresses_of_interfaces() -> list[str]:
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # one without an address
                given = fcntl.ioctl(asked.fileno(), GET_ADDRESS, struct.pack("256s", name[:15].encode()))
                found.append(socket.inet_ntoa(given[20:24]))
    return found


def own_names() -> list[str]:
    """What Host may be in the networks of this machine: its addresses and its name."""
    name = socket.gethostname().lower()
    names = [name, name if "." in name else f"{name}.local"]
    return [*own_addresses(), *(each for each in names if re.fullmatch(r"[a-z0-9.-]+", each))]


def read_public_url(text: str) -> str:
    """`https://HOST` or `https://HOST:PORT`, in small letters; a `ValueError` for anything else."""
    url = text.lower().removesuffix("/")
    parts = urlsplit(url)
    try:
        good = url == SCHEME + parts.netloc and bool(parts.hostname) and parts.port != 0
    except ValueError:  # no such port
        good = False
    if not good or not re.fullmatch(r"[a-z0-9.-]+(:\d+)?|\[[0-9a-f:.]+\](:\d+)?", parts.netloc):
        raise ValueError(
            "a --public-url is https:// and a host's name, such as https://cards.example.org, "
            f"not {echo(text)}"
        )
    return url.removesuffix(f":{HTTPS_PORT}")


def link_address(host: str, config: Config) -> str:
    """Under which address others get here, where a browser got here under this Host.

    Who starts the server mostly browses by the loopback, which leads a guest to the guest's own machine.
    """
    if config.public_url and (host == host_of(config.public_url) or is_here_alone(host)):
        return config.public_url
    if config.address and is_here_alone(host):
        return f"http://{config.address}:{config.port}"
    return f"http://{host}"


def is_here_alone(host: str) -> bool:
    """Whether a Host, with or without its port, leads nowhere but to the machine that asks."""
    return any(host == name or host.startswith(f"{name}:") for name in LOOPBACK)


def host_of(address: str) -> str:
    """What browsers send as Host."""
    return urlsplit(address).netloc
