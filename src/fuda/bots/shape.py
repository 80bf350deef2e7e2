"""Messages as dataclasses: what they must look like, checked when they come, and as JSON Schema.

Both are made from the fields' types, so they cannot differ. Types are `None`, `bool`, `int`, `float`, `str`,
`Any`, literals, lists, dictionaries, unions and dataclasses. `Annotated` adds a `Range` to a number, to the
length of a text, and to the number of items. A dataclass with a class attribute `type` has that word as
its key `type`.
"""

import dataclasses
import math
import types
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from fuda.core.errors import echo

Message = TypeVar("Message")
Reader = Callable[[Any, str], Any]  # (value, where it stands) -> the value, or a `ShapeError`


class ShapeError(ValueError):
    """A value is not of its type; the message says where."""


@dataclasses.dataclass(frozen=True)
class Range:
    """Limits of a number, of a text's length, or of how many items there are."""

    low: float
    high: float


# The schema's words for the limits of each type.
LIMITS = {
    "integer": ("minimum", "maximum"), "number": ("minimum", "maximum"), "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"), "object": ("minProperties", "maxProperties"),
}  # fmt: skip
PLAIN: dict[Any, tuple[str, str]] = {
    type(None): ("null", "null"), bool: ("boolean", "true or false"), int: ("integer", "a whole number"),
    float: ("number", "a number"), str: ("string", "text"),
}  # fmt: skip


def read(kind: type[Message], value: object) -> Message:
    """The message of a kind that parsed JSON stands for, or a `ShapeError`."""
    message: Message = reader(kind)(value, "")  # type: ignore[arg-type]  # types can be hashed
    return message


def written(message: Any) -> dict[str, Any]:
    """A message as it is sent; fields that are None and may be left out are left out."""
    found: dict[str, Any] = {"type": message.type} if _has_type(type(message)) else {}
    for field in dataclasses.fields(message):
        value = getattr(message, field.name)
        if value is None and field.default is None:
            continue
        if isinstance(value, list):
            value = [written(item) if dataclasses.is_dataclass(item) else item for item in value]
        found[field.name] = written(value) if dataclasses.is_dataclass(value) else value
    return found


