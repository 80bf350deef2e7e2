"""Gongzhu once more, slow and plain, on lists of texts: what the compiled game is checked against."""

import itertools
from fractions import Fraction

from fuda.core.state import PLAYING
from fuda.games import gongzhu
from fuda.games.gongzhu.text import card_texts
from fuda.games.tricks.french import CARD_IDS

SUITS = "SHDC"
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
DECK = [suit + rank for suit in SUITS for rank in RANKS]
HEARTS = [card for card in DECK if card[0] == "H"]
RAW = {"HA": -50, "HK": -40, "HQ": -30, "HJ": -20, "SQ": -100, "DJ": 100}
RAW |= {f"H{rank}": -10 for rank in range(5, 11)}


def raw(cards):
    return sum(RAW.get(card, 0) for card in cards)


def points(cards):
    """RULES 4."""
    total = raw(cards)
    if all(heart in cards for heart in HEARTS):
        total += 400
    if "C10" not in cards:
        return total
    others = [card for card in cards if card[0] == "H" or card in ("SQ", "DJ")]
    return 2 * total if others else 50


def follow(hand, led):
    """The cards that may be played when `led` (or None) was led."""
    same = [card for card in hand if led is not None and card[0] == led[0]]
    return same or list(hand)


def winner(trick):
    """The place in the trick of the card that takes it."""
    same = [card for card in trick if card[0] == trick[0][0]]
    return trick.index(max(same, key=lambda card: RANKS.index(card[1:])))


class Table:
    """A match: hands, piles and the trick on the table."""

    def __init__(self, hands, leader):
        self.hands = [list(hand) for hand in hands]
        self.piles = [[], [], [], []]
        self.voids = [set(), set(), set(), set()]
        self.trick = []
        self.leader = self.seat = leader

    def legal(self):
        return follow(self.hands[self.seat], self.trick[0] if self.trick else None)

    def play(self, card):
        self.hands[self.seat].remove(card)
        if self.trick and card[0] != self.trick[0][0]:
            self.voids[self.seat].add(self.trick[0][0])
        self.trick.append(card)
        self.seat = (self.seat + 1) % 4
        if len(self.trick) == 4:
            self.seat = self.leader = (self.leader + winner(self.trick)) % 4
            self.piles[self.seat] += self.trick
            self.trick = []


def deals(unseen, sizes, voids):
    """All ways to give the unseen cards to hands of these sizes that are void in these suits."""
    if not sizes:
        yield ()
        return
    able = [card for card in unseen if card[0] not in voids[0]]
    for hand in itertools.combinations(able, sizes[0]):
        rest = [card for card in unseen if card not in hand]
        for hands in deals(rest, sizes[1:], voids[1:]):
            yield (frozenset(hand), *hands)


# ---- Mr. Greed ----

RELIEF = dict(zip(RANKS, [0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11], strict=True))


class Greed:
    """Its values in points, from piles, the trick so far and a full set of hands."""

    def __init__(self, piles):
        self.piles = piles
        self.to_come = (-200 - sum(raw(pile) for pile in piles)) // 4

    def relief(self, card, seat, hand, trick):
        seen = [*itertools.chain(*self.piles), *trick, *hand]
        value = Fraction(0 if card in ("HJ", "HQ", "HK", "HA") else RELIEF[card[1:]])
        if "SQ" not in seen:
            value += {"SA": 50, "SK": 30}.get(card, 0)
        if "DJ" not in seen:
            value += {"DA": -30, "DK": -20, "DQ": -10}.get(card, 0)
        if "C10" not in seen:
            tenths = {"CA": -4, "CK": -3, "CQ": -2, "CJ": -1}.get(card, 0)
            value += Fraction(tenths, 10) * (self.to_come + raw(self.piles[seat]))
        return value

    def trick_value(self, trick, leader, team):
        taker = (leader + winner(trick)) % 4
        value = raw(trick)
        if "C10" in trick:
            value = 2 * value + raw(self.piles[taker]) + self.to_come
        elif "C10" in self.piles[taker]:
            value = 2 * value
        return value if taker % 2 == team else -value

    def scores(self, hands, trick, leader):
        """(card, trick value for the mover's team, with relief) of each card that may be played."""
        seat = (leader + len(trick)) % 4
        found = []
        for card in follow(hands[seat], trick[0] if trick else None):
            value = self.value([*trick, card], leader, hands, seat % 2)
            found.append((card, value, value + self.relief(card, seat, hands[seat], trick)))
        return found

    def value(self, trick, leader, hands, team):
        """The trick's value for a team when the players to come answer best for themselves."""
        if len(trick) == 4:
            return self.trick_value(trick, leader, team)
        found = self.scores(hands, trick, leader)
        _, value, _ = max(found, key=lambda entry: entry[2])
        return value if (leader + len(trick)) % 2 == team else -value

    def totals(self, all_hands, trick, leader, first_tricks=False):
        """The value of each card summed over deals."""
        seat = (leader + len(trick)) % 4
        totals = {}
        for hands in all_hands:
            for card, _, score in self.scores(hands, trick, leader):
                totals[card] = totals.get(card, 0) + score
                if first_tricks and not trick:
                    lengths = [sum(other[0] == card[0] for other in hand) for hand in hands]
                    others = Fraction(sum(lengths) - lengths[seat], 3)
                    totals[card] += 30 * (others - lengths[seat])
        return totals


# ---- positions ----


def bits(texts):
    cards = texts.split() if isinstance(texts, str) else texts
    return sum(1 << CARD_IDS[card] for card in cards)


def position(hands, table="", leader=0, piles=("", "", "", ""), voids=("", "", "", "")):
    """A state, [1]: hands, the trick on the table and piles as texts; what is left over is in no pile.

    It need not be reachable: the order of the finished tricks is invented.
    """
    record = gongzhu.SPEC.new_states(1)
    state = record[0]
    trick = table.split()
    state.hand[:] = [bits(hand) for hand in hands]
    state.pile[:] = [bits(pile) for pile in piles]
    state.voids[:] = [sum(1 << SUITS.index(suit) for suit in suits) for suits in voids]
    seat = (leader + len(trick)) % 4
    num_tricks = 13 - int(state.hand[seat]).bit_count()
    state.plays[:] = -1
    shown = set(trick) | {card for hand in hands for card in card_texts(bits(hand))}
    finished = [card for card in DECK if card not in shown][: 4 * num_tricks]
    order = finished + trick
    state.plays[: len(order)] = [CARD_IDS[card] for card in order]
    state.leaders[:] = -1
    state.leaders[: num_tricks + 1] = leader
    state.num_plays = 4 * num_tricks + len(trick)
    state.seat = seat
    state.status = PLAYING
    return record


def view_of(state, seat):
    view = state.copy()
    gongzhu.SPEC.rules.hide(view[0], seat)
    return view
