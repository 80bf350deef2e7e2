"""Where cards come from: deals of a seed can be repeated and foreseen, all others neither."""

import itertools
import random
from collections import Counter
from math import factorial
from typing import Any

import pytest

import fuda
from fuda.core import chance
from fuda.core.chance import decks_of
from fuda.core.match import Match
from tests.core.state_attack import (
    LONG_MATCH,
    ROUNDS,
    drawn,
    draws_of,
    foretell,
    is_deal,
    long_move,
)

GAME = fuda.game("koikoi", **LONG_MATCH)
GAMES = fuda.list_games()


def play_on(match: fuda.Match, luck: random.Random, deals: int = 100) -> fuda.Match:
    """Moves of somebody who never stops a round, until there are so many deals."""
    while not match.over and len(match.deals) < deals:
        match.play(long_move(match.legal(), luck))
    return match


def watched(match: fuda.Match, seat: int) -> list[list[str]]:
    """The cards that a seat sees drawn in the first rounds of a match."""
    rounds: list[list[str]] = [[]]
    luck = random.Random(seat)
    while len(rounds) <= ROUNDS:
        match.play(long_move(match.legal(), luck))
        rounds[-1] += drawn(match.move_events(seat))
        if match.dealt:
            rounds.append([])
    return rounds[:ROUNDS]


def test_a_seeded_match_is_foreseen_from_one_seat():
    found = 0
    for seed in range(4):
        match = GAME.start(seed)
        found += is_deal(foretell(watched(match, seed % 2)), match.deals[ROUNDS])
    assert found >= 2  # the attack is a simple one


@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_without_a_seed_is_not(seat):
    rounds = watched(GAME.start(), seat)
    assert len(draws_of(rounds)) > 30  # it sees as much as in a seeded match
    assert foretell(rounds) is None


class Counted(random.Random):
    """In place of the system's generator: numbers that can be repeated, and what was asked for."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self.asked: list[int] = []

    def randrange(self, stop: int) -> int:  # type: ignore[override]
        self.asked.append(stop)
        return super().randrange(stop)


@pytest.mark.parametrize("game", GAMES)
def test_each_deal_is_drawn_whole_when_it_is_due_and_from_the_system_alone(game, monkeypatch):
    def played() -> tuple[fuda.Match, list[int]]:
        counted = Counted(5)
        monkeypatch.setattr(chance, "SYSTEM", counted)
        match = fuda.game(game).start()
        dealt, luck = 1, random.Random(1)
        while not match.over:
            assert len(counted.asked) >= dealt  # more where the rules deal again
            before = len(counted.asked)
            match.play(luck.choice(match.legal()))
            assert (len(counted.asked) > before) == match.dealt
            dealt += match.dealt
        return match, counted.asked

    match, asked = played()
    assert set(asked) == {factorial(len(match.game.spec.deck))}
    assert played()[0] == match


def test_every_number_is_another_order_of_the_deck(monkeypatch):
    numbers = itertools.count()

    class Counting:
        def randrange(self, stop: int) -> int:
            return next(numbers) % stop

    monkeypatch.setattr(chance, "SYSTEM", Counting())
    orders = Counter(tuple(chance._shuffled((1, 2, 3, 4))) for _ in range(48))
    assert set(orders.values()) == {2}
    assert len(orders) == 24


def test_a_match_without_a_seed_has_none_and_plays_on_with_deals_of_its_own():
    match = play_on(GAME.start(), random.Random(1), deals=2)
    assert match.seed is None
    assert match.record()["seed"] is None
    twins = [match.copy(), fuda.replay(match.record())]
    assert twins == [match, match]
    for twin in (match, *twins):
        play_on(twin, random.Random(2), deals=3)
    assert len({str(twin.deals[:2]) for twin in (match, *twins)}) == 1
    assert len({str(twin.deals[2]) for twin in (match, *twins)}) == 3


def test_what_a_deal_leaves_open_is_drawn_anew_and_stands_in_the_record():
    """The bottom in Dou Dizhu, if only the hands are given."""
    game = fuda.game("doudizhu")
    hands = game.start(1).deals[0]["hands"]
    bottoms = set()
    for _ in range(40):
        match = game.start(deal={"hands": hands})
        assert match.deals[0]["hands"] == hands
        assert fuda.replay(match.record()) == match
        bottoms.add(match.deals[0]["bottom"])
    assert len(bottoms) > 10


def test_the_first_dealer_is_drawn_and_stands_in_the_record():
    dealers = set()
    for _ in range(60):
        match = GAME.start()
        dealers.add(match.deals[0]["dealer"])
        assert fuda.replay(match.record()).deals[0]["dealer"] == match.seat
    assert dealers == {0, 1}


def test_equality_without_a_seed():
    deal = GAME.start(1).deals[0]
    one = GAME.start(deal=deal)
    assert one == GAME.start(deal=deal)
    assert one != GAME.start(1, deal=deal)  # whose later deals are fixed
    assert one != GAME.start(deal=[deal, deal])
    assert one != GAME.start()
    assert one != Match(GAME, None, deal, None, decks=[[], list(range(48))])


def cards(deal: dict[str, Any]) -> dict[str, Any]:
    """A deal without who dealt it."""
    return {zone: found for zone, found in deal.items() if zone != "dealer"}


@pytest.mark.parametrize("seed", [3, None])
def test_the_same_decks_again_whoever_deals(seed):
    """Other moves have other winners, who deal the next round; the cards stay where they were."""
    first = play_on(GAME.start(seed), random.Random(1), deals=4)
    decks = decks_of(first)
    assert [sorted(deck) for deck in decks] == [list(range(48))] * 4
    dealers = set()
    for number in range(200):  # ten do but for rare decks, with which hardly anybody but the dealer wins
        again = Match(GAME, None, first.deals[0], None, decks)
        play_on(again, random.Random(number), deals=6)
        assert again.deals[0] == first.deals[0]
        assert [cards(deal) for deal in again.deals[:4]] == [cards(deal) for deal in first.deals]
        dealers.add(tuple(deal["dealer"] for deal in again.deals[:4]))
        further = {str(cards(deal)) for deal in again.deals[4:]}
        assert len(further) == 2
        if number >= 9 and len(dealers) > 1:
            break
    assert len(dealers) > 1


@pytest.mark.parametrize("game", GAMES)
def test_decks_of_every_game(game):
    first = fuda.game(game).start()
    luck = random.Random(4)
    while not first.over:
        first.play(luck.choice(first.legal()))
    again = Match(first.game, None, first.deals[0], None, decks_of(first))
    for _, move in first.moves:
        again.play(move)
    assert again.deals == first.deals
    assert again.state_bytes() == first.state_bytes()


def test_a_deck_that_the_rules_deal_again_is_replaced():
    months = list(range(48))  # whole months in each hand
    match = Match(GAME, None, None, None, [months])
    assert decks_of(match) != [months]
    assert fuda.replay(match.record()) == match