@cache
def reader(kind: Any) -> Reader:
    """What checks values of a type. Made once: a bot's answer is checked in microseconds."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _in_range(reader(parts[0]), parts[1])
    if origin is Literal:
        return _one_of(parts)
    if origin in (Union, types.UnionType):
        return _any_of([reader(part) for part in parts], parts)
    if origin is list:
        return _items(reader(parts[0]))
    if origin is dict:
        return _entries(reader(parts[1]))
    if dataclasses.is_dataclass(kind):
        return _fields(kind)
    if kind is Any:
        return lambda value, where: value
    return _plain(kind)


def _plain(kind: Any) -> Reader:
    def check(value: Any, where: str) -> Any:
        if kind is float and type(value) is int and abs(value) <= 2**53:
            return float(value)
        if type(value) is not kind or (kind is float and not math.isfinite(value)):  # True is no number
            raise _wrong(where, PLAIN[kind][1], value)
        return value

    return check


def _in_range(inner: Reader, limits: Range) -> Reader:
    def check(value: Any, where: str) -> Any:
        found = inner(value, where)
        size = found if isinstance(found, int | float) else len(found)
        if not limits.low <= size <= limits.high:
            what = "" if isinstance(found, int | float) else "of a length "
            raise _wrong(where, f"{what}from {limits.low:,} to {limits.high:,}", value)
        return found

    return check


def _one_of(words: tuple[Any, ...]) -> Reader:
    def check(value: Any, where: str) -> Any:
        if not any(type(value) is type(word) and value == word for word in words):
            raise _wrong(where, " or ".join(map(repr, words)), value)
        return value

    return check


def _any_of(readers: list[Reader], kinds: tuple[Any, ...]) -> Reader:
    def check(value: Any, where: str) -> Any:
        if value is None and type(None) in kinds:
            return None
        found: ShapeError | None = None
        for inner, kind in zip(readers, kinds, strict=True):
            if kind is type(None) or (_has_type(kind) and not _is_typed(value, kind)):
                continue
            try:
                return inner(value, where)
            except ShapeError as error:
                found = error
        known = " or ".join(repr(kind.type) for kind in kinds if _has_type(kind))
        raise found or _wrong(where, f"a message of the type {known}", value)

    return check


def _items(inner: Reader) -> Reader:
    def check(value: Any, where: str) -> Any:
        if type(value) is not list:
            raise _wrong(where, "a list", value)
        return [inner(item, f"{where}[{number}]") for number, item in enumerate(value)]

    return check


def _entries(inner: Reader) -> Reader:
    def check(value: Any, where: str) -> Any:
        if type(value) is not dict:
            raise _wrong(where, "an object", value)
        return {key: inner(item, f"{where}.{echo(key)[1:-1]}") for key, item in value.items()}

    return check


def _fields(kind: Any) -> Reader:
    readers = {name: reader(part) for name, part in _hints(kind).items()}
    needed = {field.name for field in dataclasses.fields(kind) if _is_needed(field)}

    def check(value: Any, where: str) -> Any:
        if type(value) is not dict:
            raise _wrong(where, "an object", value)
        given = dict(value)
        if _has_type(kind) and given.pop("type", None) != kind.type:
            raise _wrong(where, f"of the type {kind.type!r}", value)
        for name in given:
            if name not in readers:
                raise ShapeError(f"{where or 'the message'} has the key {echo(name)}, which is unknown")
        for name in needed:
            if name not in given:
                raise ShapeError(f"{where or 'the message'} lacks the key {name!r}")
        return kind(**{name: readers[name](item, f"{where}.{name}") for name, item in given.items()})

    return check


def _wrong(where: str, wanted: str, value: object) -> ShapeError:
    return ShapeError(f"{where.removeprefix('.') or 'the message'} is {wanted}, not {echo(value)}")


def _has_type(kind: Any) -> bool:
    return dataclasses.is_dataclass(kind) and hasattr(kind, "type")


def _is_typed(value: Any, kind: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == kind.type


def _is_needed(field: Any) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: hint for name, hint in hints.items() if get_origin(hint) is not ClassVar}


def definitions(*kinds: Any) -> dict[str, Any]:
    """The JSON Schema of dataclasses and of all that they use, by their names."""
    found: dict[str, Any] = {}

    def of(kind: Any) -> dict[str, Any]:
        origin, parts = get_origin(kind), get_args(kind)
        if origin is Annotated:
            inner = of(parts[0])
            low, high = LIMITS[inner["type"]]
            return inner | {low: parts[1].low, high: parts[1].high}
        if origin is Literal:
            return {"enum": list(parts)} if len(parts) > 1 else {"const": parts[0]}
        if origin in (Union, types.UnionType):
            return {"anyOf": [of(part) for part in parts]}
        if origin is list:
            return {"type": "array", "items": of(parts[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": of(parts[1])}
        if dataclasses.is_dataclass(kind):
            name = kind.__name__  # type: ignore[union-attr]
            if name not in found:
                found[name] = {}  # it may contain itself
                found[name] = define(kind)
            return {"$ref": f"#/$defs/{name}"}
        return {} if kind is Any else {"type": PLAIN[kind][0]}

    def define(kind: Any) -> dict[str, Any]:
        properties = {name: of(hint) for name, hint in _hints(kind).items()}
        needed = [field.name for field in dataclasses.fields(kind) if _is_needed(field)]
        if _has_type(kind):
            properties, needed = {"type": {"const": kind.type}} | properties, ["type", *needed]
        return {
            "description": " ".join(kind.__doc__.split()),
            "type": "object",
            "properties": properties,
            "required": needed,
            "additionalProperties": False,
        }

    for kind in kinds:
        of(kind)
    return dict(sorted(found.items()))
