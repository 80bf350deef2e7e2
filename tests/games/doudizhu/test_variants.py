"""Robbing, a shown hand and spring: RULES.md, sections 9 to 11, by number."""

import itertools

import numpy as np
import pytest

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.core.state import NOBODY
from fuda.games import doudizhu
from fuda.games.doudizhu import classical, rules
from fuda.games.doudizhu.scenarios import MOST_TO_SOLVE, left_to_solve
from fuda.games.doudizhu.text import cards_text, read_cards

from .test_rules import finish

# The first hand is strong, so that by RHCP's value seat 0 calls; 3, 6 and 9 are whole at one seat each.
HANDS = ["333344455BRA2222Q", "666678TJQK78TJQK7", "9999A8TJQK5AA8TJ5"]
BOTTOM = "47K"
ALL_ON = {"spring": "on", "showing": "on", "score": "adp"}


def start(**options):
    return fuda.game("doudizhu", **options).start(seed=0, deal={"hands": HANDS, "bottom": BOTTOM})


def play(match, text):
    for move in text.split():
        match.play(move)
    return match


class TestRobbing:
    @pytest.mark.parametrize(
        ("claims", "landlord", "doublings", "bids"),
        [
            ("call norob norob", 0, 0, [1, 0, 0]),
            ("call rob norob norob", 1, 1, [1, 2, 0]),
            ("call rob norob rob", 0, 2, [3, 2, 0]),
            ("call norob rob norob", 2, 1, [1, 0, 2]),
            ("call norob rob rob", 0, 2, [3, 0, 2]),
            ("call rob rob norob", 2, 2, [1, 2, 2]),
            ("call rob rob rob", 0, 3, [3, 2, 2]),
            ("nocall call norob", 1, 0, [0, 1, 0]),
            ("nocall call rob norob", 2, 1, [0, 1, 2]),
            ("nocall call rob rob", 1, 2, [0, 3, 2]),
            ("nocall nocall call", 2, 0, [0, 0, 1]),
        ],
    )
    def test_9_1_to_9_4_every_sequence(self, claims, landlord, doublings, bids):
        match = start(bidding="robbing")
        for move in claims.split():
            assert match.view(0)["landlord"] is None
            wanted = ["call", "nocall"] if match.view(0)["stake"] == 0 else ["norob", "rob"]
            assert match.legal() == wanted
            match.play(move)
        view = match.view(0)
        assert (view["landlord"], view["doublings"], view["bids"]) == (landlord, doublings, bids)
        assert (match.seat, view["phase"], view["stake"]) == (landlord, "play", 1)
        assert view["hand_sizes"] == [20 if seat == landlord else 17 for seat in range(3)]
        finish(match, landlord)
        assert match.scores[landlord] == 2**doublings

    def test_the_sequences_are_all_there_are(self):
        """Every way to say yes or no is one of those above, or is dealt again."""
        ended = set()
        for answers in itertools.product((0, 1), repeat=4):
            match, said = start(bidding="robbing"), []
            for answer in answers:
                if match.view(0)["landlord"] is None and match.view(0)["deal"] == 1:
                    yes = "rob" if match.view(0)["stake"] else "call"
                    said.append(yes if answer else f"no{yes}")
                    match.play(said[-1])
            ended.add(" ".join(said))
        assert len(ended) == 12
        assert "nocall nocall nocall" in ended

    def test_9_1_dealt_again_if_nobody_calls(self):
        match = play(start(bidding="robbing"), "nocall nocall nocall")
        assert match.view(0)["deal"] == 2
        assert match.view(0)["bids"] == [None, None, None]
        assert [event["type"] for event in match.events(0)] == ["call", "nobody_bid", "deal"]

    def test_events(self):
        match = play(start(bidding="robbing"), "nocall call rob")
        assert match.events(1) == [{"type": "rob", "seat": 2, "does": True}]
        match.play("rob")
        assert match.events(0) == [
            {"type": "rob", "seat": 1, "does": True},
            {"type": "landlord", "seat": 1, "bid": 4, "bottom": BOTTOM},
        ]

    @pytest.mark.parametrize(
        ("played", "move", "why"),
        [
            ("", "bid3", "call or nocall"),
            ("call", "call", "rob or norob"),
            ("call norob norob", "rob", "the bidding is over"),
        ],
    )
    def test_what_is_said_about_other_moves(self, played, move, why):
        with pytest.raises(fuda.IllegalMove, match=why):
            play(start(bidding="robbing"), played).play(move)

    @pytest.mark.parametrize("name", ["rhcp", "rhcp-partner", "mcts", "best-raw", "best-point"])
    def test_9_5_players_call_and_rob_by_one_rule(self, name):
        few = {"trees": 1, "iterations": 4} if name == "mcts" else {}
        agent = fuda.agent(f"doudizhu/{name}", **few)
        match, said = start(bidding="robbing", showing="on"), []
        while match.view(0)["phase"] in ("bid", "show"):
            view = match.view_record(match.seat)[0]
            wanted = int(classical.choose_rhcp(view, match.seat, streams(1, SAMPLE, 0, 1)))
            said.append(agent.choose(match))
            assert said[-1] == doudizhu.SPEC.text.move_text(wanted)
            match.play(said[-1])
        assert said[0] == "call"
        assert agent.choose(match) in match.legal()

    @pytest.mark.parametrize(
        ("hand", "stake", "wanted"),
        [
            ("34567", 0, rules.NO_CALL),
            ("2222", 0, rules.CALL),
            ("2222", 1, rules.NO_ROB),
            ("2222BR", 1, rules.ROB),
        ],
    )
    def test_9_5_by_the_value_of_the_hand(self, hand, stake, wanted):
        """RHCP values a bomb of twos at 19 points, the rocket at 20, a chain to the seven at -2."""
        state = doudizhu.SPEC.new_states(1)
        state[0].bidding, state[0].stake, state[0].landlord = rules.ROBBING, stake, NOBODY
        state[0].hand[0] = read_cards("the hand", hand, 1, 17)
        assert classical.bid(state[0], 0) == wanted


