"""Who may sit at the tables of a server: the listed agents, and the bots of its command line."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from fuda.agents import AgentInfo, agent_info, agent_weights, list_agents
from fuda.agents.bot import introduced
from fuda.agents.loader import read_bot_name
from fuda.core.errors import echo
from fuda.games import list_games

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
NEVER_LATE = 86_400.0  # seconds for all its moves of a match: people take their time


@functools.cache
def known_agents(game_id: str) -> frozenset[str]:
    """The agents of a game, by their exact names."""
    return frozenset(list_agents(game_id))


@functools.cache
def change_of(name: str, weights: str | None) -> str | None:
    """What has become of an agent that had these weights: `missing`, other `weights`, or nothing."""
    if name not in list_agents():
        return "missing"
    return None if agent_weights(name) == weights else "weights"


@functools.cache
def unit_of(name: str, is_bid: bool = False) -> str | None:
    """The unit of a listed agent's values, of bids or of all other moves; None: it has none."""
    return agent_info(name).unit_for(is_bid)


@dataclass(frozen=True)
class ServedBot:
    """A bot that the command line has registered."""

    name: str
    agent: str  # by which `fuda.agent` makes it
    info: AgentInfo
    games: tuple[str, ...]
    weights: str


def served_bot(text: str) -> ServedBot:
    """A bot from `NAME=COMMAND`, started once to hear its hello."""
    name, equals, command = text.partition("=")
    if not equals or not NAME.fullmatch(name):
        raise ValueError(
            f"a --bot is NAME=COMMAND, the name of small letters, digits and hyphens, not {echo(text)}"
        )
    words, parameters = read_bot_name(command)
    info, hello, weights = introduced(words, parameters)
    games = tuple(game for game in hello.games if game in list_games())
    if not games:
        raise ValueError(f"the bot {name} plays {echo(', '.join(hello.games))}, which is no game here")
    for game in games:
        if f"{game}/{name}" in list_agents(game):
            raise ValueError(f"there is an agent {game}/{name} already; give the bot another name")
    given = "".join(f",{key}={value}" for key, value in ({"match_seconds": NEVER_LATE} | parameters).items())
    return ServedBot(name, f"bot{given}:{words}", info, games, weights)


class Roster:
    """The agents by the names that the page uses, a bot's being GAME/NAME."""

    def __init__(self, bots: Sequence[ServedBot]):
        self.bots = {f"{game}/{bot.name}": bot for bot in bots for game in bot.games}

    def has(self, game_id: str, name: str) -> bool:
        """Whether it plays the game."""
        return name in known_agents(game_id) or (name in self.bots and name.partition("/")[0] == game_id)

    def names(self) -> list[str]:
        """All of them."""
        return [*list_agents(), *self.bots]

    def info(self, name: str) -> AgentInfo:
        """What people are told about it."""
        return self.bots[name].info if name in self.bots else agent_info(name)

    def unit(self, name: str, is_bid: bool = False) -> str | None:
        """The unit of its values, of bids or of all other moves; None: it has none."""
        return self.bots[name].info.unit_for(is_bid) if name in self.bots else unit_of(name, is_bid)

    def weights(self, name: str) -> str | None:
        """A hash of what it has learned, or of its program."""
        return self.bots[name].weights if name in self.bots else agent_weights(name)

    def change_of(self, name: str, weights: str | None) -> str | None:
        """What has become of an agent that had these weights: `missing`, other `weights`, or nothing."""
        if name in self.bots:
            return None if self.bots[name].weights == weights else "weights"
        return change_of(name, weights)
