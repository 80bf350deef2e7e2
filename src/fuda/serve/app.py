"""The HTTP side: one function for each request of docs/protocol.md."""

import asyncio
import contextlib
import logging
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypeVar

from fastapi import FastAPI, Path, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection

from fuda.serve import secret_keys
from fuda.serve.addresses import asker_of
from fuda.serve.archive import Archive
from fuda.serve.catalog import lobby
from fuda.serve.config import Config
from fuda.serve.door import API, HEALTH, INVITATION, Door
from fuda.serve.faults import STATUS, FaultError
from fuda.serve.friends import Friends
from fuda.serve.guard import ONLY_LOOKS, Guard
from fuda.serve.messages import Message
from fuda.serve.minds import Minds
from fuda.serve.network import link_address
from fuda.serve.page import Page
from fuda.serve.profile import Profile
from fuda.serve.protocol import (
    MAX_CHUNK,
    MAX_ID,
    MAX_SEAT,
    AskReview,
    AskValues,
    Given,
    Invite,
    Join,
    Leave,
    NewTable,
    Rematch,
    Solve,
    TryAgain,
    Upload,
)
from fuda.serve.puzzles import Puzzles
from fuda.serve.sockets import Socket
from fuda.serve.store import Store, insert, now
from fuda.serve.tables import Owner, Tables

G = TypeVar("G", bound=BaseModel)
Id = Annotated[str, Path(min_length=1, max_length=MAX_ID)]
BEARER = "Bearer "
NOT_FOUND, BAD_METHOD = 404, 405
MAX_SEQ = 1_000_000
UPKEEP_SECONDS = 3600.0

log = logging.getLogger("fuda.serve")


class Nothing(Given):
    """An empty body."""


class Desk:
    """What the requests work on, for as long as the server runs."""

    def __init__(self, config: Config):
        self.config = config
        self.store = Store(config.data)
        self.minds = Minds(config)
        self.tables = Tables(config, self.store, self.minds)
        self.archive = Archive(config, self.store, self.minds, self.tables.reviews, self.tables.mark_hints)
        self.puzzles = Puzzles(self.store, self.minds)
        self.friends = Friends(config, self.store, self.tables)
        self.profile = Profile(self.store, self.tables, self.archive, self.friends)
        self.page = Page(config.page)
        self.sockets: Counter[str] = Counter()  # by where they come from
        self._upkeep: asyncio.Task[None] | None = None
        self.lobby: Message = {}

    async def start(self) -> None:
        """Start the workers, and find out what there is to play."""
        await self.minds.start()
        self.tables.reviews.start()
        self.lobby = await asyncio.to_thread(lobby, self.config)
        self._upkeep = asyncio.create_task(self._keep_up())

    async def _keep_up(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            await self.tables.look_through()
        while True:
            with contextlib.suppress(sqlite3.Error):  # the disk is full, say: there is another time
                await self.tables.expire()
            await asyncio.sleep(UPKEEP_SECONDS)

    async def close(self) -> None:
        """Stop everything; what was acknowledged is on the disk."""
        if self._upkeep is not None:
            self._upkeep.cancel()
        await self.tables.close()
        await self.minds.close()
        self.store.close()

    def owner(self, request: Request) -> Owner:
        """Who asks, or a fault."""
        given = request.headers.get("authorization", "")
        secret = given.removeprefix(BEARER)
        if secret != given and len(secret) <= MAX_ID:
            row = self.store.row("SELECT owner FROM owners WHERE hash = ?", (secret_keys.hashed(secret),))
            if row is not None:
                return Owner(row["owner"], secret)
        raise FaultError("wrong_secret")

    async def new_owner(self, address: str) -> str:
        """A secret for a new owner."""
        count = "SELECT count(*) AS n FROM owners"
        of_address = self.store.rows(f"{count} WHERE address = ?", (address,))[0]["n"]
        every = self.store.rows(count)[0]["n"]
        if of_address >= self.config.owners_of_address or every >= self.config.owners:
            raise FaultError("too_many_owners")
        secret = secret_keys.new_owner()
        await self.store.write(
            insert("owners", hash=secret_keys.hashed(secret), created=now(), address=address)
        )
        return secret

    def asker(self, connection: HTTPConnection) -> str:
        """From where a request or a socket comes."""
        return asker_of(connection.scope, self.config)


def make_app(config: Config, started: Callable[[], None] = lambda: None) -> Any:
    """The ASGI application; `started` is called when it is ready."""
    desk = Desk(config)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await desk.start()
        for note in desk.store.notes:
            log.warning("fuda: %s", note)
        started()
        yield
        await desk.close()

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan, redirect_slashes=False)
    _add_faults(app)
    _add_tables(app, desk)
    _add_friends(app, desk)
    _add_records(app, desk)
    _add_profile(app, desk)
    _add_puzzles(app, desk)
    _add_socket(app, desk)
    _add_health(app, desk)
    _add_page(app, desk)
    door = Door(config.key, config.port, desk.friends.right_by) if config.key else None
    return Guard(app, config, door)