class TestShowing:
    def test_10_1_the_landlord_is_asked_before_it_leads(self):
        match = play(start(bidding="on", showing="on"), "bid0 bid3")
        assert (match.seat, match.view(0)["phase"], match.legal()) == (1, "show", ["noshow", "show"])
        with pytest.raises(fuda.IllegalMove, match="whether it shows its hand, with show or noshow"):
            match.play("6")
        play(match, "noshow")
        assert (match.seat, match.view(0)["phase"], match.view(0)["shown"]) == (1, "play", None)
        assert match.events(0) == [{"type": "show", "seat": 1, "cards": None}]

    def test_10_1_without_bidding_seat_0(self):
        match = fuda.game("doudizhu", showing="on").start(seed=1)
        assert (match.seat, match.legal()) == (0, ["noshow", "show"])

    @pytest.mark.parametrize("wins", [0, 1])
    def test_10_1_showing_doubles(self, wins):
        match = play(start(bidding="on", showing="on"), "bid3 show 3 6 pass pass")
        finish(match, wins)
        assert match.scores == ([6, -6, -6] if wins == 0 else [-6, 6, 6])

    def test_10_2_all_see_the_hand_and_nothing_else_is_told(self):
        match = play(start(bidding="on", showing="on"), "bid3")
        hand = match.view(0)["hand"]
        assert match.view(1)["shown"] is None
        play(match, "show 3333")
        for seat in range(3):
            assert match.view(seat)["shown"] == match.view(0)["hand"] == hand.replace("3333", "")
        view = match.view_record(1)[0]
        assert cards_text(view.hand[0]) == match.view(0)["hand"]
        assert view.hand[2] == 0

    def test_10_2_a_peasant_knows_the_deal_and_the_landlord_does_not(self):
        match = play(start(bidding="on", showing="on"), "bid3 show 3 6")
        for seat, num_deals in ((1, 1), (2, 1), (0, 12)):
            found = set()
            for number in range(12):
                state = match.view_record(seat)
                rules.redeal(state[0], seat, streams(4, SAMPLE, number, 1))
                found.add(state[0].hand.tobytes())
            assert len(found) == num_deals
            if num_deals == 1:
                assert found == {match._state[0].hand.tobytes()}

    def test_a_hidden_hand_stays_hidden(self):
        match = play(start(bidding="on", showing="on"), "bid3 noshow")
        assert match.view_record(1)[0].hand[0] == 0
        assert match.view(1)["doublings"] == 0


