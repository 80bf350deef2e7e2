"""RHCP's values, leads and follows in positions written as text, and its strength."""

import numpy as np
import pytest

import fuda
from fuda.core.runner import LockStep
from fuda.games.doudizhu.classical import GROUP_VALUE, evaluate, follow, new_known
from fuda.games.doudizhu.moves import MOVE_GROUP
from fuda.games.doudizhu.text import cards_text, move_text, read_cards, read_move

DEALS = 4096


def packed(cards: str) -> np.int64:
    return np.int64(read_cards("cards", cards, 1, 20))


def value(cards: str) -> tuple[float, int]:
    total, rounds, _ = evaluate(packed(cards), new_known())
    return total / 2, rounds


def lead(cards: str) -> str:
    return move_text(int(evaluate(packed(cards), new_known())[2]))


def answer(cards: str, beat: str) -> str:
    return move_text(int(follow(packed(cards), read_move(beat), new_known())))


@pytest.mark.parametrize(
    ("group", "worth"),
    [
        ("3", -7), ("A", 4), ("2", 5), ("B", 6), ("R", 7), ("33", -7), ("222", 5), ("333R", -7), ("AAA33", 4),
        ("34567", -2), ("TJQKA", 5), ("334455", -4), ("333444", 1), ("333444555", 1.5), ("KKKAAA34", 6),
        ("3334445566", 1), ("333345", 0), ("22223344", 6), ("3333", 7), ("2222", 19), ("BR", 20),
    ],
)  # fmt: skip
def test_values_of_groups(group, worth):
    assert GROUP_VALUE[MOVE_GROUP[read_move(group)]] / 2 == worth


@pytest.mark.parametrize(
    ("hand", "total", "rounds"),
    [
        ("34567", -2, 1),
        ("3A", -3, 2),
        ("BRA", 24, 2),
        ("3335", -7, 1),
        ("333444", 1, 1),
        ("55558888", 21, 2),
        ("345678", -1, 1),
        ("3345678", -7 - 1, 2),
    ],
)
def test_a_hand_is_worth_what_its_leads_are(hand, total, rounds):
    assert value(hand) == (total, rounds)


@pytest.mark.parametrize(
    ("hand", "move"),
    [
        ("33344", "33344"),  # the whole hand
        ("BR3", "BR"),  # the rocket, as the rest is one group
        ("BR39", "3"),  # but not before the rest is one
        ("333345", "4"),  # a quad with kickers is no whole hand, and bombs stay together
        ("333479", "3334"),  # the worst kicker goes with the trio
        ("3334455", "33344"),
        ("34567K", "34567"),  # the chain that starts at the lowest rank
        ("3344556", "334455"),
        ("3569", "3"),
        ("7777B", "B"),  # a lone joker before a bomb
        ("7777BR3333", "3333"),
    ],
)
def test_leads(hand, move):
    assert lead(hand) == move


@pytest.mark.parametrize(
    ("hand", "beat", "move"),
    [
        ("3A", "K", "A"),
        ("44", "33", "44"),  # the whole hand
        ("BR7", "QQ", "BR"),  # the rocket, as the rest is one group
        ("3789TJ", "6", "pass"),  # would break the chain
        ("37789TJ", "6", "7"),
        ("4444A", "2", "4444"),  # a bomb that leaves a good hand
        ("34444579", "KK", "4444"),  # to pass costs 7: more than this bomb is worth in its round
        ("3579JJJJ", "KK", "pass"),  # but not more than that one, and what is left is poor
        ("9999BRKKA", "22", "9999"),
        ("3", "4", "pass"),
    ],
)
def test_follows(hand, beat, move):
    assert answer(hand, beat) == move


def test_evaluation_does_not_depend_on_what_was_evaluated_before():
    known = new_known()
    rng = np.random.default_rng(1)
    deck = np.array(fuda.game("doudizhu").spec.deck)
    for _ in range(300):
        ranks = rng.permutation(deck)[: rng.integers(1, 21)]
        hand = np.int64(sum(1 << (4 * int(rank)) for rank in ranks))
        assert evaluate(hand, known) == evaluate(hand, new_known()), cards_text(hand)


def chosen(name: str, moves: str, hands: list[str]) -> str:
    match = fuda.game("doudizhu").start(seed=1, deal={"hands": hands})
    for move in moves.split():
        match.play(move)
    return fuda.agent(f"doudizhu/{name}").choose(match)


@pytest.mark.parametrize(
    ("moves", "rhcp", "partner"),
    [
        ("3 K", "2", "2"),  # the landlord may well beat a king
        ("3 A", "2", "pass"),
        ("33 QQ", "2222", "pass"),  # no bomb on the partner
        ("33 TT", "JJ", "JJ"),
    ],
)
def test_a_partner_is_overtaken_only_with_a_reason(moves, rhcp, partner):
    hands = ["33344445556667778889", "35678999TTTJJQQKA", "TJJQQKKKAAA2222BR"]
    assert chosen("rhcp", moves, hands) == rhcp
    assert chosen("rhcp-partner", moves, hands) == partner


@pytest.mark.parametrize("name", ["rhcp", "rhcp-partner"])
def test_bids_follow_the_value_of_the_hand(name):
    agent = fuda.agent(f"doudizhu/{name}")
    assert agent.info.bids
    bids = set()
    for seed in range(60):
        match = fuda.game("doudizhu", bidding="on").start(seed=seed)
        total = value(match.view(0)["hand"])[0]
        bids.add(agent.choose(match))
        assert agent.choose(match) == f"bid{(total >= 10) + (total >= 15) + (total >= 20)}"
    assert bids == {"bid0", "bid1", "bid2", "bid3"}


def landlord_wins(landlord: str, peasants: str) -> float:
    seatings = np.tile([0, 1, 1], (DEALS, 1))
    agents = [fuda.agent(f"doudizhu/{name}").act for name in (landlord, peasants)]
    scores = LockStep(fuda.game("doudizhu"), 5, np.arange(DEALS), seatings).play(agents)
    return float((scores[:, 0] > 0).mean())


@pytest.mark.parametrize(
    ("landlord", "peasants", "rate", "within"),
    [
        ("random", "random", 0.35, 0.02),
        ("rhcp", "random", 0.91, 0.02),
        ("random", "rhcp", 0.025, 0.015),
        ("rhcp", "rhcp", 0.52, 0.05),
    ],
)
def test_strength_is_as_measured_elsewhere(landlord, peasants, rate, within):
    assert abs(landlord_wins(landlord, peasants) - rate) <= within


def test_minding_the_partner_helps_the_peasants():
    assert landlord_wins("rhcp", "rhcp-partner") < landlord_wins("rhcp", "rhcp") - 0.02
