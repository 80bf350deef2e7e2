"""One table: a match, who sits at it, and the tabs that look at it.

A change is first stored, then it happens, then it is told. The lock makes changes happen one
after the other; what is asked of agents and hints runs outside of it.
"""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from fuda.core.errors import IllegalMove
from fuda.core.match import Match
from fuda.serve import messages
from fuda.serve.catalog import offered
from fuda.serve.clock import Clock, Due
from fuda.serve.faults import FaultError
from fuda.serve.messages import BETWEEN, EVERYBODY, OVER, PLAYING, Message
from fuda.serve.minds import Minds, Thought, answered
from fuda.serve.outcomes import Facts, insert_given_up, insert_record
from fuda.serve.positions import forget_positions, set_positions
from fuda.serve.protocol import Pace
from fuda.serve.reviews import Reviews
from fuda.serve.roster import Roster
from fuda.serve.secret_keys import new_id
from fuda.serve.store import Statement, Store, insert, now, update_table
from fuda.serve.stored_match import insert_deals, load_match, taken_back

Tell = Callable[[], None]
Change = Callable[[], Awaitable[Tell]]

MAX_MISSED = 32  # moves that are told one by one to a page that comes back
MAX_REFUSALS = 64  # that a table remembers, so that a repeated id gets the same answer
MIN_PAUSE, MAX_PAUSE = 1.0, 10.0  # seconds until an agent's move that could not be stored is tried again


class At(NamedTuple):
    """A position of a table: the moves so far, and how often moves were taken back before."""

    seq: int
    takebacks: int


class Tab:
    """Somebody who looks at a table: a seat, a way to send, and one to end it for a reason."""

    def __init__(self, seat: int, send: Callable[[str], None], end: Callable[[str], None]):
        self.seat = seat
        self.send = send
        self.end = end


