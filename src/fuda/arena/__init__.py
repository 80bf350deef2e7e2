"""Agents against each other: duels and tournaments on shared deals, their statistics, ladders."""

from fuda.arena.duel import duel
from fuda.arena.ratings import Ratings, ratings
from fuda.arena.result import Result
from fuda.arena.sprt import Sprt
from fuda.arena.tournament import tournament

__all__ = ["Ratings", "Result", "Sprt", "duel", "ratings", "tournament"]
