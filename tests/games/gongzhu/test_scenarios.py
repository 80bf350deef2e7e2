"""Scenarios: their strata against all deals written out, and what past plays tell, on lists of texts."""

import collections
import random

import numpy as np
import pytest

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.games.gongzhu import scenarios, tells
from fuda.games.gongzhu.text import card_texts
from fuda.games.tricks.french import CARD_IDS, CARD_TEXTS
from fuda.games.tricks.play import hand_size

from .reference import DECK, RANKS, SUITS, bits, deals, position, view_of

SPEC = fuda.game("gongzhu").spec
RULES = SPEC.rules

FOLLOWING = {
    "S": ["SQ", "SA", "SK", "SJ", "S10"],
    "H": ["HA", "HK", "HQ", "HJ", "H10"],
    "D": ["DJ", "DA", "DK", "DQ", "D10"],
    "C": ["C10", "CA", "CK", "CQ", "CJ"],
}


def slow_keys(led: str | None, unseen: list[str]) -> list[str]:
    if led is not None:
        wanted = FOLLOWING[led]
    else:
        wanted = ["SQ", "SA", "SK"] if "SQ" in unseen else []
        wanted = wanted + (["DJ", "DA", "DK", "DQ"] if "DJ" in unseen else []) + ["HA", "HK", "HQ"]
        wanted = wanted + (["C10", "CA", "CK", "CQ", "CJ"] if "C10" in unseen else [])
    return [card for card in wanted if card in unseen][:2]


def matches(seed: int) -> list[fuda.Match]:
    luck = random.Random(seed)
    match = fuda.game("gongzhu", leader=seed % 4).start(seed)
    found = []
    while not match.over:
        found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


def unseen_of(match: fuda.Match) -> list[str]:
    hand = card_texts(match.view_record(match.seat)[0].hand[match.seat])
    gone = {card for _, card in match.moves}
    return [card for card in DECK if card not in hand and card not in gone]


