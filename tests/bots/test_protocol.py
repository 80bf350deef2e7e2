"""The messages' one definition and its JSON Schema say the same of sound and of faulty messages."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuda.bots import protocol
from fuda.bots.protocol import Choice, FromBot, NotJson, ToBot, decode, encode
from fuda.bots.shape import ShapeError, read
from tests.bots.schema_check import agrees

SCHEMA = protocol.schema()
SOUND: list[dict[str, Any]] = [
    {"type": "hello", "v": 1, "name": "Ada", "games": {"koikoi": 1}},
    {"type": "hello", "v": 1, "name": "Ada", "games": {"koikoi": 1}, "author": "", "batch": 8},
    {"type": "hello", "v": 1, "name": "A", "games": {"a": 1}, "unit": "points", "wants": ["bytes", "view"]},
    {"type": "move", "id": 1, "move": "3-2"},
    {"type": "move", "id": 0, "move": "3-2", "values": {"3-2": 1, "4-1": -0.5}, "note": "so it seems"},
    {"type": "move", "id": 1, "resign": True},
    {"type": "moves", "id": 1, "moves": [{"move": "x"}, {"resign": True}]},
    {"type": "pong", "id": 2**53},
]  # fmt: skip


def says(message: object) -> bool:
    try:
        decode(json.dumps(message).encode(), FromBot)
    except ShapeError:
        return False
    return True


def in_schema(message: object, side: str = "FromBot") -> bool:
    return agrees(SCHEMA["$defs"][side], message, SCHEMA["$defs"])


def test_the_stored_schema_is_that_of_the_code():
    stored = Path(protocol.__file__).with_name("schema.json").read_text()
    assert json.loads(stored) == SCHEMA


@pytest.mark.parametrize("message", SOUND, ids=lambda message: message["type"])
def test_sound_messages(message: dict[str, Any]):
    assert says(message)
    assert in_schema(message)
    found = decode(json.dumps(message).encode(), FromBot)
    assert decode(encode(found), FromBot) == found


FAULTS: list[Any] = [None, True, -1, 2**60, 1.5, "", "x" * 501, [], {}, [None], {"a": None}, {"koikoi": "1"}]


@given(st.sampled_from(SOUND), st.data())
@settings(max_examples=300, deadline=None, derandomize=True)
def test_planted_faults_are_found_by_both_or_by_none(message: dict[str, Any], data: st.DataObject):
    """A key is changed, dropped or added, also within a choice."""
    broken = json.loads(json.dumps(message))
    inside = broken["moves"][0] if "moves" in broken and data.draw(st.booleans()) else broken
    key = data.draw(st.sampled_from([*inside, "other"]))
    if key in inside and data.draw(st.booleans()):
        del inside[key]
    else:
        inside[key] = data.draw(st.sampled_from(FAULTS))
    one_of_two = [choice for choice in [broken, *_choices(broken)] if not _has_one(choice)]
    assert says(broken) == (in_schema(broken) and not one_of_two)


def _choices(message: dict[str, Any]) -> list[Any]:
    found = message.get("moves")
    return found if message.get("type") == "moves" and isinstance(found, list) else []


def _has_one(choice: Any) -> bool:
    """Either a move or resign: the one rule that the schema does not say."""
    if not isinstance(choice, dict) or choice.get("type", "move") != "move":
        return True
    return (choice.get("move") is None) != (choice.get("resign", False) is not True)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "Expecting value"),
        (b"{'type': 'pong'}", "Expecting property name"),
        (b'{"type": "pong", "id": Infinity}', "Infinity is no number"),
        (b"\xff", "can't decode"),
        (b"[" * 100_000, "recursion"),
        (b'{"type": "pong", "id": ' + b"9" * 5000 + b"}", "digits"),
    ],
)
def test_what_is_no_json(line: bytes, why: str):
    with pytest.raises(NotJson, match=why):
        decode(line, FromBot)


def test_faults_say_where():
    for message, why in [
        (
            {"type": "moves", "id": 1, "moves": [{"move": "a"}, {"move": 7}]},
            r"moves\[1\].move is text, not 7",
        ),
        (
            {"type": "hello", "v": 1, "name": "A", "games": {"koikoi": 1}, "batch": 0},
            "batch is from 1 to 1,024",
        ),
        ({"type": "move", "id": 1, "move": "a", "values": {"a": True}}, "values.a is a number, not True"),
        ({"type": "nod"}, "of the type 'hello' or 'move' or 'moves' or 'pong'"),
        ({"type": "pong"}, "the message lacks the key 'id'"),
    ]:
        with pytest.raises(ShapeError, match=why):
            read(FromBot, message)


def test_messages_to_bots_are_in_the_schema_and_come_back():
    for message in (
        protocol.Hello(1, "0.1", {"koikoi": 1}),
        protocol.Start(
            "1", "koikoi", 1, {"rounds": 8}, 0, 2, [], None, protocol.Clock(600.0, 20.0), "0" * 16
        ),
        protocol.Act(match="1", seq=4, left=3.5, view={"legal": []}, since=[], id=3),
        protocol.Act(match="1", seq=4, left=3.5, bytes="AAAA", id=3),
        protocol.ActMany(4, [protocol.Position("1", 0, 1.0, since=[protocol.Happened(0, None, [{}])])]),
        protocol.End("1", "crash", "it ended", since=[]),
        protocol.End("1", "played", scores=[1, 2], margin=-1.0),
        protocol.Ping(7),
    ):
        line = encode(message)
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert in_schema(json.loads(line), "ToBot")
        assert decode(line, ToBot) == message


def test_a_field_that_is_none_is_left_out_only_if_it_may_be():
    @dataclass(frozen=True)
    class Note:
        """A note."""

        role: str | None
        note: str | None = None

    assert protocol.written(Note(None)) == {"role": None}
    assert read(Note, {"role": None}) == Note(None)
    assert protocol.written(Choice(move="a")) == {"move": "a", "resign": False}
