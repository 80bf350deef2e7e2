"""A game of a shorter deck, 9 to ace with six cards each: what `tricks/` shares, against plain accounts."""

import random

import numpy as np
import pytest

from fuda.core.compile import compiled
from fuda.core.state import state_dtype
from fuda.games.tricks.deals import count_deals
from fuda.games.tricks.french import CARD_IDS, CARD_TEXTS, CARDS, SUIT_LETTERS, card_set
from fuda.games.tricks.play import (
    CARD_SETS,
    NUM_SEATS,
    PLAYS,
    count_cards,
    deal_hands,
    hand_size,
    hide_hands,
    list_cards,
    play_card,
    playable,
    sort_unseen,
    take_trick,
)
from fuda.games.tricks.text import read_hands, tricks

NUM_EACH = 6
TEXTS = [suit + rank for suit in SUIT_LETTERS for rank in ["9", "10", "J", "Q", "K", "A"]]
DECK = [CARD_IDS[text] for text in TEXTS]
STATE = state_dtype([*CARD_SETS, *PLAYS, ("seat", np.int8), ("status", np.int8)])


@compiled
def deal(state, deck):
    """The cards, and seat 0 leads."""
    deal_hands(state, deck)
    state.leaders[0] = 0
    state.seat = 0


@compiled
def play(state, card):
    """A card, and who is to move then."""
    play_card(state, card)
    state.seat = (state.seat + 1) & 3 if state.num_plays & 3 else take_trick(state)


@pytest.mark.parametrize("seed", range(3))
def test_from_the_deal_to_the_last_trick(seed):
    luck = random.Random(seed)
    deck = luck.sample(DECK, len(DECK))
    states = np.zeros(1, STATE).view(np.recarray)
    state = states[0]
    deal(state, np.array(deck, np.int8))
    hands = [set(deck[NUM_EACH * seat :][:NUM_EACH]) for seat in range(NUM_SEATS)]
    for _ in range(len(deck)):
        check(states, hands)
        moves = np.zeros(NUM_EACH, np.int64)
        card = int(luck.choice(moves[: list_cards(playable(state), moves)]))
        hands[state.seat].remove(card)
        play(state, card)
    check(states, hands)
    assert hands == [set()] * NUM_SEATS
    assert sorted(card for trick in tricks(state) for card in trick["cards"]) == sorted(TEXTS)


def check(states, hands):
    """The cards of a position are those of the deck; a view tells the hands' sizes and who may hold what."""
    state = states[0]
    counts = np.zeros(len(CARD_TEXTS), np.int64)
    count_cards(state, counts)
    assert np.flatnonzero(counts).tolist() == DECK
    assert [set(map(CARDS.read, CARDS.of_set(hand))) for hand in state.hand] == hands
    for seat in range(NUM_SEATS):
        view = states.copy()
        hide_hands(view[0], seat)
        others = [(seat + 1 + other) % NUM_SEATS for other in range(NUM_SEATS - 1)]
        assert [hand_size(view[0], other, NUM_EACH) for other in others] == [len(hands[k]) for k in others]
        pools, sizes = np.empty(8, np.int64), np.empty(3, np.int64)
        sort_unseen(view[0], seat, card_set(" ".join(TEXTS)), pools, sizes)
        assert sizes.tolist() == [len(hands[other]) for other in others]
        for holders, pool in enumerate(pools):
            for card in map(CARDS.read, CARDS.of_set(pool)):
                suit = SUIT_LETTERS.index(CARD_TEXTS[card][0])
                may_hold = [not state.voids[other] >> suit & 1 for other in others]
                assert holders == sum(may << place for place, may in enumerate(may_hold))
        unseen = [card for pool in pools for card in CARDS.of_set(pool)]
        assert sorted(map(CARDS.read, unseen)) == sorted(card for other in others for card in hands[other])
        assert count_deals(pools, sizes) >= 1


def test_explicit_hands():
    hands = [TEXTS[NUM_EACH * seat :][:NUM_EACH] for seat in range(NUM_SEATS)]
    assert read_hands(hands, DECK) == DECK
    with pytest.raises(ValueError, match="hands are 4 lists of 6 cards, not 3"):
        read_hands(3, DECK)
    with pytest.raises(ValueError, match="the hand of seat 1 is a list of 6 cards"):
        read_hands([hands[0], hands[1][1:], *hands[2:]], DECK)
    with pytest.raises(ValueError, match="the deck has no S2"):
        read_hands([["S2", *hands[0][1:]], *hands[1:]], DECK)
    with pytest.raises(ValueError, match="card S9 is dealt twice"):
        read_hands([hands[0], ["S9", *hands[1][1:]], *hands[2:]], DECK)
    with pytest.raises(ValueError, match="a card is text such as SQ or C10: a suit of S, H, D, C and a rank"):
        read_hands([["S1", *hands[0][1:]], *hands[1:]], DECK)
