"""Agents by name: a game's policies and searches, its shipped models, models by folder, classes and bots.

Behind a name there may be parameters: `koikoi/uct,trees=2`. Only who starts fuda may name files, classes and
commands; what comes over a network goes through `listed_agent`.
"""

import inspect
import os
import re
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from fuda.agents.agent import Agent, AgentInfo
from fuda.agents.bot import BotAgent
from fuda.agents.model import bid_weights, model_agent, model_info, model_players
from fuda.agents.policy import PolicyAgent
from fuda.agents.settings import SearchSetting, SoftenedSetting, settings
from fuda.agents.softened import SoftenedAgent, softened_info, softened_weights
from fuda.agents.tree_search import TreeSearchAgent
from fuda.agents.values import ValueAgent
from fuda.core.errors import echo
from fuda.core.game import RANDOM
from fuda.games import list_games, spec
from fuda.nets.folder import CARD, read_card

BOT = re.compile(r"bot(,[^:]*)?:")
CLASS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")  # module:Class
WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]{1,3})?")


def list_agents(game: str | None = None) -> list[str]:
    """The names that `agent` takes, of one game or of all."""
    games = list_games() if game is None else [spec(game).id]
    return [f"{game_id}/{name}" for game_id in games for name in sorted(_makers(game_id))]


def agent(name: str | os.PathLike[str], seed: int = 0, **parameters: object) -> Agent:
    """An agent by its name, by the path of a model folder, as `module:Class`, or as `bot:COMMAND`.

    `seed` sets its own random numbers, `parameters` how it plays; they may also stand behind the name.
    """
    return _load(name, None, seed, parameters)


def agent_of(game_id: str, name: str | os.PathLike[str], seed: int = 0) -> Agent:
    """The same for a seat of this game: whoever does not play it is refused."""
    found = _load(name, game_id, seed, {})
    if found.spec.id != game_id:
        raise ValueError(f"{found.name} does not play {game_id}")
    return found


def listed_agent(name: str, seed: int = 0) -> Agent:
    """An agent that `list_agents` names, and nothing else: the name may come from anywhere."""
    if name not in list_agents():
        raise ValueError(f"there is no agent {echo(name)} in the list")
    return _load(name, None, seed, {})


def _load(name: object, wanted: str | None, seed: int, parameters: dict[str, object]) -> Agent:
    """The agent of a name, or a `ValueError` that lists those of the wanted game, if there is one."""
    text = os.fspath(name) if isinstance(name, os.PathLike) else name
    if isinstance(text, str) and not (text and _is_there(text)):
        if BOT.match(text):
            command, found = read_bot_name(text)
            return BotAgent(command, wanted, seed, _joined(found, parameters))
        text, *given = text.split(",")
        parameters = _joined(_read_parameters(given), parameters)
        if CLASS.fullmatch(text):
            return _class_agent(text, seed, parameters)
    game_id, _, short = text.partition("/") if isinstance(text, str) else ("", "", "")
    known = game_id in list_games()
    makers = _makers(game_id) if known else {}
    if short in makers:
        return makers[short](seed=seed, parameters=parameters)
    if isinstance(text, str) and text and _is_there(text):
        return model_agent(_model_in(Path(text)), text, seed, parameters)
    if short and game_id.lower() not in list_games():  # a path, rather than a name
        raise ValueError(f"there is no folder {echo(text)} of a model, nor an agent of that name")
    there = ", ".join(list_agents(wanted or (game_id if known else None)))
    raise ValueError(f"there is no agent {echo(name)}; there are {there}")


def read_bot_name(text: str) -> tuple[str, dict[str, object]]:
    """The command and the parameters of `bot:COMMAND`, `bot,key=value:COMMAND`, or of the command alone."""
    if not BOT.match(text):
        return text.strip(), {}
    head, _, command = text.partition(":")
    return command.strip(), _read_parameters(head.split(",")[1:])


def _joined(behind: dict[str, object], keywords: dict[str, object]) -> dict[str, object]:
    """The parameters behind a name with those that were given as keywords."""
    for key in behind:
        if key in keywords:
            raise ValueError(f"the parameter {echo(key)} is given twice")
    return behind | keywords


def _read_parameters(given: list[str]) -> dict[str, object]:
    """The parameters behind a name, `key=value` each."""
    found: dict[str, object] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise ValueError(f"a parameter of an agent is written key=value, not {echo(text)}")
        if key in found:
            raise ValueError(f"the parameter {echo(key)} is given twice")
        found[key] = _read_value(value)
    return found


