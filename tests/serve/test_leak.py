"""Nothing that a seat is told depends on what it cannot see.

Two tests. One builds every message from a state and from other states that look the same to the
seat: the bytes must be equal. The other plays whole games over the real server and looks up every
card that stands anywhere in a message: the seat must have known it. A planted leak fails both.
"""

import random
from collections.abc import Iterator

import numpy as np
import pytest

import fuda
from fuda.bots.limits import Limits
from fuda.bots.seat import Seat
from fuda.bots.shape import written
from fuda.core.generator import SAMPLE, streams
from fuda.core.match import Match
from fuda.serve import clerk, messages, minds, roster
from fuda.serve.messages import BETWEEN, OVER, PLAYING
from tests.contract.disguise import disguised
from tests.contract.test_contract import tables
from tests.serve.harness import Client, Owner
from tests.serve.known_cards import unknown_cards
from tests.serve.test_tables import PERSON, play_out

GAMES = fuda.list_games()
POSITIONS = {False: 60, True: 10_000}  # of each table, small and soak
GAMES_PLAYED = {False: 1, True: 200}


def refusal(match: Match, move: str) -> str:
    """Why a move is refused, if it is."""
    try:
        match.copy().play(move)
    except fuda.IllegalMove as error:
        return str(error)
    return ""


def told_to_everybody(match: Match, states: list[str]) -> Iterator[messages.Message]:
    """What those hear who look on: nothing that some seat could not see, whichever it is."""
    for state in states:
        yield messages.for_everybody(match, lambda to, state=state: messages.snapshot(match, state, to))
        if match.moves:
            yield messages.for_everybody(match, lambda to, state=state: messages.moved(match, state, to))
    if match.dealt:
        yield messages.for_everybody(match, lambda to: messages.continued(match, to))


def told(match: Match, seat: int, number: int) -> list[str]:
    """All that the server, or the arena to a bot, could say to a seat about this position."""
    states = [OVER] if match.over else [PLAYING, BETWEEN] if match.dealt else [PLAYING]
    found = [messages.snapshot(match, state, seat) for state in states]
    if match.moves:
        found += [messages.moved(match, state, seat) for state in states]
    if match.dealt:
        found.append(messages.continued(match, seat))
    found.append(messages.ended(match, seat))
    found += list(told_to_everybody(match, states))
    bot = Seat(match, seat, "1", 0, Limits(), ["view", "since", "bytes"])
    if match.moves:
        bot.hear()
    if match.seat == seat:
        found.append(written(bot.position(values=False)))
    found.append(written(bot.end()))
    if match.seat == seat:
        found.append(minds._ask(match.view_record(seat).tobytes(), [seat], streams(1, SAMPLE, 0, 1)))
        spec = match.game.spec
        tried = random.Random(number).sample(range(spec.num_actions), 3)
        found += [{"why": refusal(match, spec.text.move_text(action))} for action in tried]
    return [messages.encode(message) for message in found]


def check_position(match: Match, number: int) -> None:
    for seat in range(match.game.spec.seats):
        if told(match, seat, number) != told(disguised(match, seat, number), seat, number):
            raise AssertionError(f"seat {seat} is told of hidden things after {len(match.moves)} moves")


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


def check_hints(game: str, positions: int) -> None:
    names = [name for name in fuda.list_agents(game) if roster.unit_of(name) is not None]
    luck = random.Random(8)
    for name in names:
        agent, match = fuda.agent(name), fuda.game(game).start(seed=9)
        for number in range(positions):
            while match.over:
                match = fuda.game(game).start(seed=luck.getrandbits(32))
            hints = []
            for state in (match, disguised(match, match.seat, number)):
                view, seats = state.view_record(match.seat), np.array([match.seat])
                values = agent.evaluate(view, seats, streams(number, SAMPLE, 0, 1))[0]
                texts = {match.game.spec.text.move_text(action): value for action, value in values.items()}
                hints.append(messages.encode(messages.hint(state, name, "points", texts)))
            if hints[0] != hints[1]:
                raise AssertionError(f"a hint of {name} tells of hidden things")
            for _ in range(5):
                if not match.over:
                    match.play(luck.choice(match.legal()))


