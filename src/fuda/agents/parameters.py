"""Parameters of agents that people give by name, checked."""

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from fuda.core.errors import echo
from fuda.core.game import GameSpec
from fuda.search.belief import WEIGHTINGS

Setting = TypeVar("Setting", bound=Any)
Limits = dict[str, tuple[float, float]]

TOLD = ("name", "title", "line", "unit", "of")  # what says which player it is, is no parameter
LIMITS: Limits = {  # of `exact` the game says it
    "scenarios": (0, 10_000), "per_legal": (1, 100_000), "extra": (0, 1_000_000), "exact": (0, 0),
    "beta": (0, 10_000), "exploration": (0, 1_000_000), "close": (0, 10_000), "candidates": (1, 100),
    "doubt": (0, 10_000), "deviation": (0.001, 10_000), "floor": (0, 1), "pool": (1, 1_000),
    "plies": (0, 1_000), "temperature": (1e-6, 1_000_000), "among": (1, 1_000),
}  # fmt: skip
WORDS = {"method": ("search", "policy"), "sampling": ("stratified", "uniform"), "weighting": WEIGHTINGS}


def with_parameters(
    name: str, spec: GameSpec, setting: Setting, parameters: Mapping[str, object]
) -> tuple[Setting, str]:
    """The setting with the parameters given, and how they are added to the agent's name."""
    limits = dict(LIMITS)
    if spec.scenarios is not None:
        limits["exact"] = (0, spec.scenarios.MOST_TO_SOLVE)
    known = {each.name: getattr(setting, each.name) for each in dataclasses.fields(setting)}
    known = {key: value for key, value in known.items() if key not in TOLD}
    given = {key: _checked(name, known, limits, key, value) for key, value in sorted(parameters.items())}
    shown = "".join(f",{key}={value}" for key, value in given.items())
    return dataclasses.replace(setting, **given), shown


def _checked(name: str, known: dict[str, Any], limits: Limits, parameter: str, value: object) -> Any:
    """The parameter's value, or a `ValueError` that says what it may be."""
    if parameter not in known:
        raise ValueError(f"{name} has no parameter {echo(parameter)}; it has {', '.join(known)}")
    if parameter in WORDS:
        if isinstance(value, str) and value in WORDS[parameter]:
            return value
        allowed = f"one of {', '.join(WORDS[parameter])}"
    elif isinstance(known[parameter], bool):
        if isinstance(value, bool):
            return value
        allowed = "True or False"
    else:
        low, high = limits[parameter]
        is_whole = isinstance(known[parameter], int)
        kinds: Any = (int, np.integer) if is_whole else (int, float, np.number)
        number: Any = value
        if isinstance(value, kinds) and not isinstance(value, bool) and low <= float(number) <= high:
            return int(number) if is_whole else float(number)
        allowed = f"a {'whole ' if is_whole else ''}number from {low} to {high:,}"
    raise ValueError(f"{parameter} of {name} is {allowed}, not {echo(value)}")
