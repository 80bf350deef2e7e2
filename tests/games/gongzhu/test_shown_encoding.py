"""What a network that also shows cards is told: the view of one that does not, and who has shown what."""

import random

import numpy as np

import fuda
from fuda.games.gongzhu import shown_encoding, view_encoding
from fuda.games.gongzhu.text import SHOWABLE_TEXTS
from fuda.games.tricks.french import CARD_IDS


def positions(seed: int, **options: object) -> list[fuda.Match]:
    luck, match, found = random.Random(seed), fuda.game("gongzhu", **options).start(seed), []
    while not match.over and len(found) < 70:
        found.append(match.copy())
        match.play(luck.choice(match.legal()))
    return found


def encoded(encoding, match: fuda.Match, record: np.recarray) -> np.ndarray:
    words = np.full((1, encoding.NUM_WORDS), -1, np.int64)
    encoding.encode_all(record, np.array([match.seat]), words, 0, 1)
    return words[0]


def test_the_view_is_the_same_and_shows_are_told():
    num_shown, num_asked = 0, 0
    for seed in range(6):
        for options in ({"showing": "on"}, {}):
            for match in positions(seed, **options):
                found = encoded(shown_encoding, match, match.view_record(match.seat))
                assert found.tolist() == encoded(shown_encoding, match, match._state).tolist()
                plain = encoded(view_encoding, match, match.view_record(match.seat))
                view, legal = match.view(match.seat), match.legal_actions().values()
                plain[view_encoding.LEGAL] = sum(1 << action for action in legal)
                assert found[:-1].tolist() == plain.tolist()
                shown = view.get("shown", [[]] * 4)
                expected = 0
                for place, card in enumerate(SHOWABLE_TEXTS):
                    for seat in range(4):
                        if card in shown[seat]:
                            expected |= 1 << (4 * place + (seat - match.seat) % 4)
                            num_shown += 1
                ready = sum(move == "noshow" for _, move in view["history"]) if "shown" in view else 4
                assert found[-1] == expected | 1 << (16 + ready)
                num_asked += match.awaits_bid
    assert num_shown > 100
    assert num_asked > 20


def test_numbers_are_the_bits_of_the_words():
    match = positions(3, showing="on")[20]
    words = encoded(shown_encoding, match, match.view_record(match.seat))[None]
    obs = np.empty((1, shown_encoding.NUM_COLUMNS), np.float32)
    shown_encoding.spread_all(words, False, obs, 0, 1)
    columns = zip(shown_encoding.COLUMN_WORDS, shown_encoding.COLUMN_SHIFTS, strict=True)
    assert obs[0].tolist() == [words[0, word] >> bit & 1 for word, bit in columns]
    blocks = {block.name: block for block in shown_encoding.BLOCKS}
    assert blocks["legal"].bits == fuda.game("gongzhu").spec.num_actions


def test_who_did_not_follow_cannot_hold_the_suit():
    """As there; of what is no card nobody asks."""
    cards = len(CARD_IDS)
    assert shown_encoding.CANNOT_HOLD.shape == (3, fuda.game("gongzhu").spec.num_actions)
    assert np.array_equal(shown_encoding.CANNOT_HOLD[:, :cards], view_encoding.CANNOT_HOLD)