def _add_tables(app: FastAPI, desk: Desk) -> None:
    @app.get(f"{API}/lobby")
    async def get_lobby() -> Response:
        return _json(desk.lobby)

    @app.post(f"{API}/owners")
    async def new_owner(request: Request) -> Response:
        await _read(request, Nothing, desk.config)
        return _json({"secret": await desk.new_owner(desk.asker(request))})

    @app.get(f"{API}/tables")
    async def list_tables(request: Request) -> Response:
        return _json({"tables": desk.tables.listed(desk.owner(request))})

    @app.post(f"{API}/tables")
    async def new_table(request: Request) -> Response:
        owner = desk.owner(request)
        return _json(await desk.tables.create(owner, await _read(request, NewTable, desk.config)))

    @app.get(f"{API}/tables/{{table}}")
    async def get_table(request: Request, table: Id) -> Response:
        return _json(desk.tables.info(desk.owner(request), table))

    @app.delete(f"{API}/tables/{{table}}")
    async def delete_table(request: Request, table: Id) -> Response:
        await desk.tables.delete(desk.owner(request), table)
        return _json({})

    @app.post(f"{API}/tables/{{table}}/rematch")
    async def rematch(request: Request, table: Id) -> Response:
        owner = desk.owner(request)
        return _json(await desk.tables.rematch(owner, table, await _read(request, Rematch, desk.config)))


def _add_friends(app: FastAPI, desk: Desk) -> None:
    @app.get(f"{INVITATION}{{code}}")
    async def follow(request: Request, code: Id) -> Response:
        return lead(request, code)

    @app.get(f"{INVITATION}{{code}}/{{seq}}")
    async def follow_to(request: Request, code: Id, seq: Annotated[int, Path(ge=0, le=MAX_SEQ)]) -> Response:
        return lead(request, code, seq)

    def lead(request: Request, code: str, seq: int | None = None) -> Response:
        where = desk.friends.where(code, seq)
        if where is None:
            told = desk.page.nowhere(request)  # to a browser the page says it
            if told is None:
                raise FaultError("no_such_invitation")
            return told
        return Response(status_code=303, headers={"location": where, "cache-control": "no-store"})

    def address_for(request: Request) -> str:
        return link_address(request.headers["host"].lower(), desk.config)

    @app.post(f"{API}/tables/{{table}}/invitations")
    async def invite(request: Request, table: Id) -> Response:
        owner = desk.owner(request)
        wanted = await _read(request, Invite, desk.config)
        return _json(await desk.friends.invite(owner, table, wanted, address_for(request)))

    @app.post(f"{API}/join")
    async def join(request: Request) -> Response:
        owner = desk.owner(request)
        return _json(await desk.friends.join(owner, await _read(request, Join, desk.config)))

    @app.post(f"{API}/tables/{{table}}/leave")
    async def leave(request: Request, table: Id) -> Response:
        owner = desk.owner(request)
        await desk.friends.leave(owner, table, await _read(request, Leave, desk.config))
        return _json({})

    @app.post(f"{API}/records/{{record}}/share")
    async def share(request: Request, record: Id) -> Response:
        owner = desk.owner(request)
        await _read(request, Nothing, desk.config)
        desk.archive.check_readable(owner, record)
        return _json(await desk.friends.share(record, address_for(request)))

    @app.get(f"{API}/watched/{{code}}")
    async def watched(code: Id) -> Response:
        return _json(desk.tables.info_for(None, desk.friends.watched_table(code)))

    @app.get(f"{API}/shared/{{code}}/replay")
    async def shared(
        code: Id,
        first: Annotated[int, Query(ge=0, le=MAX_SEQ)] = 0,
        count: Annotated[int, Query(ge=1, le=MAX_CHUNK)] = MAX_CHUNK,
    ) -> Response:
        return _json(await desk.archive.replay_shared(desk.friends.shared_record(code), first, count))


