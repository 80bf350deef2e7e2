"""Who can sit in a seat. One loader by name: `game/name`."""

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.loader import agent, list_agents

__all__ = ["Agent", "AgentInfo", "agent", "list_agents"]