@pytest.mark.parametrize("game", GAMES)
def test_hints_are_the_same_whatever_is_hidden(game: str, soak: bool):
    check_hints(game, 400 if soak else 4)


def steps(match: Match, seat: int) -> list[str]:
    """What a replay from a seat shows of the last move."""
    step = clerk.step(match)
    hidden = step["hidden"][seat]
    move = None if len(match.moves) - 1 in hidden else step["move"]
    shown = {"hidden": hidden, "move": move, "events": step["events"][seat], "view": step["views"][seat]}
    return [messages.encode(shown)]


def check_replays(game: fuda.Game, positions: int) -> None:
    luck, match = random.Random(11), game.start(seed=11)
    for number in range(positions):
        if match.over:
            match = game.start(seed=luck.getrandbits(32))
        match.play(luck.choice(match.legal()))
        for seat in range(game.spec.seats):
            if steps(match, seat) != steps(disguised(match, seat, number), seat):
                raise AssertionError(f"a replay from seat {seat} tells of hidden things")


@pytest.mark.parametrize("game", tables(), ids=repr)
def test_a_replay_from_a_seat_is_the_same_whatever_is_hidden(game: fuda.Game, soak: bool):
    check_replays(game, POSITIONS[soak])


# Ways to tell a secret move, each a part of the program that is replaced.
def known_history(match: Match, state, seat: int) -> list[list]:
    return [[mover, move] for mover, move in match.moves]


def known_events(match: Match, seat: int) -> list[dict]:
    return [{"type": "told", "move": match.moves[-1][1]}] if match.moves else []


def known_message(match: Match, *given) -> messages.Message:
    return {"type": "told", "moves": match.moves}


def known_step(match: Match, step=clerk.step) -> messages.Message:
    return step(match) | {"hidden": [[] for _ in range(match.game.spec.seats)]}


SECRETS = {
    "history": (Match, "_history", known_history, check_positions),
    "events": (Match, "move_events", known_events, check_positions),
    "a message": (messages, "moved", known_message, check_positions),
    "a hint": (messages, "hint", known_message, lambda game, _: check_hints(game.id, 4)),
    "a replay": (clerk, "step", known_step, check_replays),
}


@pytest.mark.parametrize("where", SECRETS)
@pytest.mark.parametrize("game", [game for game in GAMES if fuda.game(game).spec.has_secret_moves])
def test_a_planted_secret_move_is_found(game: str, where: str, monkeypatch: pytest.MonkeyPatch):
    owner, name, leaking, check = SECRETS[where]
    monkeypatch.setattr(owner, name, leaking)
    with pytest.raises(AssertionError, match="of hidden things"):
        check(fuda.game(game), 60)


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
    with pytest.raises(AssertionError, match="is told of hidden things"):
        check_positions(fuda.game(game), 60)


def check_messages(client: Client, match: Match) -> None:
    """Look up every card of every message that a seat was told in the course of a match."""
    replayed = [match.game.start(match.seed, match.deals, match.players)]
    for _, move in match.moves:
        replayed.append(replayed[-1].copy())
        replayed[-1].play(move)
    for message in client.seen:
        message.pop("result", None)  # it opens all hands, when the game is over
        now = replayed[message["seq"] if "seq" in message else message["table"]["seq"]]
        between = message.get("state") == BETWEEN
        strange = unknown_cards(message, now, client.seat, between)
        if strange:
            raise AssertionError(f"seat {client.seat} was told of {strange} after {len(now.moves)} moves")


def check_games(owner: Owner, game: fuda.Game, games: int) -> None:
    """Play whole games and look up every card of every message."""
    seats = game.spec.seats
    luck = random.Random(10)
    hinter = next(name for name in fuda.list_agents(game.id) if roster.unit_of(name) is not None)
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
        check_messages(client, match)


@pytest.mark.parametrize("game", tables(), ids=repr)
def test_every_card_in_every_message_was_known(owner: Owner, game: fuda.Game, soak: bool):
    check_games(owner, game, GAMES_PLAYED[soak])


def test_a_planted_leak_is_found_in_the_messages(new_server):
    owner = Owner(new_server(leak=True, agent_workers=1, message_rate=1e6, message_burst=10**6))
    for game in GAMES:
        with pytest.raises(AssertionError, match="was told of"):
            check_games(owner, fuda.game(game), 1)