@pytest.mark.parametrize("seed", range(6))
def test_key_cards(seed):
    keys = np.zeros(2, np.int64)
    for match in matches(seed):
        unseen = unseen_of(match)
        led = match.moves[len(match.moves) // 4 * 4][1][0] if len(match.moves) % 4 else None
        count = scenarios.find_keys(match.view_record(match.seat)[0], bits(unseen), keys)
        assert [CARD_TEXTS[card] for card in keys[:count]] == slow_keys(led, unseen)


def strata_of(view: np.recarray, seat: int) -> tuple[list[str], dict[tuple[int, ...], int]]:
    """The keys, and how many deals there are for each way to place them: by the compiled functions."""
    keys, strata, counts = np.zeros(2, np.int64), np.zeros(9, np.int64), np.zeros(9, np.int64)
    num_strata, num_keys = scenarios.fill_strata(view[0], seat, keys, strata, counts)
    found = {
        tuple(int(stratum) // 3**key % 3 for key in range(num_keys)): int(count)
        for stratum, count in zip(strata[:num_strata], counts[:num_strata], strict=True)
    }
    assert len(found) == num_strata
    return [CARD_TEXTS[card] for card in keys[:num_keys]], found


def voids_of(view: np.recarray, seat: int) -> list[list[str]]:
    return [
        [suit for number, suit in enumerate(SUITS) if int(view[0].voids[(seat + other) % 4]) >> number & 1]
        for other in range(1, 4)
    ]


def every_deal(view: np.recarray, seat: int, unseen: list[str]) -> list[tuple[frozenset[str], ...]]:
    sizes = [int(hand_size(view[0], (seat + other) % 4, 13)) for other in range(1, 4)]
    return list(deals(unseen, sizes, voids_of(view, seat)))


def test_strata_cover_all_deals_each_once():
    checked = 0
    for seed in range(5):
        for match in matches(seed)[36:]:
            view, unseen = match.view_record(match.seat), unseen_of(match)
            keys, found = strata_of(view, match.seat)
            expected = collections.Counter(
                tuple(next(other for other in range(3) if key in hands[other]) for key in keys)
                for hands in every_deal(view, match.seat, unseen)
            )
            assert found == dict(expected)
            checked += len(found) > 1
    assert checked > 20


def drawn(view, seat, count, stratified, counted, seed=3):
    states = SPEC.new_states(count).reshape(1, count)
    weights = np.zeros((1, count))
    scenarios.draw_all(
        view, np.array([seat]), stratified, counted, streams(seed, SAMPLE, 0, 1), states, weights, 0, 1
    )
    return states[0], weights[0]


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("count", [4, 9, 13])
def test_scenarios_are_deals_of_their_strata_and_weights_sum_to_one(count, counted):
    for match in matches(2)[::3]:
        seat, view = match.seat, match.view_record(match.seat)
        keys, strata = strata_of(view, seat)
        states, weights = drawn(view, seat, count, True, counted)
        assert weights.sum() == pytest.approx(1)
        placed = collections.defaultdict(list)
        for state, weight in zip(states, weights, strict=True):
            one = np.array([state]).view(np.recarray)
            assert view_of(one, seat).tobytes() == view.tobytes()
            totals = np.zeros(52, np.int64)
            RULES.count_cards(one[0], totals)
            assert (totals == 1).all()
            hands = [card_texts(one[0].hand[(seat + other) % 4]) for other in range(1, 4)]
            placed[tuple(next(o for o in range(3) if key in hands[o]) for key in keys)].append(weight)
        assert len(placed) == min(count, len(strata))
        kept = sum(strata[place] for place in placed)
        for place, shares in placed.items():
            expected = strata[place] / kept if counted else 1 / len(placed)
            assert sum(shares) == pytest.approx(expected)
            assert max(shares) == min(shares)
        if len(placed) < len(strata):  # those with the most deals
            assert sorted(strata[place] for place in placed) == sorted(strata.values())[-count:]


def test_uniform_scenarios_have_no_strata():
    match = matches(2)[20]
    states, weights = drawn(match.view_record(match.seat), match.seat, 50, False, False)
    assert weights.tolist() == [1 / 50] * 50
    assert len({state.tobytes() for state in states}) > 45


def test_within_a_stratum_all_deals_are_as_likely():
    hands = ["SA S2 S3", "H2 H3 C2", "D2 DJ H4", "C3 SQ H5"]
    gone = [card for card in DECK if card not in " ".join(hands).split()]
    view = view_of(position(hands, "", 0, (gone, "", "", ""), ("", "D", "", "")), 0)
    unseen = " ".join(hands[1:]).split()
    keys, strata = strata_of(view, 0)
    assert keys == ["SQ", "DJ"]
    assert set(strata) == {(pig, sheep) for pig in range(3) for sheep in (1, 2)}
    every = collections.Counter(dict.fromkeys(every_deal(view, 0, unseen), 0))
    per_stratum = 6000
    states, _ = drawn(view, 0, 6 * per_stratum, True, False)
    for state in states:
        every[tuple(frozenset(card_texts(hand)) for hand in state.hand[1:])] += 1
    statistic = 0.0
    for hands_, count in every.items():
        stratum = tuple(next(other for other in range(3) if key in hands_[other]) for key in keys)
        expected = per_stratum / strata[stratum]
        statistic += (count - expected) ** 2 / expected
    free = len(every) - len(strata)
    assert statistic < free + 4 * (2 * free) ** 0.5


@pytest.mark.parametrize("seed", range(6))
def test_what_past_plays_tell(seed):
    """The views of the others before their telling plays, rebuilt move by move from the start."""
    checked = 0
    for match in matches(seed)[3::2]:
        seat, view = match.seat, match.view_record(match.seat)
        states, _ = drawn(view, seat, 3, True, False)
        counts = np.zeros(1, np.int64)
        tells.count_told_all(view, np.array([seat]), counts, 0, 1)
        led = match.moves[len(match.moves) // 4 * 4][1][0] if len(match.moves) % 4 else None
        telling = [
            number
            for number, (mover, card) in enumerate(match.moves)
            if mover != seat and RANKS.index(card[1:]) >= RANKS.index("8") and led in (None, card[0])
        ]
        assert counts[0] == len(telling)
        total = 3 * len(telling)
        views, rooms = SPEC.new_states(total), [np.zeros(total, np.int64) for _ in range(2)]
        starts = np.arange(3) * len(telling)
        tells.tell_all(states, np.full(3, seat), starts, SPEC.new_states(3), views, *rooms, 0, 3)
        could = SPEC.kernels.legal_lists(views)
        compared = np.zeros(len(could.items), bool)
        tells.compare_all(views, rooms[1], could.items, could.starts, compared, 0, total)
        for scenario in range(3):
            hands = [set(card_texts(hand)) for hand in states[scenario].hand]
            for mover, card in match.moves:
                hands[mover].add(card)
            deal = {"hands": [sorted(hand) for hand in hands], "leader": match.moves[0][0]}
            again = fuda.game("gongzhu").start(seed=0, deal=deal)
            row = scenario * len(telling)
            for number, (mover, card) in enumerate(match.moves):
                if number in telling:
                    legal = again.legal()
                    assert views[row].tobytes() == again.view_record(mover)[0].tobytes()
                    assert rooms[0][row] == mover
                    assert rooms[1][row] == CARD_IDS[card]
                    assert sorted(could.row(row)) == sorted(CARD_IDS[each] for each in legal)
                    same = could.row(row)[compared[could.starts[row] : could.starts[row + 1]]]
                    assert sorted(same) == sorted(CARD_IDS[each] for each in legal if each[0] == card[0])
                    row += 1
                    checked += 1
                again.play(card)
    assert checked > 100
