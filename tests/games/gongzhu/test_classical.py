"""Mr. If, rule by rule; Mr. Greed against a slow plain version of itself."""

import itertools
import random

import numpy as np
import pytest

import fuda
from fuda.core.generator import streams
from fuda.games import gongzhu
from fuda.games.gongzhu import classical
from fuda.games.tricks.french import CARD_TEXTS

from . import reference
from .reference import DECK, SUITS, position, view_of

RULES = gongzhu.SPEC.rules
NOTHING_SHOWN = np.int64(0)


def chosen_by_if(hand, table="", tries=1):
    """The cards that Mr. If, in seat 3, plays to a table."""
    leader = (3 - len(table.split())) % 4
    view = view_of(position(["", "", "", hand], table, leader), 3)
    rng = streams(1, 1, 0, 1)
    return {CARD_TEXTS[classical.choose_if(view[0], 3, rng)] for _ in range(tries)}


class TestIf:
    @pytest.mark.parametrize(
        ("hand", "card"),
        [
            ("S2 S3 H2 H3 H4 D2 D3 D4 C2 C3 C4", "S3"),  # the shortest safe suit, its highest card
            ("S2 S3 H4 D2 D3 C2 C3", "H4"),
            ("S2 S5 H4 H6 D2 D3 C2 C3", "S5"),  # ties: S, H, D, C
            ("H4 H6 D2 D3 C2 C3", "H6"),
            ("D2 D3 C2 C3", "D3"),
            ("SQ H4 H5", "H5"),  # spades are not safe with SQ, SK or SA
            ("SK H4 H5", "H5"),
            ("SA H4 H5", "H5"),
            ("SJ H4 H5", "SJ"),
            ("HQ D4 D5", "D5"),  # hearts with HQ, HK or HA
            ("HK D4 D5", "D5"),
            ("HA D4 D5", "D5"),
            ("HJ D4 D5", "HJ"),
            ("C10 D4 D5", "D5"),  # clubs with C10 or higher
            ("CJ D4 D5", "D5"),
            ("CQ D4 D5", "D5"),
            ("CK D4 D5", "D5"),
            ("CA D4 D5", "D5"),
            ("C9 D4 D5", "C9"),
            ("DJ S4 S5", "S5"),  # diamonds with DJ
            ("DQ S4 S5", "DQ"),
            ("DA S4 S5", "DA"),
        ],
    )
    def test_leads_a_safe_suit(self, hand, card):
        assert chosen_by_if(hand) == {card}

    def test_without_a_safe_suit_draws_up_to_five_times_for_a_harmless_card(self):
        assert chosen_by_if("SA S2", tries=3000) == {"SA", "S2"}
        rng = streams(2, 1, 0, 1)
        view = view_of(position(["SA S2", "", "", ""]), 0)
        bad = sum(CARD_TEXTS[classical.choose_if(view[0], 0, rng)] == "SA" for _ in range(6400))
        assert 55 < bad < 150  # six bad draws in a row: 100 expected
        assert chosen_by_if("SQ SK SA HA HK C10 CJ CQ CK CA DJ", tries=400) == {
            "SQ", "SK", "SA", "HA", "HK", "C10", "CJ", "CQ", "CK", "CA", "DJ",
        }  # fmt: skip

    def test_void_discards_by_a_list(self):
        order = "SQ HA SA SK HK C10 CA HQ HJ CK CQ CJ H10 H9 H8 H7 H6 H5"
        cards = order.split()
        for place, card in enumerate(cards):
            assert chosen_by_if(" ".join([*cards[place:][:10], "S2"]), "D2") == {card}

    @pytest.mark.parametrize(
        ("hand", "card"),
        [
            ("S2 S3 H4 H3 H2 C9", "C9"),
            ("S2 SJ C9 C2", "SJ"),  # ties: S, H, D, C
            ("H2 H4 C9 C2", "H4"),
            ("S2 S3 SJ C9 C2 H2 H3 H4", "C9"),
        ],
    )
    def test_void_else_the_highest_of_the_shortest_suit(self, hand, card):
        assert chosen_by_if(hand, "D2") == {card}

    def test_void_keeps_the_sheep_no_longer_than_its_suit(self):
        assert chosen_by_if("DJ S2 S3", "C2") == {"DJ"}

    @pytest.mark.parametrize("card", ["SQ", "SA", "S2"])
    def test_plays_its_only_card_of_the_suit(self, card):
        assert chosen_by_if(f"{card} HA CA", "SK S3") == {card}

    @pytest.mark.parametrize(
        ("hand", "table", "card"),
        [
            ("SQ S2", "SK", "SQ"),  # the pig goes under king or ace
            ("SQ S2 SA", "S3 SA S4", "SQ"),
            ("SQ S2 SK SA", "S3 S5 S4", "SA"),  # last and no pig: the highest but the pig
            ("SQ S2", "S3 S5 SJ", "S2"),
            ("S2 SK SA", "S3 SQ S4", "S2"),  # last, but the pig is there: below it
            ("S2 SJ SA", "S3", "SJ"),  # below the pig
            ("S2 SJ SQ", "S3", "SJ"),
            ("S2 SJ SK", "SA", "SK"),  # below the ace
            ("S2 SJ SA", "SK", "SJ"),  # below the king
            ("S2 SK", "SK SA", "SK"),
            ("SK SA", "S3", "SA"),  # nothing below
            ("SQ SK", "S3 S4", "SK"),
            ("SK SA", "SQ S3 S4", "SA"),
            ("SQ S2", "SJ HA", "S2"),
        ],
    )
    def test_spades(self, hand, table, card):
        assert chosen_by_if(hand, table) == {card}

    @pytest.mark.parametrize(
        ("hand", "table", "card"),
        [
            ("C10 C2", "CJ", "C10"),
            ("C10 C2 CA", "C3 CK C4", "C10"),
            ("C10 C2 CK CA", "C3 C5 C4", "CA"),
            ("C10 C2", "C3 C5 C9", "C2"),
            ("C2 CK CA", "C3 C10 C4", "C2"),
            ("C2 C9 CA", "C3", "C9"),
            ("C2 CQ CK", "CA", "CK"),
            ("C2 CQ CK CA", "CK", "CQ"),
            ("C2 CJ CK", "CQ C3", "CJ"),
            ("C2 CQ", "CJ C3", "C2"),
            ("CK CA", "C3", "CA"),
            ("C10 CJ", "C3 C4", "CJ"),
        ],
    )
    def test_clubs(self, hand, table, card):
        assert chosen_by_if(hand, table) == {card}

    @pytest.mark.parametrize(
        ("hand", "table", "card"),
        [
            ("DJ D2 DA", "D3 D4 D10", "DJ"),  # last and safe
            ("DJ D2 DA", "D3 DQ D10", "DA"),
            ("DJ D2", "D3 DK D10", "D2"),
            ("DJ D2", "D3 DA D10", "D2"),
            ("DJ D2", "D3 D4", "D2"),  # not last
            ("DA D2", "D3", "DA"),
        ],
    )
    def test_diamonds(self, hand, table, card):
        assert chosen_by_if(hand, table) == {card}

    @pytest.mark.parametrize(
        ("hand", "table", "card"),
        [
            ("H2 H9 HQ", "HJ", "H9"),
            ("H2 H9 HQ", "H3 HK DA", "HQ"),
            ("H2 H9 HQ", "H3 DA CA", "H2"),
        ],
    )
    def test_hearts_below_the_highest_on_the_table(self, hand, table, card):
        assert chosen_by_if(hand, table) == {card}

    def test_hearts_at_random_if_none_is_below(self):
        assert chosen_by_if("H9 HQ HA", "H3 DA", tries=200) == {"H9", "HQ", "HA"}


