"""From a record back to the match, move by move, with everything checked."""

from typing import Any

from fuda.core.errors import DealError, IllegalMove, RecordError, echo
from fuda.core.match import RECORD_FORMAT, Match
from fuda.games import game, spec

HEADER_KEYS = {"fuda_record", "game", "rules_version", "options", "players", "seed"}
DEALS_AHEAD = "deals_ahead"  # only where explicit deals are left for rounds that have not begun


class EventError(RecordError):
    """A `RecordError` at one event, counted from 0: a reader of files turns it into a line."""

    def __init__(self, event: int, why: str):
        super().__init__(f"event {event + 1}: {why}")
        self.event = event
        self.why = why


def replay(record: object) -> Match:
    """The match that a record tells of, equal to the one it was made from.

    Anything that is not exactly what `Match.record` writes is a `RecordError`.
    """
    if not isinstance(record, dict) or set(record) - {DEALS_AHEAD} != HEADER_KEYS | {"events"}:
        raise RecordError(
            f"a record is a dictionary with the keys {', '.join(sorted(HEADER_KEYS))}, events; "
            f"not {echo(record)}"
        )
    check_header(record)
    events = record["events"]
    if not isinstance(events, list):
        raise RecordError(f"the events of a record are a list, not {echo(events)}")
    for number, event in enumerate(events):
        if not isinstance(event, dict):
            raise EventError(number, f"an event is a dictionary, not {echo(event)}")
    match = _start(record, events)
    _play(match, events)
    _compare_header(match, record)
    return match


def check_header(record: dict[str, Any]) -> None:
    """Refuse a header that is of another format, game or version."""
    version = record["fuda_record"]
    if type(version) is not int or version < 1:
        raise RecordError(f"fuda_record is the number of the format, not {echo(version)}")
    if version > RECORD_FORMAT:
        raise RecordError(
            f"the record has format {echo(version)}; this fuda reads up to {RECORD_FORMAT}: update fuda"
        )
    try:
        rules_version = spec(record["game"]).rules_version
    except (ValueError, TypeError) as error:
        raise RecordError(str(error)) from None
    if record["rules_version"] != rules_version or type(record["rules_version"]) is not int:
        raise RecordError(
            f"the record was made under {record['game']} rules version {echo(record['rules_version'])}; "
            f"this fuda plays version {rules_version}"
        )


def _start(record: dict[str, Any], events: list[dict[str, Any]]) -> Match:
    places = [number for number, event in enumerate(events) if "deal" in event]
    ahead = record.get(DEALS_AHEAD, [])
    if not isinstance(ahead, list):
        raise RecordError(f"{DEALS_AHEAD} is a list of deals, not {echo(ahead)}")
    if not events or "deal" not in events[0]:
        raise EventError(0, "a record begins with a deal")
    options = record["options"]
    if not isinstance(options, dict) or not all(isinstance(name, str) for name in options):
        raise RecordError(f"the options of a record are a dictionary, not {echo(options)}")
    deals = [*(events[place]["deal"] for place in places), *ahead]
    try:
        return game(record["game"], **options).start(record["seed"], deals, record["players"])
    except DealError as error:
        if error.number < len(places):
            raise EventError(places[error.number], error.why) from None
        raise RecordError(f"{DEALS_AHEAD}: {error.why}") from None
    except ValueError as error:
        raise RecordError(str(error)) from None


def _play(match: Match, events: list[dict[str, Any]]) -> None:
    """Play the events and compare what the match writes with what the record says."""
    written = match.log
    for number, event in enumerate(events):
        if number == len(written):
            if set(event) != {"move", "seat"}:
                raise EventError(number, f"a move of seat {match.seat} is due, not {echo(event)}")
            try:
                match.play(event["move"])
            except IllegalMove as error:
                raise EventError(number, str(error)) from None
            except ValueError as error:  # the next round's deal does not follow from this one
                raise EventError(number + 1, str(error)) from None
        if not _same(event, written[number]):
            raise EventError(number, f"the match has {_brief(written[number])}, the record {echo(event)}")
    if len(events) != len(written):
        raise EventError(len(events), f"the record ends; {_brief(written[len(events)])} is missing")


def _compare_header(match: Match, record: dict[str, Any]) -> None:
    """Refuse what `start` would fill in: a record says everything itself."""
    made = match.record()
    for key in (HEADER_KEYS | {DEALS_AHEAD}) & (made.keys() | record.keys()):
        if made.get(key) != record.get(key) or (key in made) != (key in record):
            raise RecordError(f"{key} of the match is {echo(made.get(key))}, not {echo(record.get(key))}")


def _same(one: Any, other: Any) -> bool:
    """Equal with equal types all through: 1, 1.0 and True are three things in a record."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _brief(event: dict[str, Any]) -> str:
    return echo(event) if "deal" not in event else "a deal"
