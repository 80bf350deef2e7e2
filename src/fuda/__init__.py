"""fuda: learned agents for card games with hidden hands.

Play and rate them: `fuda.game`, `fuda.agent`, `fuda.duel`, `fuda.tournament`, `fuda.ratings`, `fuda.replay`.
Learn from many matches at once: `fuda.vector`.
"""

from fuda.agents import agent, list_agents
from fuda.arena import Ratings, Result, Sprt, duel, ratings, tournament
from fuda.core.errors import AgentError, IllegalMove, RecordError
from fuda.core.game import Game
from fuda.core.match import Match
from fuda.envs import VectorEnv, vector
from fuda.explain.review import Review, review
from fuda.games import game, list_games
from fuda.records import replay

__version__ = "0.1.0"

__all__ = [
    "AgentError",
    "Game",
    "IllegalMove",
    "Match",
    "Ratings",
    "RecordError",
    "Result",
    "Review",
    "Sprt",
    "VectorEnv",
    "agent",
    "duel",
    "game",
    "list_agents",
    "list_games",
    "ratings",
    "replay",
    "review",
    "tournament",
    "vector",
]