# ---- Mr. Greed ----


def random_ending(rng, hand_size, num_on_table):
    """A made-up position: hands, piles and the trick on the table, as texts; (.., leader)."""
    cards = list(DECK)
    rng.shuffle(cards)
    leader = rng.randrange(4)
    hands = [[cards.pop() for _ in range(hand_size)] for _ in range(4)]
    trick = []
    for place in range(num_on_table):
        hand = hands[(leader + place) % 4]
        trick.append(hand.pop(rng.randrange(len(hand))))
    piles = [[] for _ in range(4)]
    while cards:
        piles[rng.randrange(4)] += [cards.pop() for _ in range(4)]
    return hands, piles, trick, leader


def weigh(view, seat):
    """Mr. Greed's totals in points, and over how many deals."""
    totals = np.zeros(RULES.MAX_LEGAL, np.int64)
    moves = np.empty(RULES.MAX_LEGAL, np.int64)
    count = RULES.legal(view[0], moves)
    num_deals = classical.weigh_cards(view[0], seat, streams(3, 1, 0, 1), totals)
    return {CARD_TEXTS[moves[index]]: totals[index] / 10 for index in range(count)}, num_deals


def every_deal(hands, seat):
    """All sets of hands that the seat thinks possible; the voids are unknown here."""
    others = [(seat + place) % 4 for place in range(1, 4)]
    unseen = [card for other in others for card in hands[other]]
    for deal in reference.deals(unseen, [len(hands[other]) for other in others], ["", "", ""]):
        full = [list(hand) for hand in hands]
        for other, hand in zip(others, deal, strict=True):
            full[other] = sorted(hand, key=DECK.index)  # its answers are tried in this order
        yield full


