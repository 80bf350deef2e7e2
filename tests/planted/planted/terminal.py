"""The planted game in a terminal: plain lines."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text


def order(moves: list[str]) -> list[str]:
    """Legal moves in the order in which they are numbered."""
    return sorted(moves)


def say(event: dict[str, Any], players: Sequence[str]) -> str:
    """An event in words."""
    told = {key: value for key, value in event.items() if key not in ("type", "seat")}
    who = players[event["seat"]] + ": " if "seat" in event else ""
    return f"{who}{event['type']} {told}".replace("[", "\\[")


def draw(view: dict[str, Any], players: Sequence[str], numbers: dict[str, int]) -> RenderableType:
    """What a seat knows, line by line."""
    shown = ("deal", "phase", "hand", "table", "tricks", "points")
    return Text("\n".join(f"{key}: {view[key]}" for key in shown))
