"""Decompositions of a hand: against trying all moves one after the other, and drawn uniformly."""

import random
from collections import Counter
from functools import cache

import numpy as np
import pytest
from scipy.stats import chisquare

from fuda.core.decompositions import Decompositions
from fuda.core.generator import SAMPLE, streams
from fuda.core.threads import limited_to
from fuda.games.doudizhu.decompose import (
    MAX_GROUPS,
    count_decompositions,
    decompose,
    draw_distinct,
    moves_with_lowest,
    new_graph,
)
from fuda.games.doudizhu.moves import (
    FULL_DECK,
    MAX_LEGAL,
    MOVE_CARDS,
    PASS,
    RANKS,
    legal_follows,
    legal_leads,
)
from fuda.games.doudizhu.text import move_text, read_move

DECK = "".join(rank * (1 if rank in "BR" else 4) for rank in RANKS)
ALL = 1 << 18  # more than any hand has


def packed(cards: str) -> int:
    return sum(1 << (4 * RANKS.index(card)) for card in cards)


def tried(hand: int) -> set[tuple[int, ...]]:
    """By every legal move that has the lowest card, as one of the groups must; what is found twice is one."""
    out = np.empty(MAX_LEGAL, np.int64)

    @cache
    def of(cards: int) -> frozenset[tuple[int, ...]]:
        if cards == 0:
            return frozenset([()])
        lowest = ((cards & -cards).bit_length() - 1) // 4 * 4
        moves = out[: legal_leads(np.int64(cards), out)].tolist()  # a list: the room is used again below
        return frozenset(
            tuple(sorted((move, *rest)))
            for move in moves
            if int(MOVE_CARDS[move]) >> lowest & 15
            for rest in of(cards - int(MOVE_CARDS[move]))
        )

    return set(of(hand))


def generators(count: int, seed: int = 1) -> np.ndarray:
    return streams(seed, SAMPLE, 0, count)


def move(text: str) -> int:
    return PASS if text == "pass" else read_move(text)


def found(hands: list[int], limit: int = ALL, beat: str = "pass", seed: int = 1) -> Decompositions:
    beaten = np.full(len(hands), move(beat))
    return decompose(np.array(hands, np.int64), beaten, limit, generators(len(hands), seed))


def multisets(decompositions: Decompositions, k: int) -> list[tuple[int, ...]]:
    return [tuple(sorted(groups.tolist())) for groups in decompositions.of(k)]


def texts(cards: str, beat: str = "pass") -> set[str]:
    mine = multisets(found([packed(cards)], beat=beat), 0)
    return {" ".join(sorted(map(move_text, groups))) for groups in mine}


def test_hands_that_can_be_written_down():
    assert texts("3") == {"3"}
    assert texts("33") == {"3 3", "33"}
    assert texts("BR") == {"B R", "BR"}
    assert texts("3334") == {"3 3 3 4", "3 33 4", "333 4", "3334"}
    assert texts("34567") == {"3 4 5 6 7", "34567"}
    assert texts("34", "JJ") == {"3 4 pass"}


def test_the_same_as_trying_all_moves_on_thousands_of_hands():
    luck = random.Random(1)
    hands = [packed("".join(luck.sample(DECK, 1 + number % 10))) for number in range(3000)]
    narrow = [card for card in DECK if card in "3456" or card in "2BR"]  # trio chains, quads and jokers
    hands += [packed("".join(luck.sample(narrow, 4 + number % 7))) for number in range(1000)]
    decompositions = found(hands)
    for k, hand in enumerate(hands):
        mine = multisets(decompositions, k)
        assert len(set(mine)) == len(mine)
        assert set(mine) == tried(hand)


def test_large_hands_have_as_many_as_a_plain_count_says():
    """Without the shortcut of simple cards, and by the rules' own list of moves."""
    out = np.empty(MAX_LEGAL, np.int64)

    @cache
    def count(cards: int, least: int) -> int:
        if cards == 0:
            return 1
        lowest = ((cards & -cards).bit_length() - 1) // 4 * 4
        total = 0
        for move in out[: legal_leads(np.int64(cards), out)].tolist():
            played = int(MOVE_CARDS[move])
            if move >= least and played >> lowest & 15:
                rest = cards - played
                total += count(rest, move if rest >> lowest & 15 else 0)
        return total

    luck, graph = random.Random(2), new_graph()
    hands = [packed("".join(luck.sample(DECK, 17 + number % 4))) for number in range(40)]
    hands += [packed("33334444555566667777"), packed("5555666777888999TTTT")]
    for hand in hands:
        assert count_decompositions(np.int64(hand), graph) == count(hand, 0)
        count.cache_clear()


def test_every_decomposition_makes_up_its_hand():
    luck = random.Random(3)
    hands = [packed("".join(luck.sample(DECK, luck.randint(11, 20)))) for _ in range(60)]
    for beat in ("pass", "77"):
        decompositions = found(hands, 100, beat)
        for k, hand in enumerate(hands):
            mine = multisets(decompositions, k)
            assert len(set(mine)) == len(mine) <= 100
            for groups in mine:
                assert sum(int(MOVE_CARDS[move]) for move in groups) == hand
                assert groups.count(PASS) == (beat != "pass")
                assert len(groups) <= MAX_GROUPS


