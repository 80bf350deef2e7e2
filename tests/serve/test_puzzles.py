"""The mistakes of a person come back as puzzles, as the seat saw them, until they are played well."""

import json
import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fuda.records import loads
from fuda.serve import protocol
from fuda.serve.puzzles import NEEDED, insert_puzzles
from fuda.serve.store import FILE, MIGRATIONS, Store, insert, now
from tests.serve.harness import API, Owner, Server, changing, run
from tests.serve.test_reviews import computed
from tests.serve.test_tables import TWO_ROUNDS, as_json, play_out, random_seats

GAMES = {"koikoi": TWO_ROUNDS, "gongzhu": {}, "doudizhu": {}}


class Reviewed:
    """An owner who has played a game by chance, and the mistakes that its review has found."""

    def __init__(self, server: Server, game: str):
        self.owner = Owner(server)
        client = self.owner.sit(self.owner.new_table(game, random_seats(game), options=GAMES[game]))
        play_out(client, random.Random(1))
        client.close()
        (info,) = self.owner.ask("GET", "/records")["records"]
        self.record = info["record"]
        self.mistakes = computed(self.owner, self.record)["review"]["mistakes"]
        file = self.owner.ask("GET", f"/records/{self.record}/file").decode()
        self.match = loads(file, "download")

    def counted(self):
        found = self.owner.ask("GET", "/puzzles")
        protocol.Puzzles.model_validate(found)
        return found

    def first(self):
        """The puzzle that comes next."""
        found = self.owner.ask("GET", f"/puzzles/{self.counted()['first']['puzzle']}")
        protocol.Puzzle.model_validate(found)
        return found

    def solve(self, puzzle, move: str):
        found = self.owner.ask("POST", f"/puzzles/{puzzle['puzzle']}", {"move": move})
        protocol.PuzzleVerdict.model_validate(found)
        return found

    def mistake(self, puzzle):
        (found,) = (one for one in self.mistakes if one["index"] == puzzle["seq"])
        return found

    def match_at(self, seq: int):
        match = self.match.game.start(None, self.match.deals, self.match.players)
        for _, move in self.match.moves[:seq]:
            match.play(move)
        return match


@pytest.fixture(scope="module", params=GAMES)
def reviewed(reviewing_server, request):
    return Reviewed(reviewing_server, request.param)


def test_each_mistake_is_a_puzzle_as_the_seat_saw_it(reviewed):
    counted = reviewed.counted()
    assert counted["due"] == len(reviewed.mistakes) > 0
    assert (counted["later"], counted["next"], counted["solved"]) == (0, None, 0)
    puzzle = reviewed.first()
    assert counted["first"] == {"puzzle": puzzle["puzzle"], "game": reviewed.match.game.id}
    match = reviewed.match_at(puzzle["seq"])
    assert puzzle == {
        "puzzle": puzzle["puzzle"],
        "game": match.game.id,
        "record": reviewed.record,
        "seq": reviewed.mistake(puzzle)["index"],
        "players": match.players,
        "agent": reviewed.owner.ask("GET", f"/records/{reviewed.record}/review?seat=0")["review"]["agent"],
        "streak": 0,
        "needed": NEEDED,
        "view": as_json(match.view(0)),  # no more than the seat knew, and nothing beside it
    }
    assert puzzle["view"]["to_move"] == 0
    assert len(puzzle["view"]["legal"]) > 1


def test_the_mistake_is_wrong_again_and_the_best_move_is_right(reviewed):
    before, puzzle = reviewed.counted(), reviewed.first()
    mistake = reviewed.mistake(puzzle)
    missed = reviewed.solve(puzzle, mistake["move"])
    assert (missed["right"], missed["streak"], missed["erred"]) == (False, 0, mistake["move"])
    assert missed["best"] == mistake["best"]
    assert missed["cost"] == pytest.approx(mistake["cost"], abs=1e-4)
    assert set(missed["values"]) == set(puzzle["view"]["legal"])
    assert missed["values"][missed["best"]] - missed["values"][missed["move"]] == missed["cost"]
    after = reviewed.counted()
    assert after["due"] == before["due"]  # it comes back at once,
    assert before["due"] == 1 or after["first"] != before["first"]  # behind the others
    found = reviewed.solve(puzzle, missed["best"])
    assert (found["right"], found["cost"], found["streak"]) == (True, 0, 1)
    assert datetime.fromisoformat(found["due"]) - datetime.now(UTC) > timedelta(hours=23)
    later = reviewed.counted()
    assert (later["due"], later["later"], later["next"]) == (before["due"] - 1, 1, found["due"])
    # It counts once a day.
    where = f"{API}/puzzles/{puzzle['puzzle']}"
    status, answer = reviewed.owner.server.request("POST", where, {"move": "x"}, reviewed.owner.secret)
    assert (status, answer["error"]["code"]) == (404, "no_such_puzzle")