def _read_value(text: str) -> object:
    """A value as agents print it in their names: a whole number, a number, True or False, or a word."""
    if text in ("True", "False"):
        return text == "True"
    for kind, form in ((int, WHOLE), (float, NUMBER)):
        if form.fullmatch(text):
            return kind(text)
    return text


def _class_agent(text: str, seed: int, parameters: dict[str, object]) -> Agent:
    """An agent made by a class, or a function, of a module; those of the working folder are found too."""
    module, _, name = text.partition(":")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        make = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        raise ValueError(f"{text}: there is no module {echo(error.name)}") from None
    except AttributeError:
        raise ValueError(f"the module {module} has no {name}") from None
    finally:
        sys.path.remove(here)
    try:
        takes = inspect.signature(make).parameters
    except (TypeError, ValueError):
        raise ValueError(f"{text} is nothing that makes an agent") from None
    takes_all = any(each.kind is each.VAR_KEYWORD for each in takes.values())
    for key in parameters:
        if key not in takes and not takes_all:
            raise ValueError(f"{text} has no parameter {echo(key)}; it has {', '.join(takes) or 'none'}")
    seeded = {"seed": seed} if takes_all or "seed" in takes else {}
    found = make(**seeded, **parameters)
    if not isinstance(found, Agent):
        raise ValueError(f"{text} makes {echo(found)}, which is no fuda.agents.Agent")
    return found


def agent_info(name: str) -> AgentInfo:
    """What people are told about a listed agent; unlike `agent`, it loads no network."""
    softened = _softened(name)
    if softened is not None:
        return softened_info(softened, agent_info(_base_of(name, softened)))
    player = model_of(name)
    return agent(name).info if player is None else model_info(*player)


def agent_weights(name: str) -> str | None:
    """A hash of what a listed agent has learned, None if it does not learn; loads no network."""
    softened = _softened(name)
    if softened is not None:
        return softened_weights(softened, str(agent_weights(_base_of(name, softened))))
    player = model_of(name)
    return None if player is None else read_card(player[0]).weights


def agent_bid_weights(name: str) -> str | None:
    """The same of the model that bids for a listed agent, if one does."""
    softened = _softened(name)
    player = model_of(name if softened is None else _base_of(name, softened))
    return None if player is None else bid_weights(player[0])


def model_of(name: str) -> tuple[Path, str] | None:
    """The folder of a shipped model and which of its players it is, None if the name is none of these."""
    game_id, _, short = name.partition("/")
    return model_players(game_id).get(short) if game_id in list_games() else None


def _softened(name: str) -> SoftenedSetting | None:
    """How a listed weaker player chooses; None if the name is none of these."""
    game_id, _, short = name.partition("/")
    return settings(spec(game_id), SoftenedSetting).get(short) if game_id in list_games() else None


def _base_of(name: str, setting: SoftenedSetting) -> str:
    """The name of the player whose values a weaker one chooses by."""
    return f"{name.partition('/')[0]}/{setting.of}"


def _softened_agent(setting: SoftenedSetting, name: str, seed: int, parameters: dict[str, object]) -> Agent:
    base = agent(_base_of(name, setting), seed)
    if not isinstance(base, ValueAgent):
        raise ValueError(f"{name} is of {base.name}, which has no values")
    return SoftenedAgent(name, base, setting, seed, parameters)


def _makers(game_id: str) -> dict[str, Callable[..., Agent]]:
    game = spec(game_id)
    policies = (game.policy(RANDOM), *game.policies)
    found: dict[str, Callable[..., Agent]] = {}
    found |= {
        name: partial(model_agent, folder, f"{game_id}/{name}", suffix=suffix)
        for name, (folder, suffix) in model_players(game_id).items()
    }
    found |= {policy.name: partial(PolicyAgent, game, policy) for policy in policies}
    found |= {
        setting.name: partial(TreeSearchAgent, game, setting)
        for setting in settings(game, SearchSetting).values()
    }
    found |= {
        name: partial(_softened_agent, setting, f"{game_id}/{name}")
        for name, setting in settings(game, SoftenedSetting).items()
    }
    return found


def _is_there(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long for a path, or not one at all
        return False


def _model_in(folder: Path) -> Path:
    """The folder itself, or a hint where it is that of a whole run."""
    inside = sorted(folder.glob(f"model*/{CARD}"))
    if not (folder / CARD).exists() and inside:
        raise ValueError(f"there is no {CARD} in {folder}; its model is in {inside[0].parent}")
    return folder
