"""Records in a worker: a text from outside is replayed before it is believed, and cut into steps."""

import base64
from typing import Any

from fuda.core.match import Match
from fuda.records import dumps, loads
from fuda.serve import messages
from fuda.serve.positions import hash_of


def check(question: dict[str, Any]) -> dict[str, Any]:
    """What a record's text tells; `why` where it is none."""
    try:
        match = loads(question["file"], "record")
    except ValueError as error:
        return {"why": str(error)}
    seats = range(match.game.spec.seats)
    return {
        "file": dumps(match),  # what was between the lines is not kept
        "positions": _positions(match),
        "game": match.game.id,
        "options": match.game.options,
        "players": match.players,
        "moves": len(match.moves),
        "scores": match.scores,
        "margins": [match.margin(seat) for seat in seats] if match.over else None,
    }


def _positions(told: Match) -> list[str]:
    """Hashes of all that the seats saw in the course of a match."""
    match: Match = told.game.start(told.seed, told.deals, told.players)
    found = [hash_of(match.view(seat)) for seat in range(match.game.spec.seats)]
    for _, move in told.moves:
        match.play(move)
        found += [hash_of(match.view(seat)) for seat in range(match.game.spec.seats)]
    return [each.hex() for each in found]


def steps(question: dict[str, Any]) -> dict[str, Any]:
    """Positions of a record, each with what every seat saw."""
    told = loads(question["file"], "record")
    match: Match = told.game.start(told.seed, told.deals, told.players)
    first, last = question["first"], question["first"] + question["count"]
    found = []
    for seq in range(min(last, len(told.moves) + 1)):
        if seq:
            match.play(told.moves[seq - 1][1])
        if seq >= first:
            found.append(step(match))
    return {"total": len(told.moves) + 1, "steps": found}


def position(question: dict[str, Any]) -> dict[str, Any]:
    """What the mover saw after some moves of a record, and nothing that it did not."""
    match = match_after(question["file"], question["seq"])
    assert match.seat is not None
    return {"players": match.players, "view": match.view(match.seat)}


def match_after(file: str, seq: int) -> Match:
    """The match of a record as it stood after `seq` moves."""
    told = loads(file, "record")
    match: Match = told.game.start(told.seed, told.deals, told.players)
    for _, move in told.moves[:seq]:
        match.play(move)
    return match


def decisions(question: dict[str, Any]) -> dict[str, Any]:
    """Some moves of a record, and the bytes of what their movers saw before them."""
    told = loads(question["file"], "record")
    match: Match = told.game.start(told.seed, told.deals, told.players)
    first, last = question["first"], question["first"] + question["count"]
    views = []
    for number, (seat, move) in enumerate(told.moves[:last]):
        if number >= first:
            views.append(match.view_record(seat).tobytes())
        match.play(move)
    return {"moves": told.moves[first:last], "views": base64.b64encode(b"".join(views)).decode()}


def step(match: Match) -> dict[str, Any]:
    """Where a match stands, and what each seat saw of the last move."""
    seats = range(match.game.spec.seats)
    mover, move = match.moves[-1] if match.moves else (None, None)
    views = messages.views(match, messages.PLAYING)
    # The steps before this one have the history; what is told is which of its moves a seat does not know.
    histories = [view.pop("history") for view in views]
    return {
        "seq": len(match.moves),
        "seat": mover,
        "move": move,
        "hidden": [
            [number for number, (_, known) in enumerate(history) if known is None] for history in histories
        ],
        "events": [match.events(seat) for seat in seats],
        "views": views,
        "to_move": match.seat,
        "legal": match.legal(),
    }