def test_reasons_are_those_of_hints(reviewed):
    """They need no opinion: what the game knows of a move in the seat's view."""
    if not reviewed.counted()["due"]:
        return
    puzzle = reviewed.first()
    match = reviewed.match_at(puzzle["seq"])
    found = reviewed.solve(puzzle, reviewed.mistake(puzzle)["move"])
    told = match.game.spec.reasons
    for move in {found["best"], found["move"]}:
        reason = told and told.reason(match.view_record(0)[0], match.legal_actions()[move])
        assert found["reasons"].get(move) == reason


def test_only_legal_moves_are_judged_and_only_for_their_owner(reviewed):
    puzzle = reviewed.counted()["first"]
    if puzzle is None:
        return
    server, where = reviewed.owner.server, f"{API}/puzzles/{puzzle['puzzle']}"
    status, answer = server.request("POST", where, {"move": "nonsense"}, reviewed.owner.secret)
    assert (status, answer["error"]) == (400, {"code": "bad_message", "params": {"where": "move"}})
    stranger = Owner(server)
    assert stranger.ask("GET", "/puzzles")["due"] == 0
    for method, body in (("GET", None), ("POST", {"move": "x"}), ("DELETE", None)):
        status, answer = server.request(method, where, body, stranger.secret)
        assert (status, answer["error"]["code"]) == (404, "no_such_puzzle")


@pytest.fixture
def gongzhu(new_server):
    return Reviewed(new_server(seeded=True, reviews=True), "gongzhu")


def test_it_goes_once_it_was_played_well_three_times_in_a_row(gongzhu):
    """Wrong once, it begins anew; each time right, it stays away for longer."""
    server, puzzle = gongzhu.owner.server, gongzhu.first()
    mistake, away = gongzhu.mistake(puzzle), []
    for move, streak in (("best", 1), ("move", 0), ("best", 1), ("best", 2), ("best", 3)):
        found = gongzhu.solve(puzzle, mistake[move])
        assert (found["right"], found["streak"]) == (move == "best", streak)
        if found["due"] is None:
            break
        away.append(datetime.fromisoformat(found["due"]) - datetime.now(UTC))
        server.stop()
        with changing(server.data) as database:  # some days later
            database.execute("UPDATE puzzles SET due = ? WHERE id = ?", (now(), puzzle["puzzle"]))
        server.start()
    assert [round(each / timedelta(days=1)) for each in away] == [1, 0, 1, 4]
    assert gongzhu.counted()["solved"] == 1
    assert gongzhu.counted()["due"] == len(gongzhu.mistakes) - 1


def test_a_puzzle_goes_when_it_or_its_game_is_deleted(gongzhu):
    gongzhu.owner.ask("DELETE", f"/puzzles/{gongzhu.first()['puzzle']}")
    assert gongzhu.counted()["due"] == len(gongzhu.mistakes) - 1
    gongzhu.owner.ask("DELETE", f"/records/{gongzhu.record}")
    assert gongzhu.counted() == {"due": 0, "first": None, "later": 0, "next": None, "solved": 0}
    with closing(sqlite3.connect(gongzhu.owner.server.data / FILE)) as database:
        assert database.execute("SELECT count(*) FROM puzzles").fetchone() == (0,)


