"""Deals at a table: stored before they are told, the same after a new start, foreseen by nobody."""

import random
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import fuda
from fuda.serve import secret_keys
from fuda.serve.messages import BETWEEN, OVER, PLAYING
from fuda.serve.protocol import NewTable, PersonSeat, Rematch
from fuda.serve.store import MIGRATIONS, Statement, Store, insert, now
from fuda.serve.table import Tab, Table
from fuda.serve.tables import Owner as TableOwner
from tests.core.state_attack import LONG_MATCH, ROUNDS, drawn, draws_of, foretell, is_deal, long_move
from tests.serve.harness import Owner, old_insert, run, stored_deals
from tests.serve.test_races import Desk
from tests.serve.test_tables import play_out, random_seats

GAMES = fuda.list_games()
BEFORE_DEALS = MIGRATIONS[:2]  # of a database whose tables have seeds
SEED = 1
SECRET = "secret"


# Over the real server.


def watched(owner: Owner) -> tuple[list[list[str]], dict[str, Any]]:
    """What seat 0 sees drawn in the first rounds of a long match, and the deal that follows them."""
    table = owner.new_table("koikoi", [{"person": str(SEED)}, {"person": "Bob"}], options=LONG_MATCH)
    clients = [owner.sit(table, seat) for seat in (0, 1)]
    told = [client.expect("snapshot") for client in clients]
    rounds: list[list[str]] = [[]]
    luck = random.Random(1)
    while len(rounds) <= ROUNDS:
        if told[0]["state"] == BETWEEN:
            clients[0].go_on()
        else:
            mover = clients[told[0]["view"]["to_move"]]
            mover.move(long_move(mover.view["legal"], luck))
        told = [client.expect("moved", "continued") for client in clients]
        rounds[-1] += drawn(told[0]["events"])
        if told[0]["state"] == BETWEEN:
            rounds.append([])
    for client in clients:
        client.close()
    return rounds[:ROUNDS], stored_deals(owner.server.data, table["table"])[ROUNDS]


def test_the_deals_of_a_served_match_cannot_be_foreseen(owner: Owner):
    rounds, _ = watched(owner)
    assert len(draws_of(rounds)) > 30  # as many as tell everything where there is a seed
    assert foretell(rounds) is None


def test_if_the_server_dealt_from_a_seed_they_could(new_server):
    limits = {"message_rate": 1e6, "message_burst": 10**6}
    rounds, deal = watched(Owner(new_server(agent_workers=1, seeded=True, **limits)))
    assert is_deal(foretell(rounds), deal)


@pytest.mark.parametrize("game", GAMES)
def test_a_record_of_a_served_match_replays(owner: Owner, game: str):
    table = owner.new_table(game, random_seats(game))
    client = owner.sit(table)
    play_out(client, random.Random(2))
    client.close()
    file = owner.ask("GET", f"/records/{client.seen[-1]['result']['record']}/file").decode()
    match = fuda.records.loads(file, "download")
    assert match.seed is None
    assert match.scores == client.seen[-1]["result"]["scores"]
    assert match.deals == stored_deals(owner.server.data, table["table"])
    assert fuda.replay(match.record()) == match


# In this process, where every message can be held against the database.


def tab_of(seat: int, look: Callable[[], None] = lambda: None) -> Tab:
    """Somebody in a seat who, told something, looks first."""
    return Tab(seat, lambda message: look(), lambda reason: None)