def test_the_longest_decomposition_fits():
    hand = packed("34679TJKA2" * 2)
    assert max(map(len, multisets(found([hand], beat="3"), 0))) == MAX_GROUPS == 21


def test_moves_with_the_lowest_rank_are_the_rules_own():
    luck, out, leads = random.Random(4), np.empty(MAX_LEGAL, np.int64), np.empty(MAX_LEGAL, np.int64)
    for _ in range(1500):
        ranks = RANKS[(low := luck.randrange(9)) : low + luck.randint(3, 6)] + "2BR" * luck.randrange(2)
        cards = [card for card in DECK if card in ranks]
        hand = packed("".join(luck.sample(cards, luck.randint(1, min(20, len(cards))))))
        lowest = ((hand & -hand).bit_length() - 1) // 4 * 4
        legal = leads[: legal_leads(np.int64(hand), leads)].tolist()
        right = [move for move in legal if int(MOVE_CARDS[move]) >> lowest & 15]
        assert sorted(out[: moves_with_lowest(np.int64(hand), out)].tolist()) == right


@pytest.mark.parametrize("cards", ["333444556", "3344BR22", "34567788"])
def test_draws_are_uniform(cards):
    hand = packed(cards)
    kinds = sorted(tried(hand))
    limit, rounds = len(kinds) // 3, 6000
    drawn = found([hand] * rounds, limit)
    times = Counter(groups for k in range(rounds) for groups in multisets(drawn, k))
    assert set(times) == set(kinds)
    assert sum(times.values()) == rounds * limit
    # Distinct ones are drawn, so counts vary less than if each was drawn alone, by this factor.
    statistic = chisquare([times[kind] for kind in kinds]).statistic * (len(kinds) - 1) / (len(kinds) - limit)
    assert abs(statistic - (len(kinds) - 1)) < 5 * (2 * (len(kinds) - 1)) ** 0.5


def test_sets_of_numbers_are_uniform():
    """All three of five: ten sets, each as often."""
    rng, numbers, slots = generators(1, 7), np.empty(3, np.int64), np.empty(8, np.int64)
    times: Counter[tuple[int, ...]] = Counter()
    for _ in range(20_000):
        draw_distinct(5, 3, rng, numbers, slots)
        times[tuple(sorted(numbers.tolist()))] += 1
    assert len(times) == 10
    assert chisquare(list(times.values())).pvalue > 1e-4


@pytest.mark.parametrize("beat", ["pass", "5", "77", "3334", "4444", "BR"])
def test_groups_are_listed_once_and_playable_where_the_rules_say_so(beat):
    luck, out = random.Random(8), np.empty(MAX_LEGAL, np.int64)
    hands = [packed("".join(luck.sample(DECK, luck.randint(1, 20)))) for _ in range(40)]
    decompositions = found(hands, 200, beat)
    for k, hand in enumerate(hands):
        mine = decompositions.between(k, k + 1)
        assert sorted(set(mine.groups.tolist())) == sorted(mine.groups.tolist())
        assert set(mine.rows.tolist()) == set(range(len(mine.groups)))
        if beat == "pass":
            legal = out[: legal_leads(np.int64(hand), out)]
        else:
            legal = out[: legal_follows(np.int64(hand), np.int64(move(beat)), out)]
        assert mine.playable.tolist() == np.isin(mine.groups, legal).tolist()
        assert mine.playable.any()
    assert decompositions.groups[decompositions.rows].tolist() == [
        group for k in range(len(hands)) for groups in decompositions.of(k) for group in groups.tolist()
    ]
    assert decompositions.group_decisions.tolist() == [
        k for k in range(len(hands)) for _ in decompositions.between(k, k + 1).groups
    ]


def test_the_number_of_cores_changes_nothing():
    luck = random.Random(5)
    hands = [packed("".join(luck.sample(DECK, 17))) for _ in range(64)]
    with limited_to(1):
        alone = found(hands, 50, seed=3)
    shared = found(hands, 50, seed=3)
    for mine, theirs in zip(alone, shared, strict=True):
        assert np.array_equal(mine, theirs)


def test_generators_are_advanced_where_some_were_left_out():
    hands, rngs = [packed("33"), packed("33344455566677788899"[:17])], generators(2)
    before = rngs.copy()
    decompose(np.array(hands), np.full(2, PASS), 100, rngs)
    assert rngs[0] == before[0]
    assert rngs[1] != before[1]


def test_a_graph_is_used_again_and_again():
    luck, graph = random.Random(6), new_graph()
    hands = [packed("".join(luck.sample(DECK, luck.randint(1, 20)))) for _ in range(300)]
    for hand in hands:
        assert count_decompositions(np.int64(hand), graph) == count_decompositions(
            np.int64(hand), new_graph()
        )


def test_no_hand_is_no_decision():
    decompositions = found([])
    assert len(decompositions.groups) == 0
    assert decompositions.starts.tolist() == [0]


def test_packed_sets_are_what_the_moves_say():
    assert packed(DECK) == FULL_DECK
    assert int(MOVE_CARDS[read_move("333444TJ")]) == packed("333444TJ")
