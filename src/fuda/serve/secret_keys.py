"""Secrets: of owners and of seats. The database has their hashes alone."""

import base64
import hashlib
import hmac
import secrets


def new_owner() -> str:
    """A secret for one browser."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """A name for a table or a record that cannot be guessed."""
    return secrets.token_urlsafe(12)


def seat_secret(owner: str, table: str, seat: int) -> str:
    """The secret of a seat. It follows from the owner's, who can always find it again."""
    mac = hmac.digest(owner.encode(), f"{table}:{seat}".encode(), "sha256")
    return base64.urlsafe_b64encode(mac).rstrip(b"=").decode()


def hashed(secret: str) -> bytes:
    """What is stored. The secrets are random, so that a plain hash is enough."""
    return hashlib.sha256(secret.encode()).digest()


def is_secret(given: str, stored: bytes) -> bool:
    """Whether this is the secret, in a time that does not tell."""
    return hmac.compare_digest(hashed(given), stored)
