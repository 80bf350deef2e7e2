"""fuda: learned agents for card games with hidden hands.

Play and rate them: `fuda.game`, `fuda.agent`, `fuda.duel`, `fuda.replay`.
"""

from fuda.agents import agent, list_agents
from fuda.arena import Result, duel
from fuda.core.errors import AgentError, IllegalMove, RecordError
from fuda.core.game import Game
from fuda.core.match import Match
from fuda.games import game, list_games
from fuda.records import replay

__version__ = "0.1.0"

__all__ = [
    "AgentError",
    "Game",
    "IllegalMove",
    "Match",
    "RecordError",
    "Result",
    "agent",
    "duel",
    "game",
    "list_agents",
    "list_games",
    "replay",
]
