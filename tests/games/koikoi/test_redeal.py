"""`redeal` against full enumeration, at endings small enough to count."""

from collections import Counter
from itertools import combinations

import numpy as np

from fuda.core.generator import SAMPLE, streams
from fuda.games.koikoi.cards import NUM_CARDS
from fuda.games.koikoi.rules import has_whole_month, played_by
from fuda.games.koikoi.text import card_texts
from tests.games.koikoi.positions import start

NUM_SAMPLES = 60_000


def hidden(view, seat):
    """The cards that the seat has not seen."""
    seen = int(view.hand[seat] | view.pile[0] | view.pile[1] | view.field)
    return [card for card in range(NUM_CARDS) if not seen >> card & 1]


def chi_square(counts: Counter, outcomes: list) -> float:
    expected = sum(counts.values()) / len(outcomes)
    assert set(counts) <= set(outcomes)
    return sum((counts[outcome] - expected) ** 2 / expected for outcome in outcomes)


def late_position(held: int):
    """A match in which the other seat holds `held` cards, and has discarded three of month 12."""
    mine = "1-1 1-2 2-1 2-2 3-1 3-2 4-1 4-2"
    theirs = "12-1 12-2 12-3 5-1 5-2 6-1 6-2 7-1"
    match = start(mine, theirs, "8-1 8-2 9-1 9-2 10-1 10-2 11-1 11-2", dealer=1)
    order = theirs.split()
    while True:
        view = match.view(0)
        if match.seat == 0 and view["hand_sizes"][1] == held:
            return match
        legal = match.legal()
        wanted = [card for card in order if card in legal]
        match.play(wanted[0] if match.seat == 1 and wanted else "koikoi" if "koikoi" in legal else legal[0])


def test_the_other_hand_is_uniform_over_all_that_the_rules_allow():
    match = late_position(held=2)
    view = match.view_record(0)
    played = int(played_by(view[0], 1))
    allowed = [
        hand
        for hand in combinations(hidden(view[0], 0), 2)
        if not has_whole_month(played | sum(1 << card for card in hand))
    ]
    everything = list(combinations(hidden(view[0], 0), 2))
    assert len(allowed) < len(everything), "the position shows rule 2.3 at work"
    rng = streams(3, SAMPLE, 0, 1)
    counts: Counter = Counter()
    for _ in range(NUM_SAMPLES):
        state = view.copy()
        match.game.spec.rules.redeal(state[0], 0, rng)
        hand = int(state[0].hand[1])
        counts[tuple(card for card in range(NUM_CARDS) if hand >> card & 1)] += 1
    degrees = len(allowed) - 1
    assert chi_square(counts, allowed) < degrees + 4 * (2 * degrees) ** 0.5


def test_the_stock_is_in_every_order():
    match = late_position(held=2)
    view = match.view_record(0)
    drawn = int(view[0].drawn)
    rng = streams(4, SAMPLE, 0, 1)
    counts: Counter = Counter()
    for _ in range(NUM_SAMPLES):
        state = view.copy()
        match.game.spec.rules.redeal(state[0], 0, rng)
        counts[int(state[0].stock[drawn])] += 1
    # The fourth card of month 12 can only lie in the stock; all others are equally likely to be next.
    unseen = hidden(view[0], 0)
    fourth = next(card for card in unseen if card_texts(1 << card) == ["12-4"])
    others = [card for card in unseen if card != fourth]
    degrees = len(others) - 1
    assert (
        chi_square(Counter({card: counts[card] for card in others}), others)
        < degrees + 4 * (2 * degrees) ** 0.5
    )
    size = 24 - drawn
    assert abs(counts[fourth] / NUM_SAMPLES - 1 / size) < 4 * np.sqrt(1 / size / NUM_SAMPLES)
