"""Records as files: a header on the first line, then one event a line, all JSON."""

import json
from pathlib import Path
from typing import Any

from fuda.core.errors import LineError, RecordError, echo
from fuda.core.files import IrregularFileError, read_regular, replacing
from fuda.core.match import Match
from fuda.games import spec
from fuda.records.replay import DEALS_AHEAD, HEADER_KEYS, EventError, replay

MAX_BYTES = 16 * 2**20
MAX_TEXT_BYTES = 256 * 2**20  # of a file of many matches


def dumps(match: Match) -> str:
    """The match so far as the text of a record file."""
    record = match.record()
    events = record.pop("events")
    # The number of events tells a file that was cut short from a match that was not finished.
    lines = [record | {"events": len(events)}, *events]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def save(match: Match, path: str | Path) -> None:
    """Write the match so far; the file appears whole or not at all."""
    text = dumps(match)
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target, sync=False, shared=True) as (file,):
            file.write(text.encode())
    except OSError as error:
        raise ValueError(f"cannot write {target}: {error.strerror}") from None


def load(path: str | Path) -> Match:
    """The match of a file that `save` wrote; a `RecordError` names file and line."""
    return loads(_read(Path(path)), str(path))


def loads(text: str, where: str) -> Match:
    """The match of a text that `dumps` wrote; `where` it comes from is for the errors."""
    lines = text.split("\n")
    if lines.pop() != "":
        raise RecordError(f"{where}:{len(lines) + 1}: the last line is cut off")
    parsed = [_parse(line, f"{where}:{number}") for number, line in enumerate(lines, 1)]
    header, events = (parsed[0], parsed[1:]) if parsed else (None, [])
    if not isinstance(header, dict) or set(header) - {DEALS_AHEAD} != HEADER_KEYS | {"events"}:
        raise RecordError(
            f"{where}:1: this is not a fuda record; its first line is a header with fuda_record"
        )
    told = header["events"]
    if told != len(events) or type(told) is not int:
        raise RecordError(
            f"{where}:{len(lines)}: the file has {len(events)} events, its header says {echo(told)}"
        )
    try:
        return replay(header | {"events": events})
    except EventError as error:
        raise RecordError(f"{where}:{error.event + 2}: {error.why}") from None
    except RecordError as error:
        raise RecordError(f"{where}:1: {error}") from None


def load_foreign_all(game: str, path: str | Path) -> list[Match]:
    """The matches of another program's file, in the format that the game's folder knows."""
    importer = spec(game).text_importer
    if importer is None:
        return [load_foreign(game, path)]
    text = _read(Path(path), MAX_TEXT_BYTES)
    try:
        return importer(text)
    except LineError as error:
        raise RecordError(f"{path}:{error.line}: {error.why}") from None


def load_foreign(game: str, path: str | Path) -> Match:
    """The match of a file with one, as JSON."""
    importer = spec(game).importer
    if importer is None:
        raise ValueError(f"{game} has no import format")
    data = _parse(_read(Path(path)), str(path))
    try:
        return importer(data)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def _read(path: Path, most: int = MAX_BYTES) -> str:
    try:
        content = read_regular(path, most)
    except IrregularFileError as error:
        raise RecordError(f"{path}: {error.strerror}; it is no record") from None
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RecordError(f"{path}:{line}: not UTF-8 text; it is no record") from None


def _parse(text: str, where: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        line = f", line {error.lineno} of it" if error.lineno > 1 else ""
        raise RecordError(f"{where}: not JSON: {error.msg} at column {error.colno}{line}") from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: not JSON as records have it: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")
