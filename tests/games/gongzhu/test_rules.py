"""The rules of RULES.md, by number."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda
from fuda.core.state import NOBODY, OVER
from fuda.games import gongzhu
from fuda.games.gongzhu.cards import RAW, raw_points
from fuda.games.gongzhu.text import card_texts
from fuda.games.tricks.french import CARD_IDS
from fuda.games.tricks.play import seat_of_play

from . import reference
from .reference import DECK, HEARTS, SUITS

ONE_SUIT_EACH = {"hands": [[card for card in DECK if card[0] == suit] for suit in SUITS]}
# Seat 0 has all clubs but C2, and S2; seat 1 has the spades but S2, and C2.
ALMOST = {
    "hands": [
        ["S2", *[f"C{rank}" for rank in reference.RANKS[1:]]],
        ["C2", *[f"S{rank}" for rank in reference.RANKS[1:]]],
        HEARTS,
        [card for card in DECK if card[0] == "D"],
    ]
}


def start(deal, **options):
    return fuda.game("gongzhu", **options).start(seed=0, deal=deal)


def play(match, text):
    for move in text.split():
        match.play(move)
    return match


class TestDeal:
    def test_2_1_thirteen_cards_each(self):
        match = fuda.game("gongzhu").start(seed=3)
        hands = [match.view(seat)["hand"] for seat in range(4)]
        assert [len(hand) for hand in hands] == [13] * 4
        assert sorted(card for hand in hands for card in hand) == sorted(DECK)

    @pytest.mark.parametrize("leader", range(4))
    def test_2_2_the_option_names_the_leader(self, leader):
        match = fuda.game("gongzhu", leader=leader).start(seed=3)
        assert match.seat == leader
        assert match.view(0)["first_leader"] == leader

    def test_2_2_seat_0_by_default(self):
        assert fuda.game("gongzhu").start(seed=3).seat == 0


class TestPlay:
    def test_3_1_any_card_may_be_led(self):
        match = start(ALMOST)
        assert match.legal() == sorted(ALMOST["hands"][0])

    def test_3_2_follow_suit_if_possible(self):
        match = play(start(ALMOST), "C10")
        assert match.seat == 1
        assert match.legal() == ["C2"]
        with pytest.raises(fuda.IllegalMove, match="you must follow clubs"):
            match.play("SQ")

    def test_3_2_any_card_without_the_suit(self):
        match = play(start(ALMOST), "C10 C2")
        assert match.legal() == sorted(HEARTS)
        assert match.view(0)["voids"] == [[], [], [], []]
        play(match, "HA D2")
        assert match.view(0)["voids"] == [[], [], ["C"], ["C"]]

    def test_3_3_the_highest_card_of_the_suit_led_takes_the_trick_and_leads(self):
        match = play(start(ALMOST), "S2 S3 HA DA")
        assert match.seat == 1
        assert match.view(3)["piles"] == [[], ["S2", "S3", "HA", "DA"], [], []]
        assert match.view(3)["tricks"] == [{"leader": 0, "cards": ["S2", "S3", "HA", "DA"], "winner": 1}]

    def test_3_3_the_ace_is_high_and_seat_0_comes_after_seat_3(self):
        hands = [[card for card in DECK if card[0] == suit] for suit in SUITS]
        hands[2][12], hands[3][12] = "CA", "DA"
        match = play(start({"hands": hands, "leader": 3}), "C2 S2 H2 CA")
        assert match.seat == 2

    def test_3_4_over_after_thirteen_tricks(self):
        match = start(ONE_SUIT_EACH)
        for rank in reference.RANKS:
            assert not match.over
            assert match.scores is None
            play(match, " ".join(suit + rank for suit in SUITS))
        assert match.over
        assert match.seat is None
        assert match.legal() == []
        # Seat 0 took everything: all hearts, pig and sheep, doubled.
        assert match.scores == [400, 0, 0, 0]


CASES = {
    "": 0,
    "S2 DA C9": 0,
    "HA": -50,
    "HK": -40,
    "HQ": -30,
    "HJ": -20,
    "H10 H9 H8 H7 H6 H5": -60,
    "H2 H3 H4": 0,
    "SQ": -100,
    "DJ": 100,
    "SQ DJ": 0,
    "SQ DJ HA": -50,
    # 4.2
    " ".join(HEARTS[1:]): -200,
    " ".join(HEARTS): 200,
    " ".join([*HEARTS, "SQ"]): 100,
    " ".join([*HEARTS, "DJ"]): 300,
    # 4.3
    "C10": 50,
    "C10 S2 CA": 50,
    "C10 H2": 0,
    "C10 H2 H3 H4": 0,
    "C10 H5": -20,
    "C10 SQ": -200,
    "C10 DJ": 200,
    "C10 SQ DJ": 0,
    " ".join([*HEARTS, "C10"]): 400,
    " ".join([*HEARTS, "C10", "SQ"]): 200,
    " ".join([*HEARTS, "C10", "SQ", "DJ"]): 400,
    " ".join([*HEARTS[1:], "C10"]): -400,
}


class TestPoints:
    @pytest.mark.parametrize(
        ("cards", "points"), CASES.items(), ids=lambda value: str(value)[:20] or "nothing"
    )
    def test_4_1_to_4_3(self, cards, points):
        assert gongzhu.points(cards.split()) == points
        assert reference.points(cards.split()) == points

    @given(st.sets(st.sampled_from([*HEARTS, "SQ", "DJ", "C10", "S2", "CA", "DQ"])))
    def test_4_against_the_reference(self, cards):
        assert gongzhu.points(cards) == reference.points(cards)

    @given(st.sets(st.sampled_from(DECK)))
    def test_sets_and_single_cards_agree(self, cards):
        assert raw_points(np.int64(reference.bits(cards))) == sum(RAW[CARD_IDS[card]] for card in cards)
        assert raw_points(np.int64(reference.bits(cards))) == reference.raw(cards)

    def test_4_4_own_team_minus_other_team(self):
        scores = np.array([[1, 20, 300, 4000], [0, 0, 0, 50]])
        assert gongzhu.SPEC.margin(scores, [True, False, True, False]).tolist() == [301 - 4020, -50]
        assert gongzhu.SPEC.margin(scores, [False, True, False, True]).tolist() == [4020 - 301, 50]


@settings(deadline=None, max_examples=40)
@given(st.permutations(DECK), st.integers(0, 3), st.data())
def test_whole_matches_against_the_reference(deck, leader, data):
    hands = [deck[13 * seat : 13 * seat + 13] for seat in range(4)]
    match = start({"hands": hands, "leader": leader})
    table = reference.Table(hands, leader)
    while not match.over:
        legal = match.legal()
        assert match.seat == table.seat
        assert legal == sorted(table.legal())
        move = legal[data.draw(st.integers(0, len(legal) - 1))]
        match.play(move)
        table.play(move)
        view = match.view(0)
        assert [set(pile) for pile in view["piles"]] == [set(pile) for pile in table.piles]
        assert [set(suits) for suits in view["voids"]] == table.voids
        assert view["hand"] == sorted(table.hands[0], key=DECK.index)
        assert view["hand_sizes"] == [len(hand) for hand in table.hands]
        assert [card for _, card in view["table"]] == table.trick
        assert view["points"] == [reference.points(pile) for pile in table.piles]
    assert match.scores == [reference.points(pile) for pile in table.piles]


def random_match(seed):
    """The states of a match of random moves, before each move and at the end."""
    rules = gongzhu.SPEC.rules
    rng = np.random.default_rng(seed)
    state = gongzhu.SPEC.new_states(1)
    luck = np.array([seed + 1], np.uint64)
    rules.start(state[0], fuda.game("gongzhu", leader=seed % 4).option_codes, luck)
    assert rules.deal(state[0], rng.permutation(52).astype(np.int8))
    out = np.empty(13, np.int64)
    states = [state.copy()]
    while state[0].status != OVER:
        rules.step(state[0], int(rng.choice(out[: rules.legal(state[0], out)])))
        states.append(state.copy())
    return states


class TestRecord:
    def test_the_record_has_no_padding(self):
        state = gongzhu.SPEC.rules.STATE
        assert sum(state[name].itemsize for name in state.names) == state.itemsize

    def test_cards_are_conserved(self):
        for state in random_match(1):
            count = np.zeros(52, np.int64)
            gongzhu.SPEC.rules.count_cards(state[0], count)
            assert (count == 1).all()

    def test_5_1_a_view_has_no_other_hand_and_the_same_legal_cards(self):
        rules = gongzhu.SPEC.rules
        full, seen = np.empty(13, np.int64), np.empty(13, np.int64)
        for state in random_match(2)[:-1]:
            for seat in range(4):
                view = reference.view_of(state, seat)
                assert view[0].hand[seat] == state[0].hand[seat]
                assert not any(view[0].hand[other] for other in range(4) if other != seat)
                assert reference.view_of(view, seat).tobytes() == view.tobytes()
            mover = int(state[0].seat)
            view = reference.view_of(state, mover)
            count = rules.legal(state[0], full)
            assert rules.legal(view[0], seen) == count
            assert full[:count].tolist() == seen[:count].tolist() == sorted(full[:count])

    def test_the_history_says_who_played_what(self):
        states = random_match(3)
        last = states[-1][0]
        assert last.seat == NOBODY
        for number, state in enumerate(states[:-1]):
            assert seat_of_play(last, number) == state[0].seat
            card = int(last.plays[number])
            assert int(state[0].hand[state[0].seat]) >> card & 1
        assert sorted(last.plays) == list(range(52))
        assert last.leaders[13] in range(4)

    def test_a_record_used_again_has_the_bytes_of_a_new_one(self):
        rules = gongzhu.SPEC.rules
        used = random_match(4)[-1]
        new = gongzhu.SPEC.new_states(1)
        for state in (used, new):
            rules.start(state[0], fuda.game("gongzhu", leader=2).option_codes, np.array([1], np.uint64))
            rules.deal(state[0], np.arange(52, dtype=np.int8))
        assert used.tobytes() == new.tobytes()
        assert card_texts(new[0].hand[1]) == HEARTS
