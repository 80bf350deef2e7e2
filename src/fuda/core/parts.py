"""Whether the files of a game's folder have what their Protocols say; one sentence on what is missing."""

import inspect

from fuda.core.protocols import ENCODINGS, PARTS


def check_part(game_id: str, field: str, part: object) -> None:
    """Raise a `ValueError` where a file of the descriptor's field lacks something."""
    _check(game_id, part, *PARTS[field])


def check_encoding(game_id: str, encoding: object) -> None:
    """The same for an encoding, which is for one kind of players."""
    played_by = getattr(encoding, "PLAYED_BY", None)
    if played_by not in ENCODINGS:
        kinds = ", ".join(ENCODINGS)
        raise ValueError(f"{game_id}: {_file(encoding)} lacks PLAYED_BY, which is one of {kinds}")
    _check(game_id, encoding, *ENCODINGS[played_by])


def file_name(part: object) -> str:
    """The name of a part's file, without the ending."""
    return str(getattr(part, "__name__", type(part).__name__)).rpartition(".")[2]


def _check(game_id: str, part: object, required: type, optional: type | None = None) -> None:
    for name, wanted in _members(required).items():
        if not hasattr(part, name):
            raise ValueError(f"{game_id}: {_file(part)} lacks {name}{_shown(wanted)}")
        _check_parameters(game_id, part, name, wanted)
    for name, wanted in _members(optional).items() if optional else ():
        if hasattr(part, name):
            _check_parameters(game_id, part, name, wanted)


def _check_parameters(game_id: str, part: object, name: str, wanted: inspect.Signature | None) -> None:
    """Whether a function takes as many things as the kit gives it."""
    given = getattr(part, name)
    if wanted is None:
        return
    if not callable(given):
        raise ValueError(f"{game_id}: {name} of {_file(part)} is no function {name}{_shown(wanted)}")
    try:
        signature = inspect.signature(getattr(given, "py_func", given))
    except ValueError:  # some functions written in C do not tell
        return
    try:
        signature.bind(*wanted.parameters)
    except TypeError:
        raise ValueError(
            f"{game_id}: {_file(part)} has {name}{_shown(signature)} where {name}{_shown(wanted)} is needed"
        ) from None


def _members(protocol: type) -> dict[str, inspect.Signature | None]:
    """What a Protocol names, its bases' first: a function's parameters, None for a constant."""
    found: dict[str, inspect.Signature | None] = {}
    for base in reversed(protocol.__mro__):
        if not getattr(base, "_is_protocol", False):
            continue
        for name, member in vars(base).items():
            if isinstance(member, property):
                found[name] = None
            elif inspect.isfunction(member) and not name.startswith("_"):
                found[name] = _without_self(inspect.signature(member))
    return found


def _without_self(signature: inspect.Signature) -> inspect.Signature:
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def _shown(signature: inspect.Signature | None) -> str:
    return "" if signature is None else f"({', '.join(signature.parameters)})"


def _file(part: object) -> str:
    return f"{file_name(part)}.py"
