"""One match, move by move, in text: what a person, a server or a test holds."""

import copy
import json
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fuda.core.chance import Chance, SeededChance, SystemChance
from fuda.core.errors import DealError, IllegalMove, echo
from fuda.core.one_match import BEFORE, FIRST_LEGAL, NOW, NUM_LEGAL, NUM_POSITIONS, SEAT, STATUS, STEPPED
from fuda.core.state import AWAITING_DEAL, OVER, PLAYING

if TYPE_CHECKING:
    from fuda.core.game import Game

RECORD_FORMAT = 1
MAX_NAME = 80


class Match:
    """A match in progress. It is made by `Game.start`, changed by `play` alone.

    `decks`, of a match without a seed, are the cards of rounds that `deal` does not fix; `chance` is where
    they come from, if not from the operating system.
    """

    def __init__(
        self,
        game: "Game",
        seed: int | None,
        deal: object,
        players: Sequence[str] | None,
        decks: Sequence[Sequence[int]] = (),
        chance: Chance | None = None,
    ):
        self.game = game
        self.seed = seed  # None: each deal is drawn when it is due, and nobody can know it before
        self.players = _check_players(players, game.spec.seats)
        self.moves: list[tuple[int, str]] = []  # (seat, move)
        self.deals: list[dict[str, Any]] = []  # as dealt, in the form that `deal` takes
        self.log: list[dict[str, Any]] = []  # deals, moves and scores in order: the record's events
        self._seen: list[list[bool]] = []  # which seats know each move of the finished deals
        self._chance: Chance = chance or (SystemChance(decks) if seed is None else SeededChance(seed))
        state = game.spec.new_states(1)
        self._chance.start(game, state)
        self._given = self._check_deals(deal, state)
        self._undealt = state.copy()
        dealt = self._deal(state, self._chance)
        self._stand(state, state, state, dealt=False)
        self._first_dealt = state
        self._commit_deal(dealt)

    @property
    def seat(self) -> int | None:
        """The seat to move, None when the match is over."""
        return self._seat

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._seat is None

    @property
    def scores(self) -> list[int] | None:
        """Points per seat at the end, None before."""
        if not self.over:
            return None
        out = np.zeros(self.game.spec.seats, np.int64)
        self.game.spec.rules.scores(self._state[0], out)
        return [int(points) for points in out]

    def legal(self) -> list[str]:
        """The legal moves as text, in string order; empty when the match is over."""
        return sorted(self._legal_now())

    def legal_actions(self) -> dict[str, int]:
        """The legal moves with the actions' ids, in the order of the ids."""
        return dict(self._legal_now())

    def play(self, move: str) -> None:
        """Play a legal move for the seat to move; raises `IllegalMove` and changes nothing else."""
        actions = self._legal_now()
        if not isinstance(move, str) or move not in actions:
            raise IllegalMove(self._why_illegal(move, list(actions)))
        seat, spec, positions = self._seat, self.game.spec, self._positions
        assert seat is not None
        played, facts = spec.kernels.one.play(positions, actions[move])
        status, dealt, chance = facts[STATUS], None, self._chance
        if status == AWAITING_DEAL:
            chance = chance.copy()
            dealt = self._deal(played[NOW:].view(np.recarray), chance)
            facts = spec.kernels.one.look(played)
        # All that can fail is done: from here on the match changes.
        self._chance = chance
        self._take(played, facts, dealt=dealt is not None)
        move = str(move)
        self.moves.append((seat, move))
        self.log.append({"move": move, "seat": seat})
        if status == PLAYING:
            return
        if spec.has_secret_moves:
            self._seen += self._seen_in_deal(self._stepped)
        if dealt is not None:
            self._commit_deal(dealt)
        else:
            self.log.append({"scores": self.scores})

    @property
    def dealt(self) -> bool:
        """Whether the last move ended a round, so that the next one was dealt."""
        return self._dealt

    @property
    def awaits_bid(self) -> bool:
        """Whether the seat to move is to bid."""
        return not self.over and self.game.spec.is_bid(self._state[0])

    @property
    def sides(self) -> list[int]:
        """The side that each seat plays for; in some games that is not known before the bids."""
        spec = self.game.spec
        return [int(spec.rules.side(self._state[0], seat)) for seat in range(spec.seats)]

    @property
    def payoffs(self) -> list[float] | None:
        """What the deal that the last move ended was worth to each seat; None if it ended none."""
        if self._stepped[0].status == PLAYING:
            return None
        out = np.zeros(self.game.spec.seats)
        self.game.spec.rules.payoff(self._stepped[0], out)
        return [float(points) for points in out]

    def margin(self, seat: int) -> float | None:
        """By how much the seat's side won, in the unit of duels; None before the end."""
        if not self.over:
            return None
        sides = self.sides
        mine = [side == sides[seat] for side in sides]
        return float(self.game.spec.margin(np.array(self.scores), mine))

    def deal_payoffs(self) -> list[float] | None:
        """What the deal that the last move ended was worth to each seat, in points; None if it ended none."""
        if not (self._dealt or self.over):
            return None
        out = np.zeros(self.game.spec.seats)
        self.game.spec.rules.payoff(self._stepped[0], out)
        return [float(points) for points in out]

    def view(self, seat: int) -> dict[str, Any]:
        """All that the seat may know, as a JSON-able dictionary (keys: the game's RULES.md)."""
        return self._view_dict(self._state, seat, self.seat)

    def ended_round_view(self, seat: int) -> dict[str, Any]:
        """What the seat saw after the last move, before the next round was dealt: nobody moves."""
        return self._view_dict(self._stepped, seat, None)

    def _view_dict(self, state: np.recarray, seat: int, to_move: int | None) -> dict[str, Any]:
        record = self._view_of(state, seat)
        view: dict[str, Any] = {"game": self.game.id, "seat": int(seat), "to_move": to_move}
        if to_move == seat:
            view["legal"] = self.legal()
        view["history"] = self._history(state, seat)
        view["options"] = dict(self.game.options)
        return view | self.game.spec.text.view_dict(record[0], seat)

    def view_record(self, seat: int) -> np.recarray:
        """The seat's view as the record that agents get, [1]."""
        return self._view_now(seat).view(np.recarray)

    def view_bytes(self, seat: int) -> np.ndarray:
        """The same as bytes, [size of the record] uint8."""
        return self._view_now(seat).view(np.uint8)

    def _view_now(self, seat: int) -> np.ndarray:
        self._check_seat(seat)
        return self.game.spec.kernels.one.view(self._positions, int(seat))

    def events(self, seat: int) -> list[dict[str, Any]]:
        """What the seat saw happen with the last move, the next round's deal included."""
        return self.move_events(seat) + self.deal_events(seat)

    def move_events(self, seat: int) -> list[dict[str, Any]]:
        """What the seat saw happen with the last move itself."""
        before, stepped = self._view_of(self._before, seat), self._view_of(self._stepped, seat)
        if not self.moves:
            return []
        move = self.last_move(seat)[1]
        return list(self.game.spec.events.events(before[0], move, stepped[0], seat))

    def last_move(self, seat: int) -> tuple[int, str | None]:
        """Who made the last move and what it was; None where the seat did not see that."""
        mover, move = self._history(self._stepped, seat)[-1]
        return mover, move

    def deal_events(self, seat: int) -> list[dict[str, Any]]:
        """What the seat saw of the next round's deal, if the last move ended a round."""
        if not self.dealt:
            return []
        stepped = self._view_of(self._stepped, seat)
        return list(self.game.spec.events.events(stepped[0], None, self.view_record(seat)[0], seat))

    def first_deal_events(self, seat: int) -> list[dict[str, Any]]:
        """What the seat saw of the first deal, told as later ones are; nothing where there are none later."""
        if self.game.spec.max_deals(self.game.all_options) == 1:
            return []
        undealt, dealt = (self._view_of(state, seat) for state in (self._undealt, self._first_dealt))
        return list(self.game.spec.events.events(undealt[0], None, dealt[0], seat))

    def record(self) -> dict[str, Any]:
        """The match so far as a JSON-able dictionary; `fuda.replay` gives an equal match."""
        header: dict[str, Any] = {
            "fuda_record": RECORD_FORMAT,
            "game": self.game.id,
            "rules_version": self.game.spec.rules_version,
            "options": dict(self.game.options),
            "players": list(self.players),
            "seed": self.seed,
        }
        ahead = self._given[len(self.deals) :]
        if ahead and not self.over:  # explicit deals of rounds that have not begun
            header["deals_ahead"] = copy.deepcopy(ahead)
        return header | {"events": copy.deepcopy(self.log)}

    def copy(self) -> "Match":
        """An independent match that stands where this one does; without a seed, its later deals differ."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        for name in ("moves", "deals", "log", "_seen"):
            setattr(twin, name, list(getattr(self, name)))
        return twin  # the arrays are replaced by `play`, never changed: they can be shared

    def state_bytes(self) -> bytes:
        """The whole state, hidden cards included: for the engine and its tests."""
        return self._state.tobytes()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return (
            self.game == other.game
            and self.log == other.log
            and self.players == other.players
            and self.state_bytes() == other.state_bytes()
            and self._future() == other._future()
        )

    def _future(self) -> object:
        """What determines the deals to come; nothing once the match is over."""
        if self.over:
            return None
        number = len(self.deals)
        return self._given[number:], self._chance.ahead(number)

    __hash__ = None  # type: ignore[assignment]  # a match changes

    def __repr__(self) -> str:
        where = "over" if self.over else f"seat {self.seat} to move"
        return f"<{self.game.id} match, {len(self.moves)} moves, {where}>"

    @property
    def _before(self) -> np.recarray:
        """The position before the last move, [1]; like the next two it is never changed in place."""
        return self._positions[:STEPPED].view(np.recarray)

    @property
    def _stepped(self) -> np.recarray:
        """The position after it."""
        return self._positions[STEPPED:NOW].view(np.recarray)

    @property
    def _state(self) -> np.recarray:
        """The position after the deal that followed, if one did."""
        return self._positions[NOW:].view(np.recarray)

    def _stand(self, before: np.recarray, stepped: np.recarray, state: np.recarray, *, dealt: bool) -> None:
        """Where the match stands."""
        positions = np.empty(NUM_POSITIONS, self.game.spec.rules.STATE)
        for place, position in ((BEFORE, before), (STEPPED, stepped), (NOW, state)):
            positions[place] = position[0]
        self._take(positions, self.game.spec.kernels.one.look(positions), dealt=dealt)

    def _take(self, positions: np.ndarray, facts: list[int], *, dealt: bool) -> None:
        """The same with what is to know of the last of the positions."""
        self._positions, self._facts, self._dealt = positions, facts, dealt
        self._seat = None if facts[STATUS] == OVER else facts[SEAT]
        self._named: dict[str, int] | None = None

    def _legal_now(self) -> dict[str, int]:
        """The legal moves with their actions, named once for each position."""
        if self._named is None:
            spec = self.game.spec
            spec.check_num_legal(self._facts[NUM_LEGAL])
            texts = spec.move_texts
            self._named = {texts[action]: action for action in self._facts[FIRST_LEGAL:]}
        return self._named

    def _why_illegal(self, move: object, legal: list[str]) -> str:
        if self.over:
            return "the match is over; no move can be played"
        if not isinstance(move, str):
            return f"a move is text such as {legal[0]!r}, not {echo(move)}"
        assert self._seat is not None
        view = self.view_record(self._seat)
        why = self.game.spec.text.why_illegal(view[0], move)
        shown = ", ".join(legal[:8]) + (", ..." if len(legal) > 8 else "")
        return f"{echo(move)} cannot be played: {why}; legal moves: {shown}"

    def _view_of(self, state: np.recarray, seat: int) -> np.recarray:
        self._check_seat(seat)
        view = state.copy()
        self.game.spec.rules.hide(view[0], int(seat))
        return view

    def _check_seat(self, seat: object) -> None:
        number = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if not number or seat not in range(self.game.spec.seats):
            raise ValueError(f"a seat is 0 to {self.game.spec.seats - 1}, not {echo(seat)}")

    def _history(self, state: np.recarray, seat: int) -> list[list[Any]]:
        """All moves as [mover, move]; the move is None where the seat does not know it (yet)."""
        if not self.game.spec.has_secret_moves:
            return [[mover, move] for mover, move in self.moves]
        seen = self._seen if state[0].status != PLAYING else self._seen + self._seen_in_deal(state)
        return [
            [mover, move if seats[seat] else None]
            for (mover, move), seats in zip(self.moves, seen, strict=True)
        ]

    def _seen_in_deal(self, state: np.recarray) -> list[list[bool]]:
        """Which seats know each move of the deal that is played, or that just ended."""
        sees_move, seats = self.game.spec.sees_move, range(self.game.spec.seats)
        assert sees_move is not None
        return [
            [seat == mover or bool(sees_move(state[0], seat, mover, number)) for seat in seats]
            for number, (mover, _) in enumerate(self.moves[len(self._seen) :])
        ]

    def _check_deals(self, deal: object, state: np.recarray) -> list[object]:
        """The explicit deals as a list, each of them one whole deck that the rules accept."""
        if deal is None:
            return []
        deals = deal if isinstance(deal, list) else [deal]
        limit = self.game.spec.max_deals(self.game.all_options)
        if not deals or (limit is not None and len(deals) > limit):
            raise ValueError(f"a list of deals has 1 to {limit or 'any number of'} deals, not {len(deals)}")
        for number, given in enumerate(deals):
            try:
                self._deal_given(state.copy(), given, self._chance.generator())
            except ValueError as error:
                where = f"deal {number + 1}: " if len(deals) > 1 else ""
                raise DealError(number, str(error), where) from None
        # In the form that a record has: tuples become lists, NumPy's numbers plain ones.
        return list(json.loads(json.dumps(deals, default=operator.index)))

    def _deal(self, state: np.recarray, chance: Chance) -> dict[str, Any]:
        """Deal in place, the given deal or else chance's, which is always drawn.

        So the rounds after the given ones do not depend on whether the earlier were given.
        """
        spec, number = self.game.spec, len(self.deals)
        if number < len(self._given):
            rng = chance.generator()
            chance.deal(spec, state.copy(), number)
            self._deal_given(state, self._given[number], rng)
        else:
            chance.deal(spec, state, number)
        return dict(spec.text.write_deal(state[0]))

    def _deal_given(self, state: np.recarray, given: object, rng: np.ndarray) -> None:
        spec = self.game.spec
        deck = spec.text.read_deal(state[0], given, rng)
        if not spec.rules.deal(state[0], deck):
            raise ValueError(getattr(spec.text, "DEALT_AGAIN", "the rules deal this again"))

    def _commit_deal(self, dealt: dict[str, Any]) -> None:
        self.deals.append(dealt)
        self.log.append({"deal": dealt})


def _check_players(players: object, seats: int) -> list[str]:
    if players is None:
        return ["?"] * seats
    names = list(players) if isinstance(players, list | tuple) else []
    good = all(isinstance(name, str) and name.isprintable() and len(name) <= MAX_NAME for name in names)
    if not good or len(names) != seats:
        raise ValueError(
            f"players are {seats} names of at most {MAX_NAME} printable characters, not {echo(players)}"
        )
    return names
