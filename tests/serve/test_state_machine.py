"""Anything that tabs can do, in any order, against the real server and a plain match beside it."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import fuda
from fuda.serve.roster import unit_of
from tests.serve.harness import Client, Owner, Server, stored_deals, stored_moves
from tests.serve.test_tables import as_json, random_seats

EXAMPLES = {False: (2, 12), True: (40, 40)}  # small, soak: how many, and steps of each
MAX_TABS = 3
MAX_KILLS = 2  # in one example: a start takes seconds
HINTS = {"koikoi": "koikoi/rl-point", "gongzhu": "gongzhu/uct", "doudizhu": "doudizhu/mcts"}


class Tabs(RuleBasedStateMachine):
    """Tabs of one seat at one table; `model` is a plain match with the deals and moves that are stored."""

    server: Server

    @initialize(game=st.sampled_from(fuda.list_games()), seed=st.integers(0, 2**32))
    def sit_down(self, game: str, seed: int) -> None:
        self.owner = Owner(self.server)
        options: dict[str, Any] = {"rounds": 3} if game == "koikoi" else {}
        seats = [{"person": str(seed)}, *random_seats(game)[1:]]
        self.table = self.owner.new_table(game, seats, options=options)
        self.model = self.stored_match(0)
        self.kills = 0
        self.tabs: list[Client] = [self.owner.sit(self.table)]
        self.last: tuple[str, int, str] | None = None  # the last move that was acknowledged
        self.between = False

    @precondition(lambda self: len(self.tabs) < MAX_TABS)
    @rule(back=st.integers(0, 5), fresh=st.booleans())
    def connect(self, back: int, fresh: bool) -> None:
        seq = None if fresh else max(0, len(self.model.moves) - back)
        self.tabs.append(self.owner.sit(self.table, seq=seq, takebacks=self.tabs[0].takebacks))

    @precondition(lambda self: len(self.tabs) > 1)
    @rule(data=st.data())
    def close_a_tab(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(self.tabs)).close()
        self.tabs = [tab for tab in self.tabs if tab.socket.protocol.state.name == "OPEN"]

    @precondition(lambda self: self.my_turn)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        tab = data.draw(st.sampled_from(self.tabs))
        move = data.draw(st.sampled_from(self.model.legal()))
        message = (tab.new_id(), len(self.model.moves), move)
        answer = tab.move(move, message_id=message[0])
        assert answer == {"type": "ack", "id": message[0], "seq": message[1] + 1}
        self.last = message
        self.wait_for(message[1] + 1)

    @precondition(lambda self: self.last is not None)
    @rule(data=st.data())
    def repeat_a_move(self, data: st.DataObject) -> None:
        assert self.last is not None
        message_id, seq, move = self.last
        answer = data.draw(st.sampled_from(self.tabs)).move(move, seq, message_id)
        assert answer == {"type": "ack", "id": message_id, "seq": seq + 1}

    @precondition(lambda self: not self.model.over and self.model.moves)
    @rule(data=st.data())
    def stale_move(self, data: st.DataObject) -> None:
        tab = data.draw(st.sampled_from(self.tabs))
        seq = data.draw(st.integers(0, len(self.model.moves) - 1))
        answer = tab.move("pass", seq)
        assert answer["error"]["code"] == "stale"
        assert answer["snapshot"]["view"] == self.model_view()

    @precondition(lambda self: self.my_turn)
    @rule(data=st.data(), move=st.sampled_from(["", "XX", "SQ ", "koikoi ", "3-33", "passs"]))
    def illegal_move(self, data: st.DataObject, move: str) -> None:
        tab = data.draw(st.sampled_from(self.tabs))
        if move:
            assert tab.move(move)["error"]["code"] == "illegal"

    @precondition(lambda self: self.between)
    @rule(data=st.data())
    def go_on(self, data: st.DataObject) -> None:
        tab = data.draw(st.sampled_from(self.tabs))
        assert tab.move("1-1")["error"]["code"] == "between"
        assert tab.go_on()["type"] == "ack"
        for each in self.tabs:
            while each.state == "between":
                each.receive()

    @precondition(lambda self: not self.model.over and self.model.moves)
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        tab = data.draw(st.sampled_from(self.tabs))
        takebacks, choice = tab.takebacks, self.last_choice()
        answer = tab.take_back()
        if choice is None:
            assert answer["error"]["code"] == "nothing_to_take_back"
            return
        assert (answer["type"], answer["seq"]) == ("ack", choice)
        for each in self.tabs:
            while each.takebacks == takebacks:
                each.receive()
        told, before = self.stored_match(choice), self.model
        assert (told.moves, told.deals) == (before.moves[:choice], before.deals[: len(told.deals)])
        self.model, self.last = told, None

    def last_choice(self) -> int | None:
        """After how many moves the person chose last, where there was a choice."""
        match, found = self.stored_match(0), None
        for number, (seat, move) in enumerate(self.model.moves):
            if seat == 0 and len(match.legal()) > 1:
                found = number
            match.play(move)
        return found

    @precondition(lambda self: self.my_turn)
    @rule(data=st.data())
    def hint(self, data: st.DataObject) -> None:
        tab = data.draw(st.sampled_from(self.tabs))
        named = fuda.list_agents(self.model.game.id)
        agent = HINTS.get(self.model.game.id) or next(name for name in named if unit_of(name) is not None)
        tab.send(type="hint", seq=tab.seq, agent=agent)
        hint = tab.expect("hint", "no_hint")
        assert hint["type"] == "hint", hint
        assert hint["seq"] == len(self.model.moves)
        assert set(hint["values"]) <= set(self.model.legal())

    @precondition(lambda self: self.kills < MAX_KILLS)
    @rule()
    def kill_the_server(self) -> None:
        self.kills += 1
        self.server.kill()
        seq, takebacks = self.tabs[0].seq, self.tabs[0].takebacks
        for tab in self.tabs:
            tab.close()
        self.server.start()
        self.tabs = [self.owner.sit(self.table, seq=seq, takebacks=takebacks)]

    @property
    def my_turn(self) -> bool:
        return not self.between and self.model.seat == 0

    @invariant()
    def all_tabs_see_what_the_model_sees(self) -> None:
        if not hasattr(self, "tabs"):
            return
        for tab in self.tabs:
            while not tab.view:
                tab.receive()
            tab.until_asked()
        newest = max(tab.seq for tab in self.tabs)
        self.wait_for(newest)
        leader = self.tabs[0]
        if leader.seq > len(self.model.moves):
            told = self.stored_match(leader.seq)
            assert told.moves[: len(self.model.moves)] == self.model.moves
            assert told.deals[: len(self.model.deals)] == self.model.deals  # what was dealt stays so
            self.model = told
        self.between = leader.state == "between"
        if self.between:
            assert self.model.dealt
        assert (leader.state == "over") == self.model.over
        for tab in self.tabs:
            assert as_json(tab.view) == as_json(self.model_view())

    def stored_match(self, seq: int) -> fuda.Match:
        """What the server has stored of the table, which is all that it has."""
        where = (self.server.data, self.table["table"])
        players = [seat["name"] for seat in self.table["seats"]]
        match = fuda.game(self.table["game"], **self.table["options"]).start(
            deal=stored_deals(*where), players=players
        )
        for seat, move in stored_moves(*where)[:seq]:
            assert match.seat == seat
            match.play(move)
        return match

    def model_view(self) -> dict[str, Any]:
        return self.model.ended_round_view(0) if self.between else self.model.view(0)

    def wait_for(self, seq: int) -> None:
        for tab in self.tabs:
            while tab.seq < seq:
                tab.receive()
            tab.until_asked()

    def teardown(self) -> None:
        for tab in getattr(self, "tabs", []):
            tab.close()


@pytest.fixture
def machine(new_server) -> type[Tabs]:
    server = new_server(agent_workers=1, seeded=True, request_rate=1e6, request_burst=10**6, message_rate=1e6)
    return type("TabsOfServer", (Tabs,), {"server": server})


def test_tabs_in_any_order(machine: type[Tabs], soak: bool):
    examples, steps = EXAMPLES[soak]
    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine, settings=chosen)