class Hall(Desk):
    """The tables of a data folder, with one owner; opened again, it is a server that was started again."""

    def __init__(self, data: Path):
        super().__init__(data)
        self.owner = TableOwner(1, SECRET)

    async def __aenter__(self) -> "Hall":
        if self.store.row("SELECT * FROM owners") is None:
            hashed = secret_keys.hashed(self.owner.secret)
            await self.store.write(insert("owners", hash=hashed, created=now()))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.tables.close()
        self.store.close()

    async def create(self, game: str, **options: Any) -> str:
        seats = [PersonSeat(person=f"p{seat}") for seat in range(fuda.game(game).spec.seats)]
        info = await self.tables.create(self.owner, NewTable(game=game, seats=seats, options=options))
        return str(info["table"])

    async def rematch(self, table_id: str, same_deal: bool = True) -> str:
        info = await self.tables.rematch(self.owner, table_id, Rematch(same_deal=same_deal))
        return str(info["table"])

    async def open(self, table_id: str) -> Table:
        return await self.tables.enter(table_id, 0, secret_keys.seat_secret(self.owner.secret, table_id, 0))

    async def play(self, table: Table, luck: random.Random, deals: int = 1000) -> None:
        """Random moves of all seats, with long rounds, until there are so many deals or it is over."""

        def look() -> None:
            assert stored_deals(self.config.data, table.id) == table.match.deals

        tabs = [tab_of(seat, look) for seat in range(table.match.game.spec.seats)]
        for tab in tabs:
            table.join(tab, None)
        while table.state != OVER and len(table.match.deals) < deals:
            message_id = f"{table.state}-{table.seq}"
            if table.state == BETWEEN:
                await table.go_on(tabs[0], message_id, table.at)
            else:
                mover = tabs[table.match.seat or 0]
                await table.move(mover, message_id, table.at, long_move(table.match.legal(), luck))
        for tab in tabs:
            table.leave(tab)

    async def resign(self, table: Table) -> None:
        await table.resign(tab_of(0), "resign")


def in_hall(data: Path, story: Callable[[Hall], Awaitable[Any]]) -> Any:
    async def tell() -> Any:
        async with Hall(data) as hall:
            return await story(hall)

    return run(tell())


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_is_in_the_database_before_any_message(game: str, tmp_path: Path):
    async def story(hall: Hall) -> None:
        table = await hall.open(await hall.create(game))
        await hall.play(table, random.Random(3))
        assert table.state == OVER

    in_hall(tmp_path, story)


def test_a_deal_that_is_told_before_it_is_stored_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write = Store.write

    async def late(self: Store, *statements: Statement) -> None:
        await write(self, *(one for one in statements if "INTO deals" not in one[0] or one[1][1] == 0))

    monkeypatch.setattr(Store, "write", late)

    async def story(hall: Hall) -> None:
        await hall.play(await hall.open(await hall.create("koikoi", **LONG_MATCH)), random.Random(3))

    with pytest.raises(AssertionError):
        in_hall(tmp_path, story)


def test_a_server_that_starts_again_has_the_deals_that_were_made_and_no_others(tmp_path: Path):
    """Two servers go on from copies of one database: they share what was dealt, told or not."""

    async def to_the_first_pause(hall: Hall) -> tuple[str, list[Any]]:
        table = await hall.open(await hall.create("koikoi", **LONG_MATCH))
        await hall.play(table, random.Random(1), deals=2)
        assert table.state == BETWEEN  # the second deal is made, and nobody has seen it
        return table.id, table.match.deals

    table_id, dealt = in_hall(tmp_path / "one", to_the_first_pause)
    shutil.copytree(tmp_path / "one", tmp_path / "two")

    async def go_on(hall: Hall) -> list[Any]:
        table = await hall.open(table_id)
        assert table.match.deals == dealt
        await hall.play(table, random.Random(2), deals=3)
        return table.match.deals

    one, two = (in_hall(tmp_path / name, go_on) for name in ("one", "two"))
    assert one[:2] == two[:2] == dealt
    assert one[2] != two[2]
    assert in_hall(tmp_path / "one", lambda hall: hall.open(table_id)).match.deals == one


def cards(deal: dict[str, Any]) -> dict[str, Any]:
    """A Koi-Koi deal without who dealt it, which the round before decides."""
    return {zone: found for zone, found in deal.items() if zone != "dealer"}


