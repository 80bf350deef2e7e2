"""Duels with bots: the same deals and luck as in lock-step, and what the bots are told."""

import json
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import fuda
from fuda.agents import Agent, AgentInfo, agent_of
from fuda.agents.bot_server import BotServer
from fuda.arena.duel import play_deals
from fuda.arena.matches import play_matches
from fuda.bots import talk
from fuda.bots.limits import Limits
from fuda.bots.protocol import Happened, ToBot, decode, encode
from fuda.bots.seat import Seat
from fuda.core.runner import LockStep
from tests.bots.programs import EXAMPLES, HERE, PATIENCE, PLAIN, first_bot, our_agent

GAMES = [*fuda.list_games()]


def bot_of(game: str, command: str, **parameters: object) -> Agent:
    return fuda.agent(f"bot:{command}", game=game, **parameters)


def deals_of(game: fuda.Game, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    seatings = game.seatings
    return np.repeat(np.arange(first, last), len(seatings)), np.tile(np.array(seatings), (last - first, 1))


@pytest.mark.parametrize("game", GAMES)
def test_other_agents_play_as_in_lock_step(game: str):
    """The bot is a third entrant, who has no seat."""
    table = fuda.game(game)
    names = (f"{game}/{table.spec.fallback}", f"{game}/random")
    inside = play_deals(table, [agent_of(game, name) for name in names], 5, 3, 5)
    watching = bot_of(game, first_bot())
    entrants = [*(agent_of(game, name) for name in names), watching]
    assert (play_matches(table, entrants, 5, *deals_of(table, 3, 5)) == inside.ravel()).all()


class FirstLegal(Agent):
    """What the example does, inside."""

    def __init__(self, game: str, last: bool = False):
        super().__init__(f"{game}/first", fuda.game(game).spec, AgentInfo("First", "Plays the first move."))
        self.place = -1 if last else 0

    def act(self, views, seats, rngs):
        lists = self.spec.kernels.legal_lists(views)
        text = self.spec.text.move_text
        return np.array([sorted(lists.row(k), key=text)[self.place] for k in range(len(views))], np.int64)


@pytest.mark.parametrize("game", GAMES)
def test_the_example_in_python_plays_as_inside(game: str):
    table, other = fuda.game(game), f"{game}/random"
    bot = bot_of(game, first_bot())
    inside = play_deals(table, [FirstLegal(game), agent_of(game, other)], 2, 0, 2)
    assert (play_deals(table, [bot, agent_of(game, other)], 2, 0, 2) == inside).all()
    assert not bot.verdicts
    assert bot.info.title == "First"


def test_the_example_in_c_plays_as_inside(tmp_path: Path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler, "the tests need a C compiler: make test installs gcc"
    program = tmp_path / "lowest"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *flags, "-o", program, EXAMPLES / "lowest.c"], check=True)
    for game, last in (("koikoi", False), ("doudizhu", True), ("gongzhu", True)):
        table, other = fuda.game(game), f"{game}/random"
        bot = bot_of(game, f"{program}{' last' if last else ''}")
        inside = play_deals(table, [FirstLegal(game, last), agent_of(game, other)], 2, 0, 1)
        assert (play_deals(table, [bot, agent_of(game, other)], 2, 0, 1) == inside).all()
        assert not bot.verdicts


def test_with_memory_and_without_bots_see_the_same():
    for game, options in (("koikoi", {"rounds": 1}), ("planted", {})):
        table, margins = fuda.game(game, **options), []
        for parts, batch in (("view", 1), ("since", 1), ("since", 4)):
            bot = bot_of(game, f"{PLAIN} {HERE / 'memory_bot.py'} {parts} {batch}")
            margins.append(play_deals(table, [bot, agent_of(game, f"{game}/random")], 3, 0, 2))
            bot.close()
            assert not bot.verdicts, bot.examples
            assert max(bot.asked) == (1 if batch == 1 else 2)
        assert all((found == margins[0]).all() for found in margins)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_seat_is_told_is_what_it_saw(game: str):
    """Moves and events since the last question add up to those of the match; late comers catch up."""
    table = fuda.game(game)
    match, player = table.start(4), agent_of(game, f"{game}/random")
    seats = [Seat(match, seat, "1", 0, Limits(), ["view", "since"]) for seat in range(table.spec.seats)]
    late = [Seat(match, seat, "1", 0, Limits(), ["since"]) for seat in range(table.spec.seats)]
    seen: list[list[object]] = [[] for _ in seats]
    told: list[list[object]] = [[] for _ in seats]
    while not match.over:
        mover = match.seat
        position = seats[mover].position(values=False)
        assert position.view == match.view(mover)
        assert position.seq == len(match.moves)
        told[mover] += position.since
        assert told[mover] == seen[mover]
        match.play(player.choose(match))
        for seat in seats:
            seat.hear()
            seen[seat.seat].append(Happened(*match.last_move(seat.seat), match.events(seat.seat)))
    for seat in seats:
        end = seat.end()
        assert told[seat.seat] + end.since == seen[seat.seat]
        assert (end.scores, end.margin) == (match.scores, match.margin(seat.seat))
    for seat in late:
        seat.catch_up()
        assert seat.end().since == seen[seat.seat]


