"""Who can sit in a seat. One loader by name: `game/name`."""

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.loader import (
    agent,
    agent_bid_weights,
    agent_info,
    agent_of,
    agent_weights,
    list_agents,
    listed_agent,
    model_of,
)

__all__ = [
    "Agent",
    "AgentInfo",
    "agent",
    "agent_bid_weights",
    "agent_info",
    "agent_of",
    "agent_weights",
    "list_agents",
    "listed_agent",
    "model_of",
]
