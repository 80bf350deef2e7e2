"""How an owner gets on: for each game the games played, a rating with its error, what a game costs.

Only games without help are rated: no hints, nothing taken back, no cards that were known. All others at the
table are rated along: agents begin where the stored results have them, other persons, by their names, as
newcomers. So a rating is one owner's own account: two owners' can be compared as far as they met the same.
"""

import contextlib
import json
import sqlite3
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import NamedTuple

from fuda.agents import agent_info, agent_weights
from fuda.explain.review import can_review, reviewer_of
from fuda.explain.standing import agent_costs
from fuda.games import list_games, spec
from fuda.serve.messages import Message
from fuda.serve.outcomes import end_of, is_assisted
from fuda.serve.skill import AGENT_ERROR, NEWCOMER_ERROR, Skill, after_game, grown
from fuda.serve.store import Select
from fuda.serve.strengths import newcomer, strengths

MOST_GAMES = 500  # of each game that are told one by one: the last ones
OUTCOMES = (
    "SELECT outcomes.*, EXISTS (SELECT 1 FROM records WHERE records.id = outcomes.record) AS is_kept "
    "FROM outcomes WHERE owner = ? AND seat NOT NULL ORDER BY created, id"
)
# What a row raises that is not as it was written; it was told of when the server started.
DAMAGE = (ValueError, KeyError, IndexError, TypeError, AttributeError)


class Player(NamedTuple):
    """Whom a rating is of."""

    kind: str  # "own", "person" or "agent"
    name: str


OWN = Player("own", "")


class Played(NamedTuple):
    """A game as it counts for its owner."""

    info: Message
    seat: int
    end: str
    created: str | None
    record: str | None  # if it is still there
    cost: float | None
    unit: str | None


def progress(select: Select, owner: int, most_games: int | None = MOST_GAMES) -> list[Message]:
    """The games that an owner has played to an end, each with its account; `most_games` None: all of them."""
    played: dict[str, list[Played]] = {}
    for game in _read(select(OUTCOMES, (owner,))):
        played.setdefault(game.info["game"], []).append(game)
    return [_account(game_id, played[game_id], most_games) for game_id in list_games() if game_id in played]


def prepare() -> None:
    """Read the stored strengths, which takes a second: they are kept."""
    for game_id in list_games():
        strengths(game_id)


def _read(rows: Sequence[sqlite3.Row]) -> Iterator[Played]:
    for row in rows:
        with contextlib.suppress(*DAMAGE):
            info, seat = json.loads(row["info"]), int(row["seat"])
            if row["created"] is not None:
                datetime.fromisoformat(row["created"])
            yield Played(
                info, seat, _end(info, seat), row["created"], row["record"] if row["is_kept"] else None,
                None if row["cost"] is None else float(row["cost"]), row["unit"],
            )  # fmt: skip


def _account(game_id: str, games: list[Played], most_games: int | None) -> Message:
    skills: dict[Hashable, Skill] = {OWN: Skill(newcomer(game_id), NEWCOMER_ERROR)}
    met: Counter[Player] = Counter()
    told: list[Message] = []
    unit = next((game.unit for game in reversed(games) if game.unit is not None), None)
    for game in games:
        rated = _rate(game, skills, met)
        own = skills[OWN]
        told.append(
            {
                "created": game.created,
                "record": game.record,
                "end": game.end,
                "rated": rated,
                "rating": round(own.rating, 1) if rated else None,
                "stderr": round(own.error, 1) if rated else None,
                "cost": game.cost if game.unit == unit else None,  # in another unit it does not compare
            }
        )
    own, ends = skills[OWN], Counter(game.end for game in games)
    rated_games = sum(game["rated"] for game in told)
    return {
        "game": game_id,
        "games": len(games),
        "wins": ends["wins"],
        "draws": ends["draws"],
        "losses": ends["losses"],
        "rated": rated_games,
        "rating": round(own.rating, 1) if rated_games else None,
        "stderr": round(own.error, 1) if rated_games else None,
        "others": [
            {
                "kind": player.kind,
                "name": player.name,
                "games": count,
                "rating": round(skills[player].rating, 1),
                "stderr": round(skills[player].error, 1),
            }
            for player, count in sorted(met.items(), key=lambda entry: -skills[entry[0]].rating)
        ],
        "unit": unit,
        "standing": _standing(game_id, unit),
        "played": told if most_games is None else told[-most_games:],
    }


def _rate(game: Played, skills: dict[Hashable, Skill], met: Counter[Player]) -> bool:
    """Rate a game, if it counts: whose skills changed is written into `skills`."""
    info = game.info
    sides = _sides(info)
    if is_assisted(info) or sides is None or len(set(sides)) < 2:
        return False
    players = [_player(info, seat, game.seat) for seat in range(len(sides))]
    for player in players:
        skills.setdefault(player, _start(info["game"], player))
        if player.kind != "agent":
            skills[player] = grown(skills[player])
    skills |= after_game(skills, players, sides, _places(info, sides))
    met.update(set(players) - {OWN})
    return True


def _player(info: Message, seat: int, own: int) -> Player:
    if seat == own:
        return OWN
    return Player("person" if seat in info["persons"] else "agent", info["players"][seat])


def _start(game_id: str, player: Player) -> Skill:
    """What is known of somebody before the first game."""
    known = strengths(game_id).get(player.name) if player.kind == "agent" else None
    return Skill(newcomer(game_id), NEWCOMER_ERROR) if known is None else Skill(known, AGENT_ERROR)


def _sides(info: Message) -> list[int] | None:
    """The side of each seat; None where it is not known any more.

    Games of an older fuda do not tell. There those who shared a margin played together, and who gave up, also
    before there were sides, has lost against all others.
    """
    sides = info.get("sides")
    if sides is not None and len(set(sides)) > 1:
        return list(sides)
    if info["resigned"] is not None:
        return [int(seat == info["resigned"]) for seat in range(len(info["players"]))]
    margins = info["margins"]
    if len(margins) == 2:
        return [0, 1]
    return None if min(margins) == max(margins) else [sorted(set(margins)).index(own) for own in margins]


def _places(info: Message, sides: list[int]) -> list[float]:
    """The place of each seat's side: lower is better."""
    if info["resigned"] is not None:
        return [float(side == sides[info["resigned"]]) for side in sides]
    return [-float(margin) for margin in info["margins"]]


def _end(info: Message, seat: int) -> str:
    """How a game ended for a seat."""
    if info["resigned"] is None:
        return end_of(info["margins"], seat)
    sides = _sides(info)
    return "losses" if sides is None or sides[seat] == sides[info["resigned"]] else "wins"


def _standing(game_id: str, unit: str | None) -> list[Message]:
    """What a game by default rules costs the shipped agents, as far as it was measured in this unit."""
    if unit is None or not can_review(game_id):
        return []
    judge = reviewer_of(game_id)
    if agent_info(judge).unit != unit:
        return []
    costs = agent_costs(game_id, judge, agent_weights(judge), spec(game_id).default_options)
    return [asdict(row) for row in costs]