class TestSpring:
    def test_11_1_no_peasant_has_played(self):
        match = start(bidding="on", spring="on")
        finish(play(match, "bid1 bid0 bid0"), 0)
        assert match.scores == [2, -2, -2]
        assert match.view(1)["spring"]
        assert match.events(2)[-2] == {"type": "spring", "landlord": True}

    def test_11_1_not_if_one_has(self):
        match = play(start(bidding="on", spring="on"), "bid1 bid0 bid0 3 6 pass 2")
        finish(match, 0)
        assert match.scores == [1, -1, -1]
        assert not match.view(1)["spring"]
        assert "spring" not in [event["type"] for event in match.events(0)]

    def test_11_2_the_landlord_played_only_its_first_move(self):
        match = play(start(bidding="on", spring="on"), "bid1 bid0 bid0 3 6 pass pass")
        finish(match, 1)
        assert match.scores == [-2, 2, 2]
        assert match.events(0)[-2] == {"type": "spring", "landlord": False}

    def test_11_2_not_if_it_played_twice(self):
        match = play(start(bidding="on", spring="on"), "bid1 bid0 bid0 3 6 8 Q pass pass 5 6 pass pass")
        finish(match, 1)
        assert match.scores == [-1, 1, 1]

    def test_off_by_default(self):
        match = start(bidding="on")
        finish(play(match, "bid1 bid0 bid0"), 0)
        assert match.scores == [1, -1, -1]
        assert not {"spring", "shown", "doublings"} & set(match.view(0))
        assert match.view(0)["options"] == {"bidding": "on", "score": "wp"}

    def test_11_3_spring_with_bombs_a_bid_and_a_shown_hand(self):
        match = play(start(bidding="on", **ALL_ON), "bid3 show 3333 pass pass 2222 pass pass BR pass pass")
        finish(match, 0)
        # The bid, showing, three bombs, spring; twice for the landlord.
        assert match.scores == [3 * 2 * 8 * 2 * 2, -3 * 2 * 8 * 2, -3 * 2 * 8 * 2]

    def test_11_3_robbed_twice_with_a_bomb_and_anti_spring(self):
        match = play(
            start(bidding="robbing", **ALL_ON), "call rob norob rob noshow 4 7 pass pass 6666 pass pass"
        )
        finish(match, 1)
        assert match.view(0)["bombs"] == 1
        assert match.scores == [-32, 16, 16]

    def test_points_are_the_payoff_and_add_up(self):
        match = play(start(bidding="robbing", **ALL_ON), "call rob rob rob show")
        finish(match, 0)
        payoff = np.zeros(3)
        rules.payoff(match._state[0], payoff)
        assert payoff.tolist() == [match.scores[0], -match.scores[0], -match.scores[0]]
        assert sum(match.scores) == 0

    def test_endings_that_may_be_an_anti_spring_are_not_solved(self):
        """The solver counts bombs, but not how often the landlord has played."""
        match = play(start(bidding="on", spring="on"), "bid1 bid0 bid0 3")
        state = match._state.copy()
        state["sizes"] = 4, 4, 4
        assert left_to_solve(state)[0] > MOST_TO_SOLVE
        play(match, "6 8 Q")
        state = match._state.copy()
        state["sizes"] = 4, 4, 4
        assert left_to_solve(state)[0] == 12


def test_records_of_all_options_replay():
    match = play(start(bidding="robbing", **ALL_ON), "nocall call rob rob show")
    assert match.record()["options"] == {"bidding": "robbing", **ALL_ON}
    finish(match, 1)
    assert fuda.replay(match.record()) == match
    assert doudizhu.SPEC.margin(np.array(match.scores), [False, True, False]) == match.scores[1]
