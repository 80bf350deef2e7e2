"""Where requests come from."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from fuda.core.errors import echo
from fuda.serve.config import Config

HOME = 64  # bits of an IPv6 address that a provider gives to one household


def network_of(address: str) -> str:
    """The address, or of IPv6 the network: who has one address there has 2^64."""
    found = _read(address)
    if found is None:
        return address
    is_short = isinstance(found, ipaddress.IPv4Address)
    return str(found if is_short else ipaddress.ip_network((found, HOME), strict=False))


def asker_of(scope: Mapping[str, Any], config: Config) -> str:
    """Who asks. The server's proxy says so in X-Forwarded-For; from anybody else that says nothing."""
    address = str((scope.get("client") or ("",))[0])
    if is_proxy(address, config):
        forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        if forwarded:  # the last is what the proxy itself has seen; the others are the asker's own words
            return network_of(forwarded[-1].decode("latin-1").rpartition(",")[2].strip())
    return network_of(address)


def is_proxy(address: str, config: Config) -> bool:
    """Whether the server's proxy speaks from this address: of this machine, or as the command line says."""
    found = _read(address)
    if not config.public_url or found is None:
        return False
    return found.is_loopback or any(found in ipaddress.ip_network(proxy) for proxy in config.proxies)


def read_proxy(text: str) -> str:
    """An address or a network such as 172.30.0.0/24; a `ValueError` for anything else."""
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        raise ValueError(
            f"a --proxy is an address or a network such as 172.30.0.0/24, not {echo(text)}"
        ) from None


def is_loopback(address: str) -> bool:
    """Whether it is this machine's own."""
    found = _read(address)
    return found is not None and found.is_loopback


def _read(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address, as IPv4 where it is one in other clothes; None: it is none."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found
