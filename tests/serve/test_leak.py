"""Nothing that a seat is told depends on what it cannot see.

Two tests. One builds every message from a state and from other states that look the same to the
seat: the bytes must be equal. The other plays whole games over the real server and looks up every
card that stands anywhere in a message: the seat must have known it. A planted leak fails both.
"""

import random

import numpy as np
import pytest

import fuda
from fuda.core.chance import SeededChance
from fuda.core.generator import SAMPLE, streams
from fuda.core.match import Match
from fuda.serve import messages, minds
from fuda.serve.messages import BETWEEN, OVER, PLAYING
from tests.contract.test_contract import tables
from tests.serve.harness import Owner
from tests.serve.known_cards import unknown_cards
from tests.serve.test_tables import PERSON, play_out

GAMES = fuda.list_games()
POSITIONS = {False: 60, True: 10_000}  # of each table, small and soak
GAMES_PLAYED = {False: 1, True: 200}


def disguised(match: Match, seat: int, number: int) -> Match:
    """A match that looks the same to the seat: other cards where it cannot see, another seed and past."""
    other = match.copy()
    rng = streams(number, SAMPLE, seat, 1)
    other.seed, other.deals, other.log, other._chance = match.seed + 1, [], [], SeededChance(number)

    def redealt(state):
        view = match._view_of(state, seat)
        match.game.spec.rules.redeal(view[0], seat, rng)
        return view

    other._before, other._state = redealt(match._before), redealt(match._state)
    other._stepped = redealt(match._stepped) if match.dealt else other._state
    return other


def refusal(match: Match, move: str) -> str:
    """Why a move is refused, if it is."""
    try:
        match.copy().play(move)
    except fuda.IllegalMove as error:
        return str(error)
    return ""


def told(match: Match, seat: int, number: int) -> list[str]:
    """All that the server could say to a seat about this position."""
    states = [OVER] if match.over else [PLAYING, BETWEEN] if match.dealt else [PLAYING]
    found = [messages.snapshot(match, state, seat) for state in states]
    if match.moves:
        found += [messages.moved(match, state, seat) for state in states]
    if match.dealt:
        found.append(messages.continued(match, seat))
    found.append(messages.ended(match, seat))
    if match.seat == seat:
        found.append(minds._ask(match.view_record(seat).tobytes(), [seat], streams(1, SAMPLE, 0, 1)))
        spec = match.game.spec
        tried = random.Random(number).sample(range(spec.num_actions), 3)
        found += [{"why": refusal(match, spec.text.move_text(action))} for action in tried]
    return [messages.encode(message) for message in found]


def check_position(match: Match, number: int) -> None:
    for seat in range(match.game.spec.seats):
        if told(match, seat, number) != told(disguised(match, seat, number), seat, number):
            raise AssertionError(f"seat {seat} is told of hidden cards after {len(match.moves)} moves")


def check_positions(game: fuda.Game, positions: int) -> None:
    luck = random.Random(7)
    done = 0
    while done < positions:
        match = game.start(seed=luck.getrandbits(32))
        check_position(match, done)
        while not match.over and done < positions:
            match.play(luck.choice(match.legal()))
            check_position(match, done)
            done += 1


@pytest.mark.parametrize("game", tables(), ids=repr)
def test_messages_are_the_same_whatever_is_hidden(game: fuda.Game, soak: bool):
    check_positions(game, POSITIONS[soak])


@pytest.mark.parametrize("game", GAMES)
def test_hints_are_the_same_whatever_is_hidden(game: str, soak: bool):
    names = [name for name in fuda.list_agents(game) if minds.unit_of(name) is not None]
    luck = random.Random(8)
    for name in names:
        agent, match = fuda.agent(name), fuda.game(game).start(seed=9)
        for number in range(400 if soak else 4):
            while match.over:
                match = fuda.game(game).start(seed=luck.getrandbits(32))
            hints = []
            for state in (match, disguised(match, match.seat, number)):
                view, seats = state.view_record(match.seat), np.array([match.seat])
                values = agent.evaluate(view, seats, streams(number, SAMPLE, 0, 1))[0]
                texts = {match.game.spec.text.move_text(action): value for action, value in values.items()}
                hints.append(messages.encode(messages.hint(state, name, "points", texts)))
            assert hints[0] == hints[1]
            for _ in range(5):
                if not match.over:
                    match.play(luck.choice(match.legal()))


LEAKS = {
    "a hand": lambda match, seat: match.view((seat + 1) % match.game.spec.seats)["hand"],
    "the seed": lambda match, seat: match.seed,
    "the deal": lambda match, seat: match.deals,
}


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("game", GAMES)
def test_a_planted_leak_changes_the_bytes(game: str, leak: str, monkeypatch: pytest.MonkeyPatch):
    view = messages.view

    def leaking(match: Match, state: str, seat: int) -> messages.Message:
        return view(match, state, seat) | {"extra": LEAKS[leak](match, seat)}

    monkeypatch.setattr(messages, "view", leaking)
    with pytest.raises(AssertionError, match="is told of hidden cards"):
        check_positions(fuda.game(game), 60)


def check_games(owner: Owner, game: fuda.Game, games: int) -> None:
    """Play whole games and look up every card of every message."""
    seats = game.spec.seats
    luck = random.Random(10)
    hinter = next(name for name in fuda.list_agents(game.id) if minds.unit_of(name) is not None)
    for number in range(games):
        mine = number % seats
        chairs = [PERSON if seat == mine else {"agent": f"{game.id}/random"} for seat in range(seats)]
        client = owner.sit(owner.new_table(game.id, chairs, options=game.options), mine)
        play_out(client, luck, most=3)
        if client.my_turn:
            client.send(type="hint", seq=client.seq, agent=hinter)
            client.expect("hint")
        play_out(client, luck)
        client.close()
        record = client.seen[-1]["result"]["record"]
        match = fuda.records.loads(owner.ask("GET", f"/records/{record}/file").decode(), "download")
        replayed = [match.game.start(match.seed, match.deals, match.players)]
        for _, move in match.moves:
            replayed.append(replayed[-1].copy())
            replayed[-1].play(move)
        for message in client.seen:
            message.pop("result", None)  # it opens all hands, when the game is over
            now = replayed[message["seq"] if "seq" in message else message["table"]["seq"]]
            between = message.get("state") == BETWEEN
            strange = unknown_cards(message, now, mine, between)
            if strange:
                raise AssertionError(f"seat {mine} was told of {strange} after {len(now.moves)} moves")


@pytest.mark.parametrize("game", tables(), ids=repr)
def test_every_card_in_every_message_was_known(owner: Owner, game: fuda.Game, soak: bool):
    check_games(owner, game, GAMES_PLAYED[soak])


def test_a_planted_leak_is_found_in_the_messages(new_server):
    owner = Owner(new_server(leak=True, agent_workers=1, message_rate=1e6, message_burst=10**6))
    for game in GAMES:
        with pytest.raises(AssertionError, match="was told of"):
            check_games(owner, fuda.game(game), 1)