def test_the_same_deal_again_has_all_that_was_dealt_and_new_ones_then(tmp_path: Path):
    async def story(hall: Hall) -> None:
        first = await hall.open(await hall.create("koikoi", **LONG_MATCH))
        await hall.play(first, random.Random(1), deals=4)
        await hall.resign(first)
        dealt = first.match.deals
        again = await hall.open(await hall.rematch(first.id))
        assert again.same_deal
        await hall.play(again, random.Random(2), deals=2)
        await hall.resign(again)
        # That one was given up early: the third table still has the cards of the first.
        third = await hall.open(await hall.rematch(again.id))
        await hall.play(third, random.Random(3), deals=2)
        hall.tables._open.clear()  # as if the server had been started again
        third = await hall.open(third.id)
        await hall.play(third, random.Random(4), deals=6)
        assert third.match.deals[0] == dealt[0]
        assert [cards(deal) for deal in third.match.deals[:4]] == [cards(deal) for deal in dealt]
        other = await hall.open(await hall.rematch(first.id, same_deal=False))
        assert not other.same_deal
        assert cards(other.match.deals[0]) != cards(dealt[0])

    in_hall(tmp_path, story)


OLD = "old"


@pytest.fixture
def old_match(tmp_path: Path) -> fuda.Match:
    """The match, in its second round, of the table `OLD` that an older server has left in the database."""
    match = fuda.game("koikoi", **LONG_MATCH).start(SEED, players=["p0", "p1"])
    luck = random.Random(1)
    while len(match.deals) < 2 or len(match.view(0)["turns"]) < 4:
        match.play(long_move(match.legal(), luck))
    seats = [
        {
            "kind": "person", "name": name, "title": name,
            "hash": secret_keys.hashed(secret_keys.seat_secret(SECRET, OLD, seat)).hex(),
        }
        for seat, name in enumerate(match.players)
    ]  # fmt: skip
    table = old_insert(
        "tables", id=OLD, owner=1, game="koikoi", rules_version=match.game.spec.rules_version, fuda="1",
        options=match.game.options, seats=seats, seed=str(SEED), luck="1", state=PLAYING, delay=0, paused=0,
        created="", changed="",
    )  # fmt: skip
    moves = [
        old_insert("moves", table_id=OLD, seq=seq, seat=seat, move=move, time="")
        for seq, (seat, move) in enumerate(match.moves, 1)
    ]

    async def write() -> None:
        store = Store(tmp_path, BEFORE_DEALS)
        await store.write(old_insert("owners", hash=secret_keys.hashed(SECRET), created=""), table, *moves)
        store.close()

    run(write())
    return match


def test_a_table_of_an_older_server_stands_where_it_did(old_match: fuda.Match, tmp_path: Path):
    async def story(hall: Hall) -> None:
        match = (await hall.open(OLD)).match
        assert (match.deals, match.moves) == (old_match.deals, old_match.moves)
        assert match.state_bytes() == old_match.state_bytes()
        assert [match.view(seat) for seat in (0, 1)] == [old_match.view(seat) for seat in (0, 1)]

    in_hall(tmp_path, story)
    in_hall(tmp_path, story)  # to look at it changes nothing


def test_later_deals_of_an_older_table_do_not_follow_from_its_seed(old_match: fuda.Match, tmp_path: Path):
    async def story(hall: Hall) -> list[Any]:
        table = await hall.open(OLD)
        tab = tab_of(table.match.seat or 0)
        await table.move(tab, "first", table.at, long_move(table.match.legal(), random.Random(0)))
        assert stored_deals(tmp_path, OLD) == old_match.deals
        assert [row["seed"] for row in hall.store.rows("SELECT seed FROM tables")] == [""]
        await hall.play(table, random.Random(2), deals=3)
        return table.match.deals

    deals = in_hall(tmp_path, story)
    luck = random.Random(2)
    while len(old_match.deals) < 3:
        old_match.play(long_move(old_match.legal(), luck))
    assert deals[:2] == old_match.deals[:2]
    assert cards(deals[2]) != cards(old_match.deals[2])
    assert in_hall(tmp_path, lambda hall: hall.open(OLD)).match.deals == deals


def test_the_cards_of_an_older_table_can_be_played_again(old_match: fuda.Match, tmp_path: Path):
    async def story(hall: Hall) -> None:
        await hall.resign(await hall.open(OLD))
        again = await hall.open(await hall.rematch(OLD))
        await hall.play(again, random.Random(5), deals=3)
        assert again.match.deals[0] == old_match.deals[0]
        assert cards(again.match.deals[1]) == cards(old_match.deals[1])

    in_hall(tmp_path, story)
