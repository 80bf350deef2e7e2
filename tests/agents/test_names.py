"""Names with parameters, classes of modules, commands of bots; and what a name from a network may be."""

import json
import sys
from pathlib import Path

import pytest

import fuda
from fuda.agents import agent_of, listed_agent
from fuda.agents.bot import BotAgent
from fuda.serve import worker
from tests.bots.programs import PLAIN, first_bot

MODULE = '''
import numpy as np
import fuda
from fuda.agents import Agent, AgentInfo

class First(Agent):
    """Plays the first legal move."""

    def __init__(self, seed=0, last=False):
        spec = fuda.game("koikoi").spec
        super().__init__("koikoi/first", spec, AgentInfo("First", "First move."), seed)
        self.seed, self.last = seed, last

    def act(self, views, seats, rngs):
        lists = self.spec.kernels.legal_lists(views)
        return np.array([lists.row(k)[-1 if self.last else 0] for k in range(len(views))], np.int64)

class Plain(First):
    def __init__(self):
        super().__init__()

def nothing(**given):
    return None
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch) -> str:
    """A module of one's own in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "my_players", raising=False)
    Path("my_players.py").write_text(MODULE)
    return "my_players"


def test_parameters_behind_a_name_are_those_of_keywords():
    name = "koikoi/uct,exploration=2.5,information_set=True,iterations=3,rollout=classical,trees=2"
    given = {"exploration": 2.5, "information_set": True, "iterations": 3, "rollout": "classical", "trees": 2}
    agent, other = fuda.agent(name), fuda.agent("koikoi/uct", **given)
    assert agent.name == other.name == name  # as agents print their names
    assert agent.setting == other.setting
    assert agent_of("koikoi", "koikoi/uct,trees=2").setting.trees == 2
    mixed = fuda.agent("gongzhu/best,scenarios=3", close=1.5)
    assert mixed.name == fuda.agent("gongzhu/best", scenarios=3, close=1.5).name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("koikoi/uct,trees", "a parameter of an agent is written key=value, not 'trees'"),
        ("koikoi/uct,=3", "a parameter of an agent is written key=value, not '=3'"),
        ("koikoi/uct,", "a parameter of an agent is written key=value, not ''"),
        ("koikoi/uct,trees=2,trees=3", "the parameter 'trees' is given twice"),
        ("koikoi/uct,trees=two", "trees of koikoi/uct|a whole number"),
        ("koikoi/uct,trees=0", "a whole number from 1"),
        ("koikoi/uct,branches=2", "koikoi/uct has no parameter 'branches'; it has trees"),
        ("koikoi/random,strength=9", "koikoi/random has no parameter 'strength'"),
        ("koikoi/nobody,trees=2", "there is no agent 'koikoi/nobody,trees=2'; there are koikoi/"),
    ],
)
def test_bad_parameters(name: str, why: str):
    with pytest.raises(ValueError, match=why):
        fuda.agent(name)


def test_a_folder_may_have_commas_in_its_name(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine,trees=2").mkdir()
    with pytest.raises(ValueError, match=r"there is no model\.json in"):
        fuda.agent("mine,trees=2")


def test_a_class_of_a_module(module: str):
    agent = fuda.agent(f"{module}:First", seed=4)
    assert (agent.seed, agent.last) == (4, False)
    assert fuda.agent(f"{module}:First,last=True").last is True
    assert fuda.agent(f"{module}:Plain").last is False
    assert agent_of("koikoi", f"{module}:First").name == "koikoi/first"
    assert fuda.duel("koikoi", f"{module}:First", "koikoi/random", games=2).games == 2
    assert str(Path.cwd()) not in sys.path


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("no_such_module:First", "no_such_module:First: there is no module 'no_such_module'"),
        ("my_players:Last", "the module my_players has no Last"),
        ("my_players:First,strength=2", "my_players:First has no parameter 'strength'; it has seed, last"),
        ("my_players:nothing", "my_players:nothing makes None, which is no fuda.agents.Agent"),
        ("my_players:MODULE", "has no MODULE"),
        ("my_players:np", "is nothing that makes an agent"),
        ("my_players:", "there is no agent 'my_players:'"),
    ],
)
def test_bad_classes(module: str, name: str, why: str):
    with pytest.raises(ValueError, match=why):
        fuda.agent(name)
    with pytest.raises(ValueError, match="does not play gongzhu"):
        agent_of("gongzhu", f"{module}:First")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("bot:", "the command is missing"),
        ("bot:  ", "the command is missing"),
        ("bot:'x", "the command of a bot cannot be read: No closing quotation"),
        ("bot:no-such-program-here", "there is no program 'no-such-program-here' to be a bot"),
        ("bot,speed=3:x", "a bot has no parameter 'speed'; it has load_seconds"),
        ("bot,move_seconds=0:x", "move_seconds of a bot is a number from 0.01 to 3,600, not 0"),
        ("bot,memory_mib=1.5:x", "memory_mib of a bot is a whole number"),
        ("bot,on_verdict=cry:x", "on_verdict of a bot is one of fallback, forfeit, not 'cry'"),
        ("bot", "there is no agent 'bot'"),
    ],
)
def test_bad_bots(name: str, why: str):
    with pytest.raises(ValueError, match=why):
        fuda.agent(name)


def test_a_bot_says_which_games_it_plays():
    command = first_bot()
    with pytest.raises(ValueError, match=r"plays 'doudizhu, .*; say which: bot,game="):
        fuda.agent(f"bot:{command}")
    bot = fuda.agent(f"bot,game=gongzhu,match_seconds=5:{command}")
    assert (bot.spec.id, bot.limits.match_seconds) == ("gongzhu", 5)
    assert bot.name == f"bot,game=gongzhu,match_seconds=5:{command}"
    assert isinstance(agent_of("koikoi", f"bot:{command}"), BotAgent)
    with pytest.raises(ValueError, match=r"plays .*, not chess"):
        fuda.agent(f"bot,game=chess:{command}")


@pytest.mark.parametrize(
    ("hello", "error", "why"),
    [
        (
            {"games": {"koikoi": 0}},
            ValueError,
            r"was made for version 0 of the koikoi rules; here .* version \d",
        ),
        ({"games": {"chess": 1}}, ValueError, "plays 'chess', not koikoi"),
        ({"v": 2}, fuda.AgentError, "it speaks version 2, the arena 1"),
        ({"batch": 0}, fuda.AgentError, "batch is from 1"),
    ],
)
def test_other_versions_are_refused(tmp_path: Path, hello: dict[str, object], error: type, why: str):
    told = {"type": "hello", "v": 1, "name": "Old", "games": {"koikoi": 1}} | hello
    program = tmp_path / "bot.py"
    program.write_text(f"print({json.dumps(json.dumps(told))}, flush=True)\ninput(); input()")
    with pytest.raises(error, match=why):
        agent_of("koikoi", f"bot:{PLAIN} {program}")


@pytest.mark.parametrize("kind", ["bot:{program}", "{module}:First", "koikoi/uct,trees=1", "./model"])
def test_names_from_a_network_are_listed_ones_alone(module: str, tmp_path: Path, kind: str):
    """Neither the function that the server uses nor its workers start or import anything else."""
    trace = tmp_path / "trace"
    program = f'{PLAIN} -c \'open("{trace}", "w")\''
    Path("my_players.py").write_text(f"open({str(trace)!r}, 'w')\n{MODULE}")
    Path("model").mkdir()
    name = kind.format(program=program, module=module)
    with pytest.raises(ValueError, match="in the list"):
        listed_agent(name)
    for job in ("load", "act", "values"):
        answer = worker.answer({"job": job, "agent": name, "views": "", "seats": [], "luck": []})
        assert "in the list" in answer["error"]
    assert not trace.exists()
    assert "my_players" not in sys.modules
    assert listed_agent("koikoi/random").name == "koikoi/random"
