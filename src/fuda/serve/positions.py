"""What persons see at running tables, as hashes: who asks for advice on it, by a record, has had a hint.

Such a record needs cards that the person does not see, and may have them from anywhere: what counts is
what the seat itself sees, in whatever way it came about.
"""

import hashlib
import json
from typing import Any

from fuda.core.match import Match
from fuda.serve.messages import views
from fuda.serve.store import Statement, Store, insert

ASIDE = ("history", "legal", "options", "round", "points", "deal")  # of a view: the course, not the cards
MANY = 500  # parameters of one SELECT


def hash_of(view: dict[str, Any]) -> bytes:
    """Of what a seat sees of the cards."""
    seen = {key: value for key, value in view.items() if key not in ASIDE}
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).digest()[:16]


def set_positions(table_id: str, match: Match, state: str, seats: list[dict[str, Any]]) -> list[Statement]:
    """Statements that note what the persons at a table see now."""
    seen = views(match, state) if any(seat["kind"] == "person" for seat in seats) else []
    return [forget_positions(table_id)] + [
        insert("positions", table_id=table_id, seat=number, hash=hash_of(seen[number]))
        for number, seat in enumerate(seats)
        if seat["kind"] == "person"
    ]


def forget_positions(table_id: str) -> Statement:
    """A statement for a table at which nobody needs advice any more."""
    return "DELETE FROM positions WHERE table_id = ?", (table_id,)


def advised_tables(store: Store, hashes: list[bytes]) -> set[str]:
    """The running tables at which a person sees one of these positions."""
    found: set[str] = set()
    for first in range(0, len(hashes), MANY):
        part = hashes[first : first + MANY]
        places = ", ".join("?" * len(part))
        rows = store.rows(f"SELECT DISTINCT table_id FROM positions WHERE hash IN ({places})", part)
        found |= {row["table_id"] for row in rows}
    return found