def _add_records(app: FastAPI, desk: Desk) -> None:
    @app.get(f"{API}/records")
    async def list_records(request: Request) -> Response:
        return _json({"records": await desk.archive.listed(desk.owner(request))})

    @app.post(f"{API}/records")
    async def upload(request: Request) -> Response:
        owner = desk.owner(request)
        # Quotes and line ends are escaped in JSON: the body is longer than the file.
        given = await _read(request, Upload, desk.config, 2 * desk.config.upload_bytes)
        if len(given.file.encode(errors="replace")) > desk.config.upload_bytes:
            raise FaultError("too_large", limit=desk.config.upload_bytes)
        return _json(await desk.archive.upload(owner, given.file))

    @app.get(f"{API}/records/{{record}}/replay")
    async def replay(
        request: Request,
        record: Id,
        first: Annotated[int, Query(ge=0, le=MAX_SEQ)] = 0,
        count: Annotated[int, Query(ge=1, le=MAX_CHUNK)] = MAX_CHUNK,
    ) -> Response:
        return _json(await desk.archive.replay(desk.owner(request), record, first, count))

    @app.post(f"{API}/records/{{record}}/values")
    async def values(request: Request, record: Id) -> Response:
        owner = desk.owner(request)
        return _json(await desk.archive.values(owner, record, await _read(request, AskValues, desk.config)))

    @app.get(f"{API}/records/{{record}}/review")
    async def review(
        request: Request, record: Id, seat: Annotated[int, Query(ge=0, le=MAX_SEAT)] = 0
    ) -> Response:
        return _json(desk.archive.review(desk.owner(request), record, seat))

    @app.post(f"{API}/records/{{record}}/review")
    async def ask_review(request: Request, record: Id) -> Response:
        owner = desk.owner(request)
        asked = await _read(request, AskReview, desk.config)
        return _json(await desk.archive.ask_review(owner, record, asked.seat))

    @app.post(f"{API}/records/{{record}}/again")
    async def again(request: Request, record: Id) -> Response:
        owner = desk.owner(request)
        return _json(await desk.tables.again(owner, record, await _read(request, TryAgain, desk.config)))

    @app.get(f"{API}/records/{{record}}/file")
    async def file(request: Request, record: Id) -> Response:
        game_id, text = desk.archive.file(desk.owner(request), record)
        headers = {
            "content-disposition": f'attachment; filename="{game_id}.jsonl"',
            "cache-control": "no-store",
        }
        return Response(text, media_type="application/jsonl", headers=headers)

    @app.delete(f"{API}/records/{{record}}")
    async def delete_record(request: Request, record: Id) -> Response:
        await desk.archive.delete(desk.owner(request), record)
        return _json({})

    @app.get(f"{API}/results")
    async def results(request: Request) -> Response:
        return _json({"results": await desk.archive.results(desk.owner(request))})


def _add_profile(app: FastAPI, desk: Desk) -> None:
    @app.get(f"{API}/progress")
    async def progress(request: Request) -> Response:
        return _json({"games": await desk.profile.progress(desk.owner(request))})

    @app.get(f"{API}/me")
    async def export(request: Request) -> Response:
        headers = {
            "content-disposition": 'attachment; filename="fuda-profile.json"',
            "cache-control": "no-store",
        }
        pieces = await desk.profile.export(desk.owner(request))
        return StreamingResponse(pieces, media_type="application/json", headers=headers)

    @app.delete(f"{API}/me")
    async def forget(request: Request) -> Response:
        await desk.profile.delete(desk.owner(request))
        return _json({})


