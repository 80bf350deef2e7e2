"""Several persons at a table and one who looks on: nobody is told what depends on hidden cards."""

import random
from collections.abc import Sequence

import pytest

import fuda
from fuda.records import loads
from fuda.serve import roster
from tests.contract.test_contract import tables
from tests.serve.harness import Owner
from tests.serve.test_friends import invite, next_to_move, play_together, seated, watch
from tests.serve.test_leak import check_messages

GAMES_PLAYED = {False: 1, True: 40}  # of each table, small and soak
MOST = 4  # persons at a table


def check_friends(owners: Sequence[Owner], game: fuda.Game, games: int) -> None:
    """Play whole games of two persons and more, with hints, and look up every card of every message."""
    luck = random.Random(12)
    seats = game.spec.seats
    hinter = next(name for name in fuda.list_agents(game.id) if roster.unit_of(name) is not None)
    for number in range(games):
        people = owners[: 2 + number % (seats - 1)]
        table, clients = seated(people, game.id, options=game.options)
        looker = watch(owners[-1], table, invite(owners[0], table, None))
        for client in clients:
            client.send(type="agree", hints=True)
            client.expect("seated")
        play_together(clients, luck, 3 * seats)
        mover = next_to_move(clients)
        if mover is not None and mover.my_turn:
            mover.send(type="hint", seq=mover.seq, agent=hinter)
            mover.expect("hint", "no_hint")  # in a bid there may be none
        play_together(clients, luck)
        while looker.state != "over":
            looker.receive()
        record = clients[0].seen[-1]["result"]["record"]
        match = loads(owners[0].ask("GET", f"/records/{record}/file").decode(), "download")
        for client in clients:
            check_messages(client, match)
            client.close()
        for looker.seat in range(seats):  # who looks on is told what every seat knows
            check_messages(looker, match)
        looker.close()


@pytest.mark.parametrize("game", tables(), ids=repr)
def test_every_card_that_one_of_several_is_told_was_known(server, game: fuda.Game, soak: bool):
    check_friends([Owner(server) for _ in range(MOST)], game, GAMES_PLAYED[soak])


@pytest.mark.parametrize("game", fuda.list_games())
def test_a_planted_leak_among_several_is_found(new_server, game: str):
    server = new_server(leak=True, agent_workers=1, message_rate=1e6, message_burst=10**6)
    with pytest.raises(AssertionError, match="was told of"):
        check_friends([Owner(server) for _ in range(MOST)], fuda.game(game), 1)
