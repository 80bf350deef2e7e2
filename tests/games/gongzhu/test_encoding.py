"""What the networks see: against a slow account of the position, told in texts."""

import random

import numpy as np
import pytest

import fuda
from fuda.core.words import unpack_bits
from fuda.games.gongzhu import encoding, view_encoding
from fuda.games.gongzhu.text import card_texts

from .reference import DECK, HEARTS, SUITS, winner

SCORING = ["SQ", *HEARTS, "DJ", "C10"]


def played(seed: int) -> list[fuda.Match]:
    """Every position of a random match."""
    luck = random.Random(seed)
    match = fuda.game("gongzhu", leader=seed % 4).start(seed)
    found = []
    while not match.over:
        found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


def obs_of(record: np.recarray, seat: int, diffuse: bool) -> dict[str, np.ndarray]:
    words = np.full((1, encoding.NUM_WORDS), -1, np.int64)  # what is there before must not matter
    obs = np.full((1, encoding.NUM_COLUMNS), 7, np.float32)
    encoding.encode_all(record, np.array([seat]), words, 0, 1)
    encoding.spread_all(words, diffuse, obs, 0, 1)
    return blocks_of(encoding.BLOCKS, obs[0])


def blocks_of(blocks, obs: np.ndarray) -> dict[str, np.ndarray]:
    found, first = {}, 0
    for block in blocks:
        found[block.name] = obs[first : first + block.width].reshape(-1, max(block.bits, 1))
        first += block.width
    assert first == len(obs)
    return found


def state_of(match: fuda.Match) -> np.recarray:
    return np.frombuffer(match.state_bytes(), match.game.spec.rules.STATE).view(np.recarray).copy()


def hands_of(state: np.recarray) -> list[list[str]]:
    return [card_texts(hand) for hand in state[0].hand]