def _add_puzzles(app: FastAPI, desk: Desk) -> None:
    @app.get(f"{API}/puzzles")
    async def count_puzzles(request: Request) -> Response:
        return _json(desk.puzzles.counted(desk.owner(request).number))

    @app.get(f"{API}/puzzles/{{puzzle}}")
    async def get_puzzle(request: Request, puzzle: Id) -> Response:
        return _json(await desk.puzzles.position(desk.owner(request).number, puzzle))

    @app.post(f"{API}/puzzles/{{puzzle}}")
    async def solve(request: Request, puzzle: Id) -> Response:
        owner = desk.owner(request)
        given = await _read(request, Solve, desk.config)
        return _json(await desk.puzzles.solve(owner.number, puzzle, given.move))

    @app.delete(f"{API}/puzzles/{{puzzle}}")
    async def delete_puzzle(request: Request, puzzle: Id) -> Response:
        await desk.puzzles.delete(desk.owner(request).number, puzzle)
        return _json({})


def _add_socket(app: FastAPI, desk: Desk) -> None:
    @app.websocket(f"{API}/socket")
    async def socket(websocket: WebSocket) -> None:
        address = desk.asker(websocket)
        if (
            desk.sockets.total() >= desk.config.sockets
            or desk.sockets[address] >= desk.config.sockets_of_address
        ):
            await websocket.close(1013)
            return
        desk.sockets[address] += 1
        try:
            only_looks = bool(websocket.scope.get(ONLY_LOOKS))
            await Socket(websocket, desk.config, only_looks).run(desk.tables)
        finally:
            desk.sockets[address] -= 1
            if not desk.sockets[address]:
                del desk.sockets[address]


def _add_health(app: FastAPI, desk: Desk) -> None:
    @app.get(HEALTH)
    async def health() -> Response:
        """Whether moves can be stored and agents be asked."""
        await desk.store.check_writable()
        if not desk.minds.are_there:
            raise FaultError("failed")
        return _json({"status": "ok", "notes": len(desk.store.notes)})


def _add_page(app: FastAPI, desk: Desk) -> None:
    @app.get("/{path:path}")
    async def page(request: Request, path: str) -> Response:
        is_api = f"{path}/".startswith("api/")
        found = None if is_api else desk.page.answer(request) or desk.page.nowhere(request)
        if found is None:
            raise FaultError("not_found")
        return found


def _add_faults(app: FastAPI) -> None:
    """Whatever goes wrong is told in the same form."""

    @app.exception_handler(FaultError)
    async def fault(_: Request, error: FaultError) -> Response:
        return _json({"error": error.told()}, STATUS[error.code])

    @app.exception_handler(RequestValidationError)
    async def bad_query(_: Request, error: RequestValidationError) -> Response:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        return _json({"error": FaultError("bad_message", where=where).told()}, STATUS["bad_message"])

    @app.exception_handler(HTTPException)
    async def no_route(_: Request, error: HTTPException) -> Response:
        code = {NOT_FOUND: "not_found", BAD_METHOD: "bad_method"}.get(error.status_code, "bad_message")
        return _json({"error": FaultError(code).told()}, error.status_code)

    @app.exception_handler(Exception)  # the server's own fault: it is also logged
    @app.exception_handler(sqlite3.Error)
    async def failed(_: Request, __: Exception) -> Response:
        return _json({"error": FaultError("failed").told()}, STATUS["failed"])


async def _read(request: Request, model: type[G], config: Config, limit: int | None = None) -> G:
    """The body of a request, if it is JSON of the right form, not too long and not too slow."""
    limit = limit or config.body_bytes
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise FaultError("not_json")
    body = b""
    try:
        async with asyncio.timeout(config.body_seconds):
            async for part in request.stream():
                body += part
                if len(body) > limit:
                    raise FaultError("too_large", limit=limit)
    except (TimeoutError, ClientDisconnect):
        raise FaultError("bad_json") from None
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        if first["type"] == "json_invalid":
            raise FaultError("bad_json") from None
        raise FaultError("bad_message", where=".".join(map(str, first["loc"]))[:80]) from None


def _json(content: Message, status: int = 200) -> Response:
    return JSONResponse(content, status, headers={"cache-control": "no-store"})