class Table:
    """A table in memory. `Tables` makes it from the database."""

    def __init__(self, row: sqlite3.Row, store: Store, minds: Minds, reviews: Reviews):
        self.id: str = row["id"]
        self.owner: int = row["owner"]
        self.created: str = row["created"]
        self.same_deal = bool(row["same_deal"])
        self.seats: list[dict[str, Any]] = json.loads(row["seats"])
        self.state: str = row["state"]
        self.resigned: int | None = row["resigned"]
        self._resigned_between = bool(row["resigned_between"])
        self.hints = self._hints_stored = bool(row["hints"])
        self.pace = Pace(delay=row["delay"], paused=bool(row["paused"]))
        self.record: str | None = row["record"]
        self.agreed: set[int] = set(json.loads(row["agreed"] or "[]"))
        self.takebacks: int = row["takebacks"] or 0
        self.tabs: set[Tab] = set()
        self.deleted = False
        self._changed: str = row["changed"]
        self._luck = int(row["luck"])
        self._decks: list[list[int]] = json.loads(row["decks"] or "[]")  # of deals whose cards are known
        self._store = store
        self._minds = minds
        self._reviews = reviews
        self._lock = asyncio.Lock()
        self._driver: asyncio.Task[None] | None = None
        self._pace_changed = asyncio.Event()
        self._clock = Clock(row["clock"], self._play_for)
        self._steps = 0  # single moves that a watcher has asked for
        self._stand_ins: dict[int, Message] = {}
        self.match = load_match(row, store)
        self._num_stored = 0 if row["seed"] else len(self.match.deals)  # deals in the database
        for move in store.rows("SELECT * FROM moves WHERE table_id = ? AND stand_in NOTNULL", (self.id,)):
            self._stand_ins[move["seq"]] = {"agent": move["stand_in"], "reason": move["reason"]}

    @property
    def seq(self) -> int:
        """Committed moves."""
        return len(self.match.moves)

    def owner_of(self, seat: int) -> int:
        """Who plays there; of an agent's seat, whose table it is."""
        return int(self.seats[seat].get("owner", self.owner))

    def num_tabs(self, seat: int) -> int:
        """How many look at the table from a seat."""
        return sum(tab.seat == seat for tab in self.tabs)

    def num_tabs_of(self, owner: int) -> int:
        """How many look at it from the seats of an owner."""
        return sum(tab.seat != EVERYBODY and self.owner_of(tab.seat) == owner for tab in self.tabs)

    @property
    def at(self) -> At:
        """Where the table stands."""
        return At(self.seq, self.takebacks)

    @property
    def to_watch(self) -> bool:
        """Whether agents alone sit here."""
        return all(seat["kind"] == "agent" for seat in self.seats)

    def info(self) -> Message:
        """The table as its players see it; secrets are added for its owner elsewhere."""
        return {
            "table": self.id,
            "game": self.match.game.id,
            "rules_version": self.match.game.spec.rules_version,
            "options": self.match.game.options,
            "seats": [seat_info(seat, self._minds.roster) for seat in self.seats],
            "state": self.state,
            "seq": self.seq,
            "to_move": self.match.seat if self.state == PLAYING else None,
            "hints": self.hints,
            "same_deal": self.same_deal,
            "takebacks": self.takebacks,
            "pace": self.pace.model_dump(),
            "clock": self._clock.seconds,
            "agreed": sorted(self.agreed),
            "created": self.created,
            "changed": self._changed,
            "record": self.record,
            "playable": True,
            "damaged": False,
        }

    # Looking on.

    def join(self, tab: Tab, seen: At | None) -> None:
        """Let a tab look on, and tell it what it has missed."""
        tab.send(messages.encode({"type": "welcome", "v": 1, "table": self.info(), "seat": tab.seat}))
        for message in self._missed(tab.seat, seen) or [self.snapshot(tab.seat)]:
            tab.send(messages.encode(message))
        self.tabs.add(tab)
        if not self._follow_clock() and self._clock.left is not None:
            tab.send(messages.encode(self._clock_told()))
        self._wake()

    def leave(self, tab: Tab) -> None:
        """A tab is gone. Agents wait while nobody looks on."""
        self.tabs.discard(tab)

    def snapshot(self, seat: int) -> Message:
        """Where the table stands, for a seat."""
        match = self.match
        told = self._for(match, seat, lambda to: messages.snapshot(match, self.state, to, self._shown))
        return told | {"takebacks": self.takebacks}

    def _for(self, match: Match, seat: int, build: Callable[[int], Message]) -> Message:
        """A message for a seat, or for those who look on."""
        told = messages.for_everybody(match, build) if seat == EVERYBODY else build(seat)
        return self._completed(told, match)

    @property
    def _shown(self) -> str:
        """The state that the views show: a round that nobody has begun is not opened by resigning."""
        return BETWEEN if self._resigned_between else self.state

    def _missed(self, seat: int, seen: At | None) -> list[Message]:
        """The moves after a position, or none if a snapshot is shorter or safer."""
        if seen is None or seen.takebacks != self.takebacks or self.state == OVER:
            return []
        if not 0 < self.seq - seen.seq <= MAX_MISSED:
            return []
        match = self.match.game.start(None, self.match.deals, self.match.players)
        for _, move in self.match.moves[: seen.seq]:
            match.play(move)
        told = []
        for _, move in self.match.moves[seen.seq :]:
            if match.dealt:  # a round ended there; the page cannot know whether it saw the next deal
                return []
            match.play(move)
            state = self.state if len(match.moves) == self.seq else PLAYING
            told.append(self._moved(match, state, seat))
        return told

    def _moved(self, match: Match, state: str, seat: int) -> Message:
        stand_in = self._stand_ins.get(len(match.moves))
        return self._for(match, seat, lambda to: messages.moved(match, state, to, stand_in))

    def _completed(self, message: Message, match: Match) -> Message:
        """With the other seats' views, where they are no secret."""
        state = message["state"]
        if self.to_watch:
            message["views"] = messages.views(match, state)
        if state == OVER:
            message["result"] = messages.result(match, self.resigned, self.record or "", self._shown)
        return message

    def _tell(self, build: Callable[[int], Message]) -> None:
        """Send a message to all tabs, built once for each seat."""
        built: dict[int, str] = {}
        for tab in list(self.tabs):
            if tab.seat not in built:
                built[tab.seat] = messages.encode(build(tab.seat))
            tab.send(built[tab.seat])

    def tell_all(self, message: Message) -> None:
        """Send the same to all tabs."""
        self._tell(lambda _: message)

    # What persons do.

    async def move(self, tab: Tab, message_id: str, at: At, move: str) -> None:
        """A person's move."""
        await self._answer(tab, message_id, at, PLAYING, lambda: self._play(move, tab.seat, message_id))

    async def go_on(self, tab: Tab, message_id: str, at: At) -> None:
        """A person has seen the summary of a round."""
        await self._answer(tab, message_id, at, BETWEEN, lambda: self._deal(tab.seat, message_id))

    async def take_back(self, tab: Tab, message_id: str, at: At) -> None:
        """A person alone with agents goes back to the own last choice, whatever agents have moved since."""
        await self._answer(tab, message_id, None, None, lambda: self._take_back(tab.seat, message_id, at))

    async def resign(self, tab: Tab, message_id: str) -> None:
        """A person gives up, whatever has happened meanwhile."""
        await self._answer(tab, message_id, None, None, lambda: self._resign(tab.seat, message_id))

    async def _answer(
        self, tab: Tab, message_id: str, at: At | None, needed: str | None, change: Change
    ) -> None:
        """Make a change in its turn, unless it was made before or cannot be made now."""
        async with self._lock:
            answer = self._earlier(tab.seat, message_id)
            if answer is None:
                try:
                    self._check(tab, at, needed)
                    tell = await change()
                    tab.send(messages.encode({"type": "ack", "id": message_id, "seq": self.seq}))
                    tell()
                    self._wake()
                    return
                except FaultError as fault:
                    answer = await self._refusal(tab.seat, message_id, fault)
                except sqlite3.Error:
                    answer = _refused(message_id, FaultError("failed").told(), self.seq)
            if answer.get("error", {}).get("code") == "stale":
                answer = answer | {"snapshot": self.snapshot(tab.seat)}
            tab.send(messages.encode(answer))

    def _check(self, tab: Tab, at: At | None, needed: str | None) -> None:
        if self.deleted or self.state == OVER:
            raise FaultError("over")
        if self.to_watch or tab.seat == EVERYBODY or self.seats[tab.seat]["kind"] != "person":
            raise FaultError("not_your_turn")
        if at is not None and at != self.at:
            raise FaultError("stale")
        if needed is not None and self.state != needed:
            raise FaultError("between" if self.state == BETWEEN else "not_between")

    def _earlier(self, seat: int, message_id: str) -> Message | None:
        """The answer that this id got before."""
        asked = (self.id, seat, message_id)
        row = self._store.row(
            "SELECT seq, NULL AS error FROM answers WHERE table_id = ? AND seat = ? AND id = ? UNION ALL "
            "SELECT seq, error FROM refusals WHERE table_id = ? AND seat = ? AND id = ?",
            asked + asked,
        )
        if row is None:
            return None
        if row["error"] is not None:
            return _refused(message_id, json.loads(row["error"]), row["seq"])
        return {"type": "ack", "id": message_id, "seq": row["seq"]}

    async def _refusal(self, seat: int, message_id: str, fault: FaultError) -> Message:
        """The answer of a refusal, once it is stored."""
        answer = _refused(message_id, fault.told(), self.seq)
        if fault.code == "over":  # it will be said again without being remembered
            return answer
        try:
            await self._store.write(
                insert(
                    "refusals", table_id=self.id, seat=seat, id=message_id, seq=self.seq, error=fault.told()
                ),
                (
                    "DELETE FROM refusals WHERE table_id = ? AND number NOT IN "
                    "(SELECT number FROM refusals WHERE table_id = ? ORDER BY number DESC LIMIT ?)",
                    (self.id, self.id, MAX_REFUSALS),
                ),
            )
        except sqlite3.Error:
            return _refused(message_id, FaultError("failed").told(), self.seq)
        return answer

    async def set_pace(self, pace: Pace) -> None:
        """How fast agents move; pausing is for tables of agents alone."""
        pace = Pace(delay=pace.delay, paused=pace.paused and self.to_watch)
        await self._write(delay=pace.delay, paused=int(pace.paused))
        self.pace = pace
        self.tell_all({"type": "paced", "pace": pace.model_dump()})
        self._pace_changed.set()
        self._wake()

    def step(self) -> None:
        """At a paused table of agents: one move."""
        if self.to_watch and self.pace.paused and not self._steps:
            self._steps = 1
            self._wake()

    async def hint(self, tab: Tab, seq: int, agent: str) -> None:
        """Ask an agent for the values of the moves; the answer is dropped when it comes too late."""
        match, seat = self.match, self.match.seat
        if seq != self.seq or self.state != PLAYING:
            return
        try:
            if seat is None or tab.seat == EVERYBODY or not (self.to_watch or seat == tab.seat):
                raise FaultError("not_your_turn")
            if not self.allows_hints:
                raise FaultError("not_agreed")
            if not self._minds.roster.has(match.game.id, agent):
                raise FaultError("no_such_agent", name=agent)
            unit = self._minds.roster.unit(agent, match.awaits_bid)
            if unit is None:
                raise FaultError("no_values", agent=agent)
            values = await self._ask_values(match, agent)
            if not self.allows_hints:  # somebody has thought better of it
                raise FaultError("not_agreed")
            if self._is_now(match, tab) and not self.to_watch:
                await self.mark_hints()
        except FaultError as fault:
            told = {"type": "no_hint", "seq": seq, "agent": agent, "error": fault.told()}
            tab.send(messages.encode(told))
            return
        told = await asyncio.to_thread(messages.hint, match, agent, unit, values)
        if self._is_now(match, tab):
            tab.send(messages.encode(told))

    def _is_now(self, match: Match, tab: Tab) -> bool:
        """Whether the position is the table's, and the tab still looks on."""
        return match is self.match and self.state == PLAYING and tab in self.tabs

    async def mark_hints(self) -> None:
        """Before the first advice is told, the table is stored as one with hints."""
        if self._hints_stored:
            return
        self.hints = True  # at once: a move that is played meanwhile may end the game
        try:
            await self._write(hints=1)
        except sqlite3.Error:
            self.hints = self._hints_stored  # another hint's mark may have been stored meanwhile
            raise FaultError("failed") from None
        self.hints = self._hints_stored = True

    async def _ask_values(self, match: Match, agent: str) -> dict[str, float]:
        found = await answered(self._minds.values_now(match, agent, self._luck))
        if not found:
            raise FaultError("no_values", agent=agent)
        return found

    # Who sits here.

    @property
    def persons(self) -> list[int]:
        """The seats of persons, also those that are not taken yet."""
        return [number for number, seat in enumerate(self.seats) if seat["kind"] == "person"]

    @property
    def allows_hints(self) -> bool:
        """Always where all persons are of one browser; where a guest plays or is awaited all must agree."""
        has_guests = any(
            "owner" in self.seats[person] or self.seats[person].get("open") for person in self.persons
        )
        return not has_guests or set(self.persons) <= self.agreed

    async def agree(self, tab: Tab, hints: bool) -> None:
        """A seat agrees to hints, or does not any more."""
        async with self._lock:
            if tab.seat not in self.persons:
                return
            agreed = self.agreed | {tab.seat} if hints else self.agreed - {tab.seat}
            await self._write(agreed=json.dumps(sorted(agreed)))
            self.agreed = agreed
        self.tell_all({"type": "seated", "table": self.info()})

    async def seat_somebody(self, number: int, seat: dict[str, Any], *also: Statement) -> None:
        """Somebody else sits in a seat now: a guest who has come, or an agent for one who has left."""
        async with self._lock:
            if self.deleted or self.state == OVER:
                raise FaultError("over")
            if seat["kind"] == "person" and not self.seats[number].get("open"):
                raise FaultError("seat_taken")
            seats = [*self.seats[:number], seat, *self.seats[number + 1 :]]
            agreed = self.agreed - {number}
            await self._store.write(
                *update_table(self.id, seats=json.dumps(seats), agreed=json.dumps(sorted(agreed))), *also
            )
            self.seats, self.agreed = seats, agreed
            self.match = self.match.copy()  # who thinks of the old one has thought in vain
            players = [*self.match.players[:number], seat["name"], *self.match.players[number + 1 :]]
            self.match.players = players
        for tab in list(self.tabs):
            if tab.seat == number:
                tab.end("left")
        self.tell_all({"type": "seated", "table": self.info()})
        self._wake()

    # The clock.

    def _due(self) -> Due | None:
        """The decision for which time runs now: of a person, at a table of several that somebody looks at."""
        there = [person for person in self.persons if not self.seats[person].get("open")]
        if len(there) < 2 or not self.tabs or self.deleted or self.state == OVER:
            return None
        if self.state == BETWEEN:
            return self.seq, self.state, ""
        seat = self.match.seat
        return (self.seq, self.state, self.seats[seat]["hash"]) if seat in there else None

    def _follow_clock(self) -> bool:
        """Let the clock run for what is due; tells whether that was news, and if so all tabs."""
        is_news = self._clock.follow(self._due())
        if is_news:
            self.tell_all(self._clock_told())
        return is_news

    def _clock_told(self) -> Message:
        return {"type": "clock", "seq": self.seq, "left": self._clock.left}

    async def _play_for(self, due: Due) -> None:
        """Make a decision for who has let the time run out, in as many attempts as that takes."""
        pause = MIN_PAUSE
        while due == self._due():
            try:
                await self._decide_for(due)
            except sqlite3.Error:
                self.tell_all({"type": "error", "error": FaultError("failed").told()})
                await asyncio.sleep(pause)
                pause = min(2 * pause, MAX_PAUSE)
        self._wake()

    async def _decide_for(self, due: Due) -> None:
        match, thought = self.match, None
        if self.state == PLAYING:
            name = offered(match.game.id)
            thought = await self._minds.choose(match, name, self._luck)
            who = thought.stand_in or {"agent": name}
        async with self._lock:
            if match is not self.match or due != self._due():  # somebody has moved, come or gone meanwhile
                return
            if thought is None:
                tell = await self._deal()
            else:
                assert match.seat is not None
                stand_in = {"agent": who["agent"], "reason": "clock"}
                tell = await self._play(thought.move, match.seat, stand_in=stand_in)
            tell()

    # Changes: each is stored and happens, and returns how to tell of it.

    async def _play(
        self, move: str, seat: int, message_id: str | None = None, stand_in: Message | None = None
    ) -> Tell:
        if self.match.seat != seat:
            raise FaultError("not_your_turn")
        match = self.match.copy()
        try:
            match.play(move)
        except IllegalMove as error:
            raise FaultError("illegal", why=str(error)) from None
        seq = len(match.moves)
        state = OVER if match.over else BETWEEN if match.dealt else PLAYING
        record = new_id() if state == OVER else None
        time = now()
        who = stand_in or {"agent": None, "reason": None}
        statements = [
            insert(
                "moves", table_id=self.id, seq=seq, seat=seat, move=move,
                stand_in=who["agent"], reason=who["reason"], time=time,
            ),
            *update_table(
                self.id, state=state, record=record, changed=time, seed="",
                num_moves=seq, num_deals=len(match.deals),
            ),
            *insert_deals(self.id, match, self._num_stored),
        ]  # fmt: skip
        if message_id is not None:
            statements.append(insert("answers", table_id=self.id, seat=seat, id=message_id, seq=seq))
        if record is not None:
            statements += self._end(match, record, None)
        else:
            statements += set_positions(self.id, match, state, self.seats)
        await self._store.write(*statements)
        if record is not None:
            self._reviews.wake()
        self.match, self.state, self.record, self._changed = match, state, record, time
        self._num_stored = len(match.deals)
        if stand_in is not None:
            self._stand_ins[seq] = stand_in
        return lambda: self._tell(lambda to: self._moved(match, state, to))

    async def _deal(self, seat: int | None = None, message_id: str | None = None) -> Tell:
        time = now()
        statements = [
            *update_table(self.id, state=PLAYING, changed=time),
            *set_positions(self.id, self.match, PLAYING, self.seats),
        ]
        if message_id is not None:
            statements.append(insert("answers", table_id=self.id, seat=seat, id=message_id, seq=self.seq))
        await self._store.write(*statements)
        self.state, self._changed = PLAYING, time
        match = self.match
        return lambda: self._tell(
            lambda to: self._for(match, to, lambda seat: messages.continued(match, seat))
        )

    async def _take_back(self, seat: int, message_id: str, at: At) -> Tell:
        if len(self.persons) > 1:
            raise FaultError("not_alone")
        since = [mover for mover, _ in self.match.moves[at.seq :]]
        if at.takebacks != self.takebacks or at.seq > self.seq or seat in since:
            raise FaultError("stale")
        match, decks = await asyncio.to_thread(taken_back, self.match, self._decks, seat)
        if match is None:
            raise FaultError("nothing_to_take_back")
        time, seq, takebacks = now(), len(match.moves), self.takebacks + 1
        await self._store.write(
            ("DELETE FROM moves WHERE table_id = ? AND seq > ?", (self.id, seq)),
            ("DELETE FROM deals WHERE table_id = ? AND number >= ?", (self.id, len(match.deals))),
            *insert_deals(self.id, match, self._num_stored),
            *update_table(
                self.id, state=PLAYING, takebacks=takebacks, decks=json.dumps(decks), changed=time, seed="",
                num_moves=seq, num_deals=len(match.deals),
            ),
            insert("answers", table_id=self.id, seat=seat, id=message_id, seq=seq),
            *set_positions(self.id, match, PLAYING, self.seats),
        )  # fmt: skip
        if self._driver is not None:  # who thinks of the old position has thought in vain
            self._driver.cancel()
            self._driver = None
        self.match, self.state, self.takebacks, self._decks = match, PLAYING, takebacks, decks
        self._changed, self._num_stored = time, len(match.deals)
        self._stand_ins = {number: who for number, who in self._stand_ins.items() if number <= seq}
        return lambda: self._tell(self.snapshot)

    async def _resign(self, seat: int, message_id: str) -> Tell:
        time, record, between = now(), new_id(), self.state == BETWEEN
        await self._store.write(
            *update_table(
                self.id,
                state=OVER,
                resigned=seat,
                resigned_between=int(between),
                record=record,
                changed=time,
            ),
            insert("answers", table_id=self.id, seat=seat, id=message_id, seq=self.seq),
            *self._end(self.match, record, seat),
        )
        self._reviews.wake()
        self.state, self.resigned, self.record, self._changed = OVER, seat, record, time
        self._resigned_between = between
        match, shown = self.match, self._shown
        return lambda: self._tell(
            lambda to: self._for(match, to, lambda seat: messages.ended(match, seat, shown))
        )

    def _end(self, match: Match, record: str, resigned: int | None) -> list[Statement]:
        """Statements that keep the record of a match that is over."""
        facts = Facts(
            self.id, self.owner, match.game.id, match.game.options, self.seats, len(match.moves),
            self.hints, self.same_deal, self.takebacks,
        )  # fmt: skip
        nobody_comes: Statement = ("DELETE FROM invitations WHERE table_id = ? AND seat NOT NULL", (self.id,))
        return [*insert_record(facts, match, record, resigned), forget_positions(self.id), nobody_comes]

    async def _write(self, **values: Any) -> None:
        await self._store.write(*update_table(self.id, **values))

    # What agents do.

    def _wake(self) -> None:
        """See to it that agents move, if it is their turn and somebody looks on, and that clocks run."""
        self._follow_clock()
        if self._agents_turn() and (self._driver is None or self._driver.done()):
            self._driver = asyncio.create_task(self._drive())

    def _agents_turn(self) -> bool:
        if not self.tabs or self.deleted or self.state == OVER:
            return False
        if self.to_watch:
            return not self.pace.paused or self._steps > 0
        seat = self.match.seat
        return self.state == PLAYING and seat is not None and self.seats[seat]["kind"] == "agent"

    async def _drive(self) -> None:
        """Let agents move until a person is asked, a round has ended, or nobody looks on."""
        pause = MIN_PAUSE
        while self._agents_turn():
            try:
                await self._agents_move()
                pause = MIN_PAUSE
            except sqlite3.Error:  # the disk is full, say: try again until somebody has made room
                self.tell_all({"type": "error", "error": FaultError("failed").told()})
                await asyncio.sleep(pause)
                pause = min(2 * pause, MAX_PAUSE)

    async def _agents_move(self) -> None:
        """One move of an agent, or at a table of agents the next deal."""
        match, state = self.match, self.state
        began = asyncio.get_running_loop().time()
        thought: Thought | None = None
        if state == PLAYING:
            assert match.seat is not None
            thought = await self._minds.choose(match, self.seats[match.seat]["name"], self._luck)
            if not self.to_watch:
                is_choice = len(match.legal()) > 1
                await self._minds.slots.end(self.seats[match.seat]["name"], began, is_choice)
        await self._linger(began)
        async with self._lock:
            if match is not self.match or state != self.state or not self._agents_turn():
                return
            self._steps = 0
            if thought is None:
                tell = await self._deal()
            else:
                assert match.seat is not None
                tell = await self._play(thought.move, match.seat, stand_in=thought.stand_in)
            tell()
            self._follow_clock()

    async def _linger(self, began: float) -> None:
        """Wait until the natural time of a move has passed; a new pace counts at once."""
        loop = asyncio.get_running_loop()
        while self.tabs and not self._steps:
            left = began + self.pace.delay / 1000 - loop.time()
            if left <= 0:
                return
            self._pace_changed.clear()
            try:
                async with asyncio.timeout(left):
                    await self._pace_changed.wait()
            except TimeoutError:
                return

    async def delete(self) -> None:
        """Remove the table; its record, if there is one, stays."""
        async with self._lock:
            await self._store.write(
                *insert_given_up(self._store, self.id), ("DELETE FROM tables WHERE id = ?", (self.id,))
            )
            self.deleted = True
        self.tell_all({"type": "deleted"})
        for tab in list(self.tabs):
            tab.end("deleted")

    async def rest(self) -> None:
        """Stop thinking, unless somebody has come back; never in the middle of a change."""
        async with self._lock:
            if self.tabs:
                return
            if self._driver is not None:
                self._driver.cancel()
            self._driver = None
            self._clock.stop()


def seat_info(seat: dict[str, Any], roster: Roster) -> Message:
    """Who sits in a seat, for everybody; of an agent also what has changed since the table began."""
    told: Message = {name: seat[name] for name in ("kind", "name", "title")}
    told["open"] = bool(seat.get("open"))
    if seat["kind"] == "agent":
        told["changed"] = roster.change_of(seat["name"], seat["weights"])
    return told


def _refused(message_id: str, error: Message, seq: int) -> Message:
    return {"type": "refused", "id": message_id, "error": error, "seq": seq}
