"""Cards shown before play: RULES.md, section 8, by number."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.games import gongzhu
from fuda.games.gongzhu import classical, rules
from fuda.games.tricks.french import CARD_IDS, CARD_TEXTS

from . import reference
from .reference import DECK, HEARTS

GAME = fuda.game("gongzhu", showing="on")
KEYS = ("SQ", "HA", "DJ", "C10")
ALL = " ".join(HEARTS)

# Seat 0 leads. Each seat holds one of the four cards, seat 2's alone in its suit.
HANDS = [
    "S2 S3 SQ H2 H3 H4 D2 D3 D4 C2 C3 C4 C5",
    "S4 S5 S6 H5 H6 HA D5 D6 D7 D8 C6 C7 C8",
    "S7 S8 S9 S10 SJ SK SA H7 H8 H9 H10 HJ C10",
    "HQ HK DJ D9 D10 DQ DK DA C9 CJ CQ CK CA",
]


def start(hands=HANDS, **options):
    deal = {"hands": [hand.split() for hand in hands]}
    return fuda.game("gongzhu", showing="on", **options).start(seed=0, deal=deal)


def play(match, text):
    for move in text.split():
        match.play(move)
    return match


def shown(*cards):
    """The position in which exactly these cards were shown and seat 0 leads."""
    match = start()
    for hand in HANDS:
        play(match, " ".join([*(f"show{card}" for card in cards if card in hand.split()), "noshow"]))
    return match


class TestBeforePlay:
    def test_8_1_each_seat_is_asked_the_first_leader_first(self):
        match = start(leader=2)
        asked = []
        while match.view(0)["phase"] == "show":
            asked.append((match.seat, match.legal()))
            match.play("noshow")
        assert asked == [
            (2, ["noshow", "showC10"]),
            (3, ["noshow", "showDJ"]),
            (0, ["noshow", "showSQ"]),
            (1, ["noshow", "showHA"]),
        ]
        assert (match.seat, match.view(0)["phase"], match.view(0)["trick"]) == (2, "play", 1)

    def test_8_1_several_cards_one_after_the_other_in_any_order(self):
        rest = [card for card in DECK if card not in ("SQ", "DJ")]
        first = [*rest[:11], "SQ", "DJ"]
        match = start([" ".join(hand) for hand in (first, rest[11:24], rest[24:37], rest[37:])])
        held = sorted(f"show{card}" for card in KEYS if card in match.view(0)["hand"])
        assert match.legal() == ["noshow", *held]
        play(match, "showSQ showDJ")
        assert match.seat == 0
        assert match.view(1)["shown"][0] == ["SQ", "DJ"]
        play(match, "noshow")
        assert match.seat == 1

    def test_8_1_seats_with_nothing_to_show_say_so_too(self):
        hands = [[card for card in DECK if card[0] == suit] for suit in "SHDC"]
        hands[0], hands[1] = [*hands[0][:10], *hands[1][10:]], [*hands[1][:10], *hands[0][10:]]
        match = start([" ".join(hand) for hand in hands])
        assert match.legal() == ["noshow", "showHA"]
        match.play("noshow")
        assert match.legal() == ["noshow", "showSQ"]

    def test_off_by_default_and_then_unseen(self):
        match = fuda.game("gongzhu").start(seed=3)
        assert match.record()["options"] == match.view(0)["options"] == {"leader": 0}
        assert "shown" not in match.view(0)
        assert match.view(0)["phase"] == "play"
        with pytest.raises(fuda.IllegalMove, match="cards are shown before play"):
            match.play("noshow")

    def test_what_is_said_about_other_moves(self):
        with pytest.raises(fuda.IllegalMove, match="before play a card is shown, such as showSQ"):
            start().play("S2")


class TestHands:
    def test_8_2_all_know_who_holds_a_shown_card_until_it_is_played(self):
        match = shown("DJ")
        for seat in range(4):
            assert match.view(seat)["shown"] == [[], [], [], ["DJ"]]
        assert "DJ" in match.view(3)["hand"]
        assert "DJ" not in match.view(0)["hand"]

    @pytest.mark.parametrize("cards", [("SQ",), ("HA", "C10"), KEYS])
    def test_8_5_shown_cards_stay_where_they_are(self, cards):
        match = shown(*cards)
        for seat, number in itertools.product(range(4), range(20)):
            state = match.view_record(seat)
            rules.redeal(state[0], seat, streams(5, SAMPLE, number, 1))
            for card in cards:
                holder = next(place for place, hand in enumerate(HANDS) if card in hand.split())
                assert int(state[0].hand[holder]) >> CARD_IDS[card] & 1

    def test_8_5_other_cards_are_dealt_evenly(self):
        """The pig is with seat 0; of the hearts that seat 1 does not hold, each is anywhere else."""
        match = shown("SQ")
        rng, where = streams(6, SAMPLE, 0, 1), np.zeros(4)
        for _ in range(3000):
            state = match.view_record(1)
            rules.redeal(state[0], 1, rng)
            where += [int(hand) >> CARD_IDS["SK"] & 1 for hand in state[0].hand]
        expected = np.array([12, 0, 13, 13]) / 38  # seat 0 has room for twelve unseen cards
        assert abs(where / 3000 - expected).max() < 4 * np.sqrt(0.25 / 3000)


class TestFirstTime:
    def test_8_4_it_is_not_led(self):
        match = shown("SQ")
        assert "SQ" not in match.legal()
        with pytest.raises(fuda.IllegalMove, match="it was shown, and its suit is led for the first time"):
            match.play("SQ")
        assert "SQ" in shown("DJ").legal()  # what was not shown may be

    def test_8_4_it_does_not_follow_suit(self):
        match = play(shown("HA"), "H2")
        assert match.legal() == ["H5", "H6"]

    def test_8_4_but_it_must_where_it_is_the_only_card_of_its_suit(self):
        match = play(shown("C10"), "C2 C6")
        assert match.legal() == ["C10"]

    def test_8_4_it_may_be_thrown_off(self):
        match = play(shown("DJ"), "S2 S4 S7")
        assert "DJ" in match.legal()

    def test_8_4_from_the_second_time_on_it_is_a_card_like_others(self):
        match = play(shown("HA"), "H2 H5 H7 HQ HK")
        assert match.legal() == sorted(["H3", "H4"])
        play(match, "H3")
        assert match.legal() == ["H6", "HA"]

    def test_8_4_a_discard_of_the_suit_does_not_count_as_led(self):
        """Seat 3 throws a diamond on the first trick; diamonds are led for the first time in the second."""
        match = play(shown("DJ"), "S2 S4 SA D9 C10 C9 C2 C6")
        assert match.seat == 2
        play(match, "SK DK S3 S5 SJ")
        match = play(shown("DJ"), "D2 D5 S7")
        assert "DJ" not in match.legal()

    def test_8_4_when_other_suits_were_led(self):
        match = play(shown("SQ", "HA"), "C2 C6 C10 C9")
        assert match.seat == 2  # the ten is the highest


CASES = {
    ("SQ", "SQ"): -200,
    ("SQ", "DJ"): -100,
    ("DJ", "DJ"): 200,
    ("SQ DJ", "SQ"): -100,
    ("HA", "HA"): -100,
    ("H5 H2", "HA"): -20,
    ("C10", "C10"): 100,
    ("C10", "SQ"): 50,
    ("C10 H2", "C10"): 0,
    # A shown pig taken with the transformer, shown or not.
    ("SQ C10", "SQ"): -400,
    ("SQ C10", "C10"): -400,
    ("SQ C10", "SQ C10"): -800,
    ("SQ DJ C10", "SQ C10"): -400,
    ("DJ C10", "DJ C10"): 800,
    # All hearts shown.
    (ALL, "HA"): 400,
    (f"{ALL} C10", "HA"): 800,
    (f"{ALL} C10", "HA C10"): 1600,
    (f"{ALL} SQ", "HA"): 300,
    (f"{ALL} SQ", "HA SQ"): 200,
    (f"{ALL} SQ DJ C10", "SQ HA DJ C10"): 1600,
    (" ".join(HEARTS[1:]), "HA"): -400,
}


def doubled(cards, shown):
    """RULES 8.3 on texts: the points of a pile, card by card."""
    worth = {card: reference.RAW.get(card, 0) for card in cards}
    for card in worth:
        if card in shown or (card[0] == "H" and "HA" in shown):
            worth[card] *= 2
    total = sum(worth.values())
    if all(heart in cards for heart in HEARTS):
        total += 800 if "HA" in shown else 400
    if "C10" not in cards:
        return total
    alone = not any(card[0] == "H" or card in ("SQ", "DJ") for card in cards)
    factor = 2 if "C10" in shown else 1
    return 50 * factor if alone else 2 * factor * total


class TestPoints:
    @pytest.mark.parametrize(("given", "points"), CASES.items())
    def test_8_3(self, given, points):
        cards, seen = (text.split() for text in given)
        assert gongzhu.points(cards, shown=seen) == points
        assert doubled(cards, seen) == points

    @given(st.sets(st.sampled_from([*HEARTS, "SQ", "DJ", "C10", "S2"])), st.sets(st.sampled_from(KEYS)))
    def test_8_3_against_a_plain_count(self, cards, seen):
        assert gongzhu.points(cards, shown=seen) == doubled(cards, seen)

    def test_8_3_for_whoever_takes_them(self):
        match = play(shown("SQ"), "S2 S4 SA HQ SK C9 SQ S5")
        assert match.view(0)["points"] == [0, 0, -230, 0]

    def test_only_the_four_can_be_shown(self):
        with pytest.raises(ValueError, match="the cards that can be shown are SQ, HA, DJ, C10, not S2"):
            gongzhu.points(["S2"], shown=["S2"])


def legal_by_hand(hand, led, shown_card, suits_led):
    """RULES 8.4 on texts."""
    cards = reference.follow(hand, led)
    return [
        card
        for card in cards
        if not (
            card in shown_card
            and card[0] not in suits_led
            and (led is None or led[0] == card[0])
            and sum(other[0] == card[0] for other in hand) > 1
        )
    ]


@settings(deadline=None, max_examples=25)
@given(st.permutations(DECK), st.data())
def test_whole_matches_against_plain_rules(deck, data):
    hands = [list(deck[13 * seat : 13 * seat + 13]) for seat in range(4)]
    match = start([" ".join(hand) for hand in hands])
    seen, suits_led = set(), set()
    while not match.over:
        view = match.view(match.seat)
        legal = match.legal()
        if view["phase"] == "play":
            led = view["table"][0][1] if view["table"] else None
            assert legal == sorted(legal_by_hand(hands[match.seat], led, seen, suits_led))
        move = legal[data.draw(st.integers(0, len(legal) - 1))]
        seat = match.seat
        match.play(move)
        if move.startswith("show"):
            seen.add(move.removeprefix("show"))
        elif move != "noshow":
            hands[seat].remove(move)
            suits_led |= {trick["cards"][0][0] for trick in match.view(0)["tricks"]}
        assert match.view(0)["points"] == [doubled(pile, seen) for pile in match.view(0)["piles"]]
        assert {card for cards in match.view(1)["shown"] for card in cards} == seen
    assert match.scores == match.view(0)["points"]
    assert fuda.replay(match.record()) == match


class TestEvents:
    def test_6_4_what_is_shown_is_told(self):
        match = play(start(), "showSQ")
        assert match.events(3) == [{"type": "show", "seat": 0, "card": "SQ"}]
        assert play(match, "noshow").events(3) == [{"type": "no_show", "seat": 0}]


class TestPlayers:
    @pytest.mark.parametrize(
        "name", ["if", "greed", "uct", "best", "best-raw", "scrofazero", "scrofazero-policy"]
    )
    def test_8_6_all_players_show_by_the_same_rule_and_play_on(self, name):
        few = {"uct": {"trees": 1, "iterations": 8}, "best": {"scenarios": 2}, "scrofazero": {"scenarios": 2}}
        agent = fuda.agent(f"gongzhu/{name}", seed=1, **few.get(name, {}))
        match, told = GAME.start(seed=8), []
        while not match.over:
            if match.awaits_bid:
                wanted = int(classical.choose_shown(match.view_record(match.seat)[0], match.seat))
                told.append(agent.choose(match))
                assert told[-1] == gongzhu.SPEC.text.move_text(wanted)
            match.play(agent.choose(match) if len(match.moves) < 12 else match.legal()[0])
        assert told.count("noshow") == 4

    def test_mr_greed_knows_that_the_pig_counts_double_and_waits(self):
        """Under a shown pig SA and SK are worse to keep, and nobody may follow with it the first time."""
        match = shown("SQ")
        known = np.empty(classical.NUM_KNOWN, np.int64)
        view = match.view_record(2)[0]
        classical.look(view, known)
        assert [CARD_TEXTS[card] for card in range(52) if known[classical.DOUBLED] >> card & 1] == ["SQ"]
        assert known[classical.FACTOR] == 2
        assert classical.raw_points(known[classical.DOUBLED]) == -100
        assert (
            classical.relief(CARD_IDS["SA"], 1 << CARD_IDS["SQ"], -50, known[classical.DOUBLED]) == 10 * 111
        )
        hands = match._state[0].hand
        assert classical.held_back(view, hands) == 1 << CARD_IDS["SQ"]

    @pytest.mark.parametrize(
        ("hand", "wanted"),
        [
            ("SQ S2 S3 S4 S5", ["showSQ", "noshow"]),
            ("SQ S2 S3 S4 HA C10", ["noshow"]),
            ("DJ DA DQ", ["showDJ", "noshow"]),
            ("DJ DA D10 D9 D8", ["noshow"]),
            ("SQ S2 S3 S4 SA DJ DK DA", ["showSQ", "showDJ", "noshow"]),
        ],
    )
    def test_8_6_the_rule(self, hand, wanted):
        state = reference.position([hand, "", "", ""])
        state[0].showing, state[0].shown_by[:] = 1, -1
        told = []
        while not told or told[-1] != "noshow":
            action = int(classical.choose_shown(state[0], 0))
            told.append(gongzhu.SPEC.text.move_text(action))
            rules.step(state[0], action)
        assert told == wanted