def expect(hands, piles, trick, leader, seat):
    return reference.Greed(piles).totals(every_deal(hands, seat), trick, leader)


class TestGreed:
    @pytest.mark.parametrize("card", DECK)
    def test_relief(self, card):
        rng = random.Random(card)
        for _ in range(20):
            cards = [other for other in DECK if other != card]
            rng.shuffle(cards)
            hand = [card, *cards[:6]]
            trick = cards[6:8]
            cut = rng.randrange(8, 52)
            piles = [cards[8:cut], cards[cut:cut], cards[cut : cut + 6], []]
            greed = reference.Greed(piles)
            unseen = [other for other in cards if other not in itertools.chain(hand, trick, *piles)]
            stake = greed.to_come + reference.raw(piles[0])
            found = classical.relief(DECK.index(card), np.int64(reference.bits(unseen)), stake, NOTHING_SHOWN)
            assert found / 10 == float(greed.relief(card, 0, hand, trick))

    def test_relief_in_words(self):
        nothing, everything = np.int64(0), np.int64((1 << 52) - 1)

        def relief(card, unseen, stake=-50):
            return classical.relief(DECK.index(card), unseen, stake, NOTHING_SHOWN) / 10

        assert [relief(f"S{rank}", nothing) for rank in reference.RANKS] == [
            0,
            0,
            1,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            9,
            11,
        ]
        assert [relief(f"H{rank}", nothing) for rank in reference.RANKS] == [
            0,
            0,
            1,
            1,
            2,
            3,
            4,
            5,
            6,
            0,
            0,
            0,
            0,
        ]
        assert [relief(card, everything) for card in ("SA", "SK", "SQ")] == [61, 39, 8]
        assert [relief(card, everything) for card in ("DA", "DK", "DQ", "DJ")] == [-19, -11, -2, 7]
        assert [relief(card, everything) for card in ("CA", "CK", "CQ", "CJ")] == [31, 24, 18, 12]

    @pytest.mark.parametrize(
        ("table", "winner", "piles", "value"),
        [
            ("S2 S3 S4 S5", 0, ("", "", "", ""), 0),
            ("SQ S3 HA SA", 0, ("", "", "", ""), -150),
            ("SQ S3 HA SA", 1, ("", "", "", ""), 150),
            ("SQ S3 HA SA", 2, ("", "", "C10", ""), -300),
            ("SQ S3 HA SA", 0, ("", "", "C10", ""), -150),
            ("C10 CJ HA C2", 0, ("DJ", "", "", ""), -100 + 100 - 75),
            ("C10 CJ HA C2", 1, ("DJ", "", "", "SQ"), 100 + 50),
            ("C10 CJ C3 C2", 2, ("", "HA", "", ""), -38),  # -150 to come, a fourth each, rounded down
        ],
    )
    def test_trick_values(self, table, winner, piles, value):
        """For team 0; the transformer in the trick doubles what the winner has and is to get."""
        known = np.empty(classical.NUM_KNOWN, np.int64)
        classical.look(position([""] * 4, piles=piles)[0], known)
        worth = reference.raw(table.split())
        found = classical.trick_value(winner, np.int64(reference.bits(table)), worth, known)
        assert found / 10 == value

    @pytest.mark.parametrize("num_on_table", range(4))
    def test_the_trick_is_searched_like_the_reference_does(self, num_on_table):
        rng = random.Random(num_on_table)
        for hand_size in (2, 3, 4, 6):
            for _ in range(8):
                hands, piles, trick, leader = random_ending(rng, hand_size, num_on_table)
                seat = (leader + num_on_table) % 4
                state = position(hands, " ".join(trick), leader, piles)
                known = np.empty(classical.NUM_KNOWN, np.int64)
                classical.look(state[0], known)
                totals = np.zeros(RULES.MAX_LEGAL, np.int64)
                classical._weigh_in_deal(state[0], seat, known, state[0].hand.copy(), totals)
                ordered = [sorted(hand, key=DECK.index) for hand in hands]
                wanted = reference.Greed(piles).scores(ordered, trick, leader)
                assert [total / 10 for total in totals[: len(wanted)]] == [
                    float(score) for _, _, score in wanted
                ]

    @pytest.mark.parametrize("num_on_table", range(4))
    def test_few_deals_are_all_tried(self, num_on_table):
        rng = random.Random(10 + num_on_table)
        for hand_size in ((1,), (2,), (2,), (2, 3))[num_on_table]:
            for _ in range(10):
                hands, piles, trick, leader = random_ending(rng, hand_size, num_on_table)
                seat = (leader + num_on_table) % 4
                view = view_of(position(hands, " ".join(trick), leader, piles), seat)
                found, num_deals = weigh(view, seat)
                wanted = expect(hands, piles, trick, leader, seat)
                every = sum(1 for _ in every_deal(hands, seat))
                share = 1 if num_on_table < 3 else every  # the last player needs no hidden hands
                assert num_deals * share == every
                assert found == {card: float(total) / share for card, total in wanted.items()}

    def test_many_deals_are_sampled(self):
        view = view_of(position([DECK[seat::4] for seat in range(4)]), 0)
        assert weigh(view, 0)[1] == classical.NUM_SAMPLES == 20

    @pytest.mark.parametrize(("size", "tried"), [(3, 10), (4, 35), (5, 20)])
    def test_up_to_forty_deals_are_all_tried(self, size, tried):
        """Seat 2 can hold hearts alone, seats 1 and 3 spades alone: 10, 35 and 126 deals."""
        spades, hearts, diamonds = ([suit + rank for rank in reference.RANKS] for suit in "SHD")
        hands = [diamonds[:size], spades[:size], hearts[:size], spades[size:][: size - 1]]
        gone = [card for card in DECK if card not in [*itertools.chain(*hands), "DA"]]
        state = position(hands, "DA", leader=3, piles=(gone, "", "", ""), voids=("", "HDC", "SDC", "HDC"))
        assert weigh(view_of(state, 0), 0)[1] == tried

    @pytest.mark.parametrize(("num_tricks", "early"), [(0, True), (1, True), (2, True), (3, False)])
    def test_short_suits_are_led_in_the_first_three_tricks(self, num_tricks, early):
        """The others can hold one suit each, so that there is one deal."""
        own = [[card for card in DECK if card[0] == suit] for suit in SUITS]
        others = [suit[num_tricks:] for suit in own[:3]]
        rest = [card for card in DECK if card not in itertools.chain(*others)]
        mine = rest[num_tricks:][: 13 - num_tricks]
        gone = [card for card in rest if card not in mine]
        hands = [mine, *others]
        state = position(hands, piles=(gone, "", "", ""), voids=("", "HDC", "SDC", "SHC"))
        found, num_deals = weigh(view_of(state, 0), 0)
        wanted = reference.Greed([gone, [], [], []]).totals([hands], [], 0, first_tricks=early)
        assert num_deals == 1
        assert found == {card: float(total) for card, total in wanted.items()}

    def test_ties_are_broken_at_random(self):
        """S2 and S3 are equal under the ace; so are H2 and H3."""
        view = view_of(position(["", "", "", "S2 S3"], "S5 SA S9", 0), 3)
        rng = streams(4, 1, 0, 1)
        cards = [CARD_TEXTS[classical.choose_greed(view[0], 3, rng)] for _ in range(200)]
        assert 70 < cards.count("S2") < 130
        assert set(cards) == {"S2", "S3"}

    def test_gives_the_pig_to_the_other_team_and_the_sheep_to_its_own(self):
        rng = streams(4, 1, 0, 1)
        mine = view_of(position(["", "", "", "SQ DJ"], "C2 CA C3", 0), 3)  # the partner takes it
        theirs = view_of(position(["", "", "", "SQ DJ"], "C2 C3 CA", 0), 3)
        assert CARD_TEXTS[classical.choose_greed(mine[0], 3, rng)] == "DJ"
        assert CARD_TEXTS[classical.choose_greed(theirs[0], 3, rng)] == "SQ"


@pytest.mark.parametrize(
    ("first", "second", "points", "within"),
    [("if", "random", 189, 12), ("greed", "random", 267, 15), ("greed", "if", 79, 12)],
)
def test_strength_is_as_published(first, second, points, within):
    """1024 deals in both seatings; both figures have a standard error of about 5 to 7."""
    result = fuda.duel("gongzhu", f"gongzhu/{first}", f"gongzhu/{second}", games=2048, seed=7)
    assert result.games == 2048
    assert abs(result.mean_diff - points) < within


def test_players_are_listed():
    names = {"gongzhu/greed", "gongzhu/if", "gongzhu/random"}
    assert names <= set(fuda.list_agents("gongzhu"))
    match = fuda.game("gongzhu").start(seed=1)
    while not match.over:
        for name in names:
            assert fuda.agent(name, seed=2).choose(match) in match.legal()
        match.play(match.legal()[0])
