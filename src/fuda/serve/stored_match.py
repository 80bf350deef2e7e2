"""The match of a table in the database: its deals and its moves.

A deal is drawn when it is due and stored with the move that made it so, before anybody is told of
it. A server that starts again has the deals that were made; those to come are nowhere yet.
"""

import json
import sqlite3

from fuda.core.chance import decks_of
from fuda.core.match import Match
from fuda.games import game
from fuda.records import loads, replay
from fuda.serve.store import Statement, Store, insert, now

# What a table raises that is not as it was written: no JSON, no such key or seat, an illegal move.
DAMAGE = (ValueError, KeyError, IndexError, TypeError, AttributeError)


def load_match(row: sqlite3.Row, store: Store) -> Match:
    """The match of a table, where it stands."""
    table = game(row["game"], **json.loads(row["options"]))
    players = [seat["name"] for seat in json.loads(row["seats"])]
    if row["seed"]:
        match = table.start(int(row["seed"]), players=players)
    else:
        deals = [json.loads(found["deal"]) for found in _ordered("deals", "number", row, store)]
        match = Match(table, None, deals, players, _decks(row))
    for move in _ordered("moves", "seq", row, store):
        match.play(move["move"])
    # Deals to come shall not follow from a seed, also at a table of an older fuda.
    return replay(match.record() | {"seed": None}) if row["seed"] else match


def same_cards(row: sqlite3.Row, store: Store, players: list[str]) -> tuple[Match, list[list[int]]]:
    """A new match with the cards of a table as far as they were dealt, and those as decks."""
    match = load_match(row, store)
    decks = decks_of(match)
    decks += _decks(row)[len(decks) :]  # it had been played again itself, and not so far
    return Match(match.game, None, match.deals[:1], players, decks), decks


def insert_deals(table_id: str, match: Match, first: int = 0) -> list[Statement]:
    """Statements that add the deals of a match from number `first` on."""
    return [
        insert("deals", table_id=table_id, number=number, deal=match.deals[number])
        for number in range(first, len(match.deals))
    ]


def match_at(file: str, seq: int, players: list[str]) -> tuple[Match, list[list[int]]]:
    """The match of a record as it stood after `seq` moves, and all its cards as decks.

    Later rounds have the cards that they had, as far as they were dealt.
    """
    told = loads(file, "record")
    decks = decks_of(told)
    match = Match(told.game, None, told.deals[:1], players, decks)
    for _, move in told.moves[:seq]:
        match.play(move)
    return match, decks


def taken_back(match: Match, decks: list[list[int]], seat: int) -> tuple[Match | None, list[list[int]]]:
    """A match as it stood before a seat's last choice, None if it had none, and all its cards as decks.

    A move that was forced is no choice: to go back to it would change nothing. What was dealt is known, so it
    comes again as it was; `decks` are those that were known before.
    """
    known = decks_of(match)
    known += decks[len(known) :]
    twin, found = Match(match.game, None, match.deals[:1], match.players, known), None
    for mover, move in match.moves:
        if mover == seat and len(twin.legal_actions()) > 1:
            found = twin.copy()
        twin.play(move)
    return found, known


def insert_moves(table_id: str, match: Match) -> list[Statement]:
    """Statements that add all moves of a match."""
    time = now()
    return [
        insert("moves", table_id=table_id, seq=seq, seat=seat, move=move, time=time)
        for seq, (seat, move) in enumerate(match.moves, 1)
    ]


def _decks(row: sqlite3.Row) -> list[list[int]]:
    return list(json.loads(row["decks"] or "[]"))


def _ordered(table: str, order: str, row: sqlite3.Row, store: Store) -> list[sqlite3.Row]:
    return store.rows(f"SELECT * FROM {table} WHERE table_id = ? ORDER BY {order}", (row["id"],))