def slow(match: fuda.Match, hands: list[list[str]]) -> dict[str, np.ndarray]:
    """Hands, taken and table of the seat to move by the match's history, without diffusion."""
    seat = match.seat
    plays = match.moves
    trick = plays[len(plays) // 4 * 4 :]
    piles = [[], [], [], []]
    for first in range(0, len(plays) // 4 * 4, 4):
        cards = [card for _, card in plays[first : first + 4]]
        piles[plays[first + winner(cards)][0]] += cards
    table = np.zeros((3, 54), np.float32)
    for age, (_, card) in enumerate(reversed(trick)):
        table[age, 1 + DECK.index(card)] = 1
    whose = [(seat + other) % 4 for other in range(4)]
    return {
        "hands": np.array([[card in hands[who] for card in DECK] for who in whose], np.float32),
        "taken": np.array([[card in piles[who] for card in SCORING] for who in whose], np.float32).reshape(
            1, 64
        ),
        "table": table,
    }


def test_the_papers_sizes():
    assert encoding.NUM_COLUMNS == 434
    assert [block.width for block in encoding.BLOCKS] == [4 * 52, 0, 4 * 16, 3 * 54]
    assert view_encoding.NUM_WORDS == 20
    assert [DECK[card] for card in encoding.SCORING_CARDS] == SCORING


@pytest.mark.parametrize("seed", range(8))
def test_open_hands_against_a_slow_account(seed):
    for match in played(seed):
        state = state_of(match)
        found, expected = obs_of(state, match.seat, False), slow(match, hands_of(state))
        for name, numbers in expected.items():
            assert np.array_equal(found[name], numbers), name


@pytest.mark.parametrize("seed", range(4))
def test_a_view_has_a_third_of_each_unseen_card_in_each_other_hand(seed):
    for match in played(seed):
        found = obs_of(match.view_record(match.seat), match.seat, False)
        hands = hands_of(state_of(match))
        mine = np.array([card in hands[match.seat] for card in DECK])
        held = np.array([any(card in hand for hand in hands) for card in DECK])
        assert np.array_equal(found["hands"][0], mine.astype(np.float32))
        assert found["hands"][1:] == pytest.approx(np.tile((held & ~mine) / 3, (3, 1)))
        assert found["hands"].sum() == pytest.approx(sum(len(hand) for hand in hands), abs=1e-4)


def test_diffusion_sets_the_neighbours_on_the_table_and_nothing_else():
    cards = set()
    for seed in range(12):
        for match in played(seed):
            state = state_of(match)
            plain, diffused = (obs_of(state, match.seat, diffuse) for diffuse in (False, True))
            expected = plain["table"].copy()
            expected[:, 1:] += plain["table"][:, :-1]
            expected[:, :-1] += plain["table"][:, 1:]
            assert np.array_equal(diffused.pop("table"), expected)
            cards |= set(np.flatnonzero(plain.pop("table").sum(axis=0)) - 1)
            assert all(np.array_equal(diffused[name], plain[name]) for name in plain)
    assert {0, 51} <= cards, "the lowest and the highest card were on the table"


def test_turning_the_table_changes_nothing():
    """A seat has no number: the same hands one seat further on give the same numbers."""
    for match in played(1)[::5]:
        state = state_of(match)
        turned = state.copy()
        for name in ("hand", "pile", "voids"):
            turned[0][name] = np.roll(state[0][name], 1)
        leaders = state[0].leaders
        turned[0].leaders = np.where(leaders >= 0, (leaders + 1) % 4, leaders)
        turned[0].seat = (match.seat + 1) % 4
        for name, numbers in obs_of(state, match.seat, True).items():
            assert np.array_equal(obs_of(turned, (match.seat + 1) % 4, True)[name], numbers)
        assert np.array_equal(view_words(state, match.seat), view_words(turned, (match.seat + 1) % 4))


def view_words(view: np.recarray, seat: int) -> np.ndarray:
    words = np.full((1, view_encoding.NUM_WORDS), -1, np.int64)
    hidden = view.copy()
    fuda.game("gongzhu").spec.rules.hide(hidden[0], seat)
    view_encoding.encode_all(hidden, np.array([seat]), words, 0, 1)
    return words


def one_hot(width: int, place: int | None) -> list[int]:
    return [int(number == place) for number in range(width)]


def slow_view(match: fuda.Match) -> dict[str, list]:
    """Each block of the view encoding as sets of cards or bits, by the match's dictionary."""
    seat, view = match.seat, match.view(match.seat)
    plays, whose = match.moves, [(match.seat + other) % 4 for other in range(4)]
    trick = plays[len(plays) // 4 * 4 :]
    led = [play for number, play in enumerate(plays) if number % 4 == 0]
    discarded = [play for number, play in enumerate(plays) if play[1][0] != plays[number // 4 * 4][1][0]]
    voids = {(who, plays[plays.index((who, card)) // 4 * 4][1][0]) for who, card in discarded}
    hand = hands_of(state_of(match))[seat]
    seen = {*hand, *(card for _, card in plays)}
    best = None
    if trick:
        best = (trick[winner([card for _, card in trick])][0] - seat) % 4
    progress = [int((who, suit) in voids) for who in whose for suit in SUITS]
    progress += one_hot(13, len(plays) // 4) + one_hot(4, len(trick))
    progress += one_hot(4, SUITS.index(trick[0][1][0]) if trick else None) + one_hot(4, best)
    return {
        "hand": [set(hand)],
        "legal": [set(view["legal"])],
        "unseen": [set(DECK) - seen],
        "table": [{card for mover, card in trick if mover == who} for who in whose[1:]],
        "played": [{card for mover, card in plays if mover == who} for who in whose],
        "led": [{card for mover, card in led if mover == who} for who in whose],
        "discarded": [{card for mover, card in discarded if mover == who} for who in whose],
        "taken": [slow(match, [[]] * 4)["taken"][0].tolist()],
        "progress": [progress],
    }


@pytest.mark.parametrize("seed", range(8))
def test_views_against_a_slow_account(seed):
    for match in played(seed):
        words = view_words(state_of(match), match.seat)
        obs = np.zeros((1, view_encoding.NUM_COLUMNS))
        unpack_bits(words, view_encoding.COLUMN_WORDS, view_encoding.COLUMN_SHIFTS, obs, 0, 1)
        found = blocks_of(view_encoding.BLOCKS, obs[0])
        for name, rows in slow_view(match).items():
            for row, expected in zip(found[name], rows, strict=True):
                numbers = (
                    [float(card in expected) for card in DECK] if isinstance(expected, set) else expected
                )
                assert row.tolist() == numbers, name