def test_puzzles_are_part_of_a_profile_and_go_with_it(gongzhu):
    told = gongzhu.owner.ask("GET", "/me")
    profile = told if isinstance(told, dict) else json.loads(told)
    protocol.Profile.model_validate(profile)
    puzzles = {(each["record"], each["seq"], each["erred"], each["streak"]) for each in profile["puzzles"]}
    assert puzzles == {(gongzhu.record, one["index"], one["move"], 0) for one in gongzhu.mistakes}
    gongzhu.owner.ask("DELETE", "/me")
    with closing(sqlite3.connect(gongzhu.owner.server.data / FILE)) as database:
        assert database.execute("SELECT count(*) FROM puzzles").fetchone() == (0,)


def test_a_damaged_puzzle_is_dropped_and_told(gongzhu):
    server = gongzhu.owner.server
    server.stop()
    with closing(sqlite3.connect(server.data / FILE)) as database, database:
        database.execute("UPDATE puzzles SET erred = 'XX' WHERE seq = ?", (gongzhu.mistakes[0]["index"],))
    store = Store(server.data)
    left = store.rows("SELECT * FROM puzzles")
    store.close()
    assert store.notes == ["1 puzzle on the disk was damaged: let go, the game that it is of is there"]
    assert len(left) == len(gongzhu.mistakes) - 1


PLAYERS = [{"kind": "person"}, {"kind": "agent"}, {"kind": "person", "owner": 2}, {"kind": "agent"}]
MISTAKES = [{"index": 4, "move": "S3"}, {"index": 9, "move": "H2"}]
REVIEW = {"agent": "gongzhu/best-raw", "seat": 0, "mistakes": MISTAKES}


async def write(store: Store, *statements) -> None:
    await store.write(*statements)


async def two_seats(store: Store, reviews: dict[int, str] | None = None) -> None:
    """A finished game of a host in seat 0 and a guest in seat 2, with the reviews of all seats."""
    info = {"persons": [0, 2], "guests": [2]}
    await store.write(
        insert("owners", owner=1, hash="a", created=now()),
        insert("owners", owner=2, hash="b", created=now()),
        insert(
            "tables", id="t", owner=1, game="gongzhu", rules_version=1, fuda="1", options={}, seats=PLAYERS,
            seed="", luck="1", state="over", delay=0, paused=0, created="", changed="", num_moves=0,
            num_deals=0,
        ),
        insert("guests", table_id="t", seat=2, owner=2),
        insert("records", id="r", owner=1, table_id="t", game="gongzhu", info=info, created=now()),
        insert("files", record="r", file=""),
        *(
            insert("reviews", record="r", seat=seat, review=review, created=now())
            for seat, review in ({n: REVIEW | {"seat": n} for n in range(4)} | (reviews or {})).items()
        ),
    )  # fmt: skip


def kept(store: Store):
    rows = store.rows("SELECT * FROM puzzles ORDER BY seat, seq")
    return [(row["owner"], row["seat"], row["seq"], row["erred"], row["streak"]) for row in rows]


OF_BOTH = [(1, 0, 4, "S3", 0), (1, 0, 9, "H2", 0), (2, 2, 4, "S3", 0), (2, 2, 9, "H2", 0)]


def test_the_mistakes_of_a_guest_are_the_guests_and_each_is_kept_once(tmp_path: Path):
    store = Store(tmp_path)

    async def keep() -> None:
        await two_seats(store)
        row = store.row("SELECT id AS record, table_id, owner, info FROM records")
        for seat in (0, 1, 2, 0):
            await store.write(*insert_puzzles(store, row, REVIEW | {"seat": seat}))

    run(keep())
    assert kept(store) == OF_BOTH
    gone = (f"DELETE FROM {name} WHERE owner = 2" for name in ("guests", "owners"))
    run(write(store, *((sql, ()) for sql in gone)))
    assert kept(store) == OF_BOTH[:2]
    store.close()


def test_an_older_database_has_the_mistakes_that_are_known_already(tmp_path: Path):
    (before,) = (number for number, script in enumerate(MIGRATIONS) if "CREATE TABLE puzzles" in script)
    store = Store(tmp_path, MIGRATIONS[:before])
    run(two_seats(store, {0: "{"}))
    store.close()
    store = Store(tmp_path)
    assert kept(store) == OF_BOTH[2:]
    assert store.notes == []
    store.close()
