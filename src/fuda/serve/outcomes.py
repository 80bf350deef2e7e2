"""What is kept of a game that has ended: the record, and what counts in its owner's results."""

import json
from dataclasses import dataclass
from typing import Any

from fuda.core.match import Match
from fuda.records import dumps
from fuda.serve.messages import OVER, Message
from fuda.serve.reviews import review_due
from fuda.serve.secret_keys import new_id
from fuda.serve.store import Statement, Store, insert, now


@dataclass(frozen=True)
class Facts:
    """A table, as far as the list of records tells of it."""

    table: str
    owner: int
    game: str
    options: dict[str, Any]
    seats: list[dict[str, Any]]
    num_moves: int
    hints: bool
    same_deal: bool
    takebacks: int

    @property
    def persons(self) -> list[int]:
        """The seats of persons."""
        return [number for number, seat in enumerate(self.seats) if seat["kind"] == "person"]


def insert_record(facts: Facts, match: Match, record: str, resigned: int | None) -> list[Statement]:
    """Statements that keep a game that is over, and by which each person's seat is to be reviewed."""
    info = _info(facts, resigned)
    time = now()
    if match.over:
        margins = [match.margin(seat) for seat in range(match.game.spec.seats)]
        info |= {"scores": match.scores, "margins": margins}
    return [
        insert(
            "records", id=record, owner=facts.owner, table_id=facts.table, game=facts.game, info=info,
            created=time,
        ),
        insert("files", record=record, file=dumps(match)),
        *_insert_outcomes(facts, record, info | {"sides": match.sides}, time),
        *(
            due
            for person in facts.persons
            for due in review_due(record, facts.game, person, facts.num_moves)
        ),
    ]  # fmt: skip


def _insert_outcomes(facts: Facts, record: str, info: Message, time: str) -> list[Statement]:
    """Statements that count a game: in the owner's results, and in those of each guest."""
    hosts = [
        number
        for number in facts.persons
        if number not in info["guests"] and not facts.seats[number].get("open")
    ]
    seat = hosts[0] if len(hosts) == 1 else None
    return [
        insert(
            "outcomes", id=record, owner=facts.owner, info=info, record=record, seat=seat, created=time
        ),
        *(
            insert(
                "outcomes", id=new_id(), owner=facts.seats[guest]["owner"], info=info, record=record,
                seat=guest, created=time,
            )
            for guest in info["guests"]
        ),
    ]  # fmt: skip


def insert_given_up(store: Store, table_id: str) -> list[Statement]:
    """Statements that count a running game as given up, if one person has played in it and deletes it now."""
    row = store.row("SELECT * FROM tables WHERE id = ?", (table_id,))
    if row is None or row["state"] == OVER or row["damaged"]:
        return []
    facts = Facts(
        row["id"], row["owner"], row["game"], json.loads(row["options"]), json.loads(row["seats"]),
        row["num_moves"], bool(row["hints"]), bool(row["same_deal"]), row["takebacks"] or 0,
    )  # fmt: skip
    if len(facts.persons) != 1:
        return []
    (person,) = facts.persons
    if store.row("SELECT 1 FROM moves WHERE table_id = ? AND seat = ?", (table_id, person)) is None:
        return []
    return [
        insert(
            "outcomes", id=table_id, owner=facts.owner, info=_info(facts, person), seat=person, created=now()
        )
    ]


def _info(facts: Facts, resigned: int | None) -> Message:
    return {
        "game": facts.game,
        "options": facts.options,
        "players": [seat["name"] for seat in facts.seats],
        "persons": facts.persons,
        "guests": [number for number in facts.persons if "owner" in facts.seats[number]],
        "source": "table",
        "moves": facts.num_moves,
        "scores": None,
        "margins": None,
        "resigned": resigned,
        "hints": facts.hints,
        "same_deal": facts.same_deal,
        "takebacks": facts.takebacks,
    }


def is_assisted(info: Message) -> bool:
    """Whether a game was played with help: hints, moves taken back, or cards that were known."""
    return bool(info["hints"] or info["same_deal"] or info.get("takebacks"))


def end_of(margins: list[float], seat: int) -> str:
    """How it ended for a seat: of several sides the best win, and all are equal in a draw."""
    if min(margins) == max(margins):
        return "draws"
    return "wins" if margins[seat] == max(margins) else "losses"
