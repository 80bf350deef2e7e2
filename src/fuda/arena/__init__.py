"""Agents against each other: duels on shared deals, and their statistics."""

from fuda.arena.duel import duel
from fuda.arena.result import Result

__all__ = ["Result", "duel"]
