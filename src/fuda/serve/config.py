"""What the server keeps to. One frozen dataclass; the command line sets its first fields."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fuda.core.threads import num_cores

if TYPE_CHECKING:
    from fuda.serve.roster import ServedBot

KIB, MIB = 2**10, 2**20


@dataclass(frozen=True)
class Config:
    """Address, data folder, deadlines and limits of one server."""

    data: Path  # the folder of the database
    host: str = "127.0.0.1"
    port: int = 8642
    names: tuple[str, ...] = ()  # further names under which browsers reach it
    lan: bool = False  # for the network that this machine is in: only with the link that it prints
    address: str = ""  # of this machine in that network, for links
    public_url: str = ""  # https://HOST[:PORT], where a proxy with TLS passes requests on from
    proxies: tuple[str, ...] = ()  # from where that proxy speaks, if not from this machine
    key: str = field(default="", repr=False)  # that the link has; without one everybody is let in
    bots: "tuple[ServedBot, ...]" = ()  # that may sit at tables, beside the listed agents
    page: Path = Path(__file__).parent / "static"  # the built page

    agent_workers: int = max(2, num_cores())
    # Seconds count from when a process turns to the question. How long it waits before that is
    # limited by the number of those that may wait (below), not by a time.
    act_seconds: float = 10.0  # for one move of an agent
    hint_seconds: float = 20.0  # for one hint
    load_seconds: float = 60.0  # more, for the first question to an agent in a process
    clerk_seconds: float = 20.0  # to replay a record
    review_seconds: float = 120.0  # to review one

    slot_seconds: float = 0.1  # the least time slot in which an agent's move is told

    hello_seconds: float = 10.0
    request_seconds: float = 20.0  # for a request to arrive whole, and for its answer to be read
    body_seconds: float = 10.0  # for a request's body to arrive
    message_bytes: int = 4 * KIB
    body_bytes: int = 16 * KIB
    upload_bytes: int = MIB
    outgoing_messages: int = 256  # that a slow reader may have waiting
    bad_messages: int = 20  # from one socket, until it is closed
    message_rate: float = 20.0  # per second and socket, and how many at once
    message_burst: int = 60
    request_rate: float = 40.0  # per second and address, and how many at once
    request_burst: int = 400
    header_bytes: int = 16 * KIB
    connections: int = 1024
    connections_of_address: int = 640
    sockets: int = 512
    sockets_of_address: int = 448
    sockets_of_owner: int = 64
    sockets_of_seat: int = 16  # at a table
    lookers_of_table: int = 16  # who have come by a link to look on; they take no player's room
    tables: int = 100  # of an owner, not over
    tables_of_address: int = 1000
    all_tables: int = 5000
    records: int = 2000  # of an owner
    owners: int = 10_000
    owners_of_address: int = 1000
    owner_days: int = 1  # that an owner without games is kept
    unplayed_days: int = 30  # that a table without moves is kept
    keep_days: int | None = None  # that a game is kept after its last move, or an upload; else for ever
    waiting_agents: int = 512  # questions to agents, hints, records that may wait
    waiting_hints: int = 32
    waiting_records: int = 8