class ServerInside:
    """`fuda bot serve` without a process, which takes a second to start."""

    is_worn = False
    last_words = ""

    def __init__(self, command: list[str], limits: Limits):
        self.server = BotServer(fuda.agent(command[-1]))

    def ask(self, line: bytes, seconds: float) -> bytes:
        return encode(self.server.answer(decode(line, ToBot)))

    def send(self, line: bytes) -> None:
        assert self.server.answer(decode(line, ToBot)) is None

    def close(self, grace: float = 0) -> None:
        pass


@pytest.mark.parametrize(
    "name",
    [
        "koikoi/rl-wp", "koikoi/uct,iterations=10,trees=2", "koikoi/random", "doudizhu/best",
        "doudizhu/random", "gongzhu/best-raw", "gongzhu/uct,iterations=10,trees=2", "planted/random",
    ],
)  # fmt: skip
def test_our_agents_play_the_same_through_the_protocol(name: str, monkeypatch):
    """Also those that draw lots: their luck is the arena's."""
    monkeypatch.setattr(talk, "BotProcess", ServerInside)
    game = name.partition("/")[0]
    table, other = fuda.game(game), f"{game}/random"
    inside = play_deals(table, [agent_of(game, name), agent_of(game, other)], 6, 0, 2)
    bot = bot_of(game, f"env {name}", luck="arena")
    assert (play_deals(table, [bot, agent_of(game, other)], 6, 0, 2) == inside).all()
    assert not bot.verdicts, bot.examples
    match, agent = table.start(1), fuda.agent(name)
    assert bot.info.unit == agent.info.unit
    if agent.info.unit is None:
        assert bot.values(match) is None
    else:
        assert set(bot.values(match)) <= set(match.legal())


def test_a_bot_cannot_tell_the_luck_of_others():
    """What it is told is another stream than that of the arena, and the same again each time."""
    match = fuda.game("koikoi").start(1)
    own, again, arena = (
        bot_of("koikoi", first_bot(), luck=kind).sit(match, 0, "place", 7).start().luck
        for kind in ("own", "own", "arena")
    )
    assert arena == f"{7:016x}"
    assert own == again != arena


@pytest.mark.parametrize(
    "table", [fuda.game("koikoi", rounds=1), fuda.game("doudizhu"), fuda.game("gongzhu")]
)
def test_the_server_of_an_agent_as_a_program(table):
    name = f"{table.id}/random"
    bot = bot_of(table.id, our_agent(name), luck="arena")
    deals, seatings = deals_of(table, 0, 2)
    rows = (deals[::2], seatings[::2])  # one seating
    inside = LockStep(table, 6, *rows).play([agent_of(table.id, name).act, agent_of(table.id, name).act])
    margins = play_matches(table, [bot, agent_of(table.id, name)], 6, *rows)
    mine = [who == 0 for who in table.seatings[0]]
    assert (margins == table.spec.margin(inside, mine)).all()
    assert len(bot._bots) == sum(mine)  # one for each of its seats
    assert max(bot.asked) == 2  # it takes many positions at once
    assert bot._bots[0].ends_by_itself(PATIENCE)


def test_a_bot_at_a_table_catches_up_and_starts_anew():
    bot = bot_of("koikoi", f"{PLAIN} {HERE / 'memory_bot.py'} since 1")
    other = agent_of("koikoi", "koikoi/random")
    table = fuda.game("koikoi", rounds=1)
    for seed in (1, None, 2):
        match = table.start(seed)
        while not match.over:
            match.play((bot if match.seat == 1 else other).choose(match))
    assert not bot.verdicts, bot.examples
    with pytest.raises(ValueError, match="the match is over"):
        bot.choose(match)
    with pytest.raises(fuda.AgentError, match="it plays matches"):
        bot.act(*other._ask(table.start(1)))
    assert bot.values(table.start(1)) is None


def test_verdicts_are_kept_with_the_chunks(tmp_path: Path, monkeypatch):
    """A duel that was stopped and goes on counts all of them once."""
    monkeypatch.setattr(import_module("fuda.arena.duel"), "MAX_CHUNK", 1)
    name = f"bot,game=koikoi:{PLAIN} {HERE / 'bad_bot.py'} exit"
    table = fuda.game("koikoi", rounds=1)
    whole = fuda.duel(table, name, "koikoi/random", games=8, seed=2)
    assert whole.verdicts == {name: {"crash": 8}}

    def stop(done: int, total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    out = tmp_path / "duel.json"
    with pytest.raises(KeyboardInterrupt):
        fuda.duel(table, name, "koikoi/random", games=8, seed=2, out=out, progress=stop)
    assert fuda.duel(table, name, "koikoi/random", games=8, seed=2, out=out) == whole
    assert json.loads(out.read_text())["result"]["verdicts"] == whole.verdicts
    assert fuda.duel(table, name, "koikoi/random", games=8, seed=2, out=out) == whole
