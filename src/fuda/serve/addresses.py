"""Where requests come from."""

import ipaddress
from collections.abc import Mapping
from typing import Any

HOME = 64  # bits of an IPv6 address that a provider gives to one household


def network_of(address: str) -> str:
    """The address, or of IPv6 the network: who has one address there has 2^64."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, HOME), strict=False))


def asker_of(scope: Mapping[str, Any], behind_proxy: bool) -> str:
    """Who asks. A proxy of this machine says so in X-Forwarded-For; from elsewhere that says nothing."""
    address = str((scope.get("client") or ("",))[0])
    if behind_proxy and is_loopback(address):
        forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        if forwarded:  # the last is what the proxy itself has seen; the others are the asker's own words
            return network_of(forwarded[-1].decode("latin-1").rpartition(",")[2].strip())
    return network_of(address)


def is_loopback(address: str) -> bool:
    """Whether it is this machine's own."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
