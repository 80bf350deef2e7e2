"""What a network sees: against a slow account of the view's dictionary, and the deck's symmetries."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch

import fuda
from fuda.core.generator import SAMPLE, streams
from fuda.games.koikoi import encoding
from fuda.games.koikoi.text import CARD_IDS, CARD_TEXTS
from fuda.games.koikoi.yaku import YAKU_NAMES
from fuda.nets.token_transformer import TokenShape, TokenTransformer, unpack

torch.set_num_threads(1)  # test processes share the cores

# The groups of the encoding, from the table in RULES 1.1.
LIGHTS = "1-1 3-1 8-1 11-1 12-1"
SEEDS = "2-1 4-1 5-1 6-1 7-1 8-2 9-1 10-1 11-2"
RED, BLUE, PLAIN = "1-2 2-2 3-2", "6-2 9-2 10-2", "4-2 5-2 7-2 11-3"
DROSS = (
    "1-3 1-4 2-3 2-4 3-3 3-4 4-3 4-4 5-3 5-4 6-3 6-4 7-3 7-4 8-3 8-4 9-1 9-3 9-4 10-3 10-4 11-4 "
    "12-2 12-3 12-4"
)
GROUPS = {
    "lights": LIGHTS,
    "lights without the Rainman": "1-1 3-1 8-1 12-1",
    "Rainman": "11-1",
    "Boar, Deer, Butterfly": "7-1 10-1 6-1",
    "Curtain and Sake Cup": "3-1 9-1",
    "Moon and Sake Cup": "8-1 9-1",
    "Sake Cup": "9-1",
    "seeds": SEEDS,
    "red and blue ribbons": f"{RED} {BLUE}",
    "red ribbons": RED,
    "blue ribbons": BLUE,
    "ribbons": f"{RED} {BLUE} {PLAIN}",
    "dross": DROSS,
}
GROUP_CARDS = {name: set(cards.split()) for name, cards in GROUPS.items()}
EQUAL_DROSS = [
    (first, second)
    for month in range(1, 13)
    for index, first in enumerate(CARD_TEXTS)
    for second in CARD_TEXTS[index + 1 :]
    if first.split("-")[0] == second.split("-")[0] == str(month)
    and {first, second} <= GROUP_CARDS["dross"] - {"9-1"}
]


def encoded(match: fuda.Match, seat: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    seat = match.seat if seat is None else seat
    return encoded_record(match.view_record(seat), seat)


def encoded_record(record: np.recarray, seat: int) -> tuple[np.ndarray, np.ndarray]:
    places = np.full((1, encoding.NUM_PLACE_ROWS), -1, np.int64)  # what is there before must not matter
    progress = np.full((1, encoding.NUM_PROGRESS), -1, np.int8)
    encoding.encode_all(record, np.array([seat]), places, progress, 0, 1)
    return places[0], progress[0]


def played(seed: int, **options: int) -> list[fuda.Match]:
    """Every position of a random match."""
    luck = random.Random(seed)
    match = fuda.game("koikoi", **options).start(seed)
    found = []
    while not match.over:
        found.append(match.copy())
        legal = match.legal()
        # More koi-koi than a coin would give: claims must be seen too.
        match.play("koikoi" if "koikoi" in legal and luck.random() < 0.7 else luck.choice(legal))
    return found


def slow_places(view: dict) -> dict[str, list[set[str]]]:
    me, other = view["seat"], 1 - view["seat"]
    hand, field = set(view["hand"]), set(view["field"])
    piles = [set(pile) for pile in view["piles"]]
    shown = {view["shown"]} - {None}
    unseen = set(CARD_TEXTS) - hand - field - piles[0] - piles[1] - shown
    discards = {turn["discard"] for turn in view["turns"]}
    draws = {turn["draw"] for turn in view["turns"]} - {None}
    first_hand = hand | {turn["discard"] for turn in view["turns"] if turn["seat"] == me}
    first_field = (field | piles[0] | piles[1]) - discards - draws
    month = {card for card in field if shown and card.split("-")[0] == view["shown"].split("-")[0]}
    rows: dict[str, list[set[str]]] = {
        "now": [hand, field, piles[me], piles[other], unseen],
        "first": [first_hand, first_field, set(CARD_TEXTS) - first_hand - first_field],
        "pairing": [shown, month],
    }
    for name, seat in (("my turns", me), ("their turns", other)):
        turns = [turn for turn in view["turns"] if turn["seat"] == seat]
        told = [
            cards
            for turn in turns
            for cards in (
                {turn["discard"]}, set(turn["discard_took"]), {turn["draw"]} - {None}, set(turn["draw_took"]),
            )
        ]  # fmt: skip
        rows[name] = told + [set()] * (32 - len(told))
    return rows


def one_hot(index: int, width: int) -> list[int]:
    return [int(index == place) for place in range(width)]


def slow_progress(view: dict) -> dict[str, list[int]]:
    me, other = view["seat"], 1 - view["seat"]
    lead = view["points"][me] - view["points"][other]
    if view["phase"] == "pick":
        decision = 2 if view["shown"] == view["turns"][-1]["draw"] else 1
    else:
        decision = {"discard": 0, "koikoi": 3}[view["phase"]]
    rows = {
        "lead": [max(-60, min(60, lead))],
        "rounds left": one_hot(view["options"]["rounds"] - view["round"], 12),
        "turn": one_hot(view["turn"] - 1, 16),
        "dealer": [int(view["dealer"] == me), int(view["dealer"] == other)],
        "decision": one_hot(decision, 4),
        "points now": [sum(points for _, points in view["yaku"][seat]) for seat in (me, other)],
        "counts": [
            len(place & cards) for place in slow_places(view)["now"] for cards in GROUP_CARDS.values()
        ],
    }
    for name, seat in (("my", me), ("their", other)):
        answers = [int(turn["koikoi"] is True) for turn in view["turns"] if turn["seat"] == seat]
        yaku = dict(view["yaku"][seat])
        rows[f"{name} claims"] = one_hot(view["koikoi"][seat], 8)
        rows[f"{name} answers"] = answers + [0] * (8 - len(answers))
        rows[f"{name} yaku"] = [yaku.get(yaku_name, 0) for yaku_name in YAKU_NAMES]
    return rows


def in_order(rows: dict, blocks: tuple[encoding.Block, ...]) -> list:
    """The rows in the order of the block table, each block as wide as it says."""
    assert set(rows) == {block.name for block in blocks}
    assert all(len(rows[block.name]) == block.width for block in blocks)
    return [row for block in blocks for row in rows[block.name]]


def cards_of(bits: int) -> set[str]:
    return {text for number, text in enumerate(CARD_TEXTS) if int(bits) >> number & 1}


def test_the_tables_widths_are_the_sizes():
    for blocks, size in (
        (encoding.ATTRIBUTE_BLOCKS, encoding.NUM_ATTRIBUTES),
        (encoding.PLACE_BLOCKS, encoding.NUM_PLACE_ROWS),
        (encoding.PROGRESS_BLOCKS, encoding.NUM_PROGRESS),
    ):
        assert sum(block.width for block in blocks) == size
        assert len({block.name for block in blocks}) == len(blocks)
        assert all(block.meaning and block.scale >= 1 for block in blocks)
    assert encoding.ATTRIBUTES.shape == (encoding.NUM_TOKENS, encoding.NUM_ATTRIBUTES)
    assert encoding.PROGRESS_SCALES.shape == (encoding.NUM_PROGRESS,)


def test_offsets_and_scales_follow_the_tables():
    names = {
        "NOW": "now",
        "FIRST": "first",
        "PAIRING": "pairing",
        "MY_TURNS": "my turns",
        "THEIR_TURNS": "their turns",
    }
    start = 0
    for block in encoding.PLACE_BLOCKS:
        assert [getattr(encoding, name) for name, told in names.items() if told == block.name] == [start]
        start += block.width
    start = 0
    for block in encoding.PROGRESS_BLOCKS:
        assert getattr(encoding, block.name.upper().replace(" ", "_")) == start
        assert set(encoding.PROGRESS_SCALES[start : start + block.width]) == {block.scale}
        start += block.width


def test_groups_are_those_of_the_rules():
    assert [name for name, _ in encoding.GROUPS] == list(GROUPS)
    for name, cards in encoding.GROUPS:
        assert cards_of(cards) == GROUP_CARDS[name]


def test_attributes():
    for number, text in enumerate(CARD_TEXTS):
        suit = one_hot(int(text.split("-")[0]) - 1, 12)
        groups = [int(text in cards) for cards in GROUP_CARDS.values()]
        assert encoding.ATTRIBUTES[number].tolist() == [*suit, *groups, 0, 0]
    assert encoding.ATTRIBUTES[48:].tolist() == [[0] * 25 + [1, 0], [0] * 25 + [0, 1]]


@pytest.mark.parametrize("seed", range(12))
def test_against_a_slow_account_of_the_view(seed):
    seen: Counter[str] = Counter()
    for match in played(seed, rounds=1 + seed, points=(30, 200)[seed % 2]):
        for seat in (0, 1):
            view = match.view(seat)
            places, progress = encoded(match, seat)
            expected = in_order(slow_places(view), encoding.PLACE_BLOCKS)
            assert [cards_of(row) for row in places] == expected
            assert progress.tolist() == in_order(slow_progress(view), encoding.PROGRESS_BLOCKS)
        seen[view["phase"]] += 1
    assert seen["discard"] > 5


def test_large_numbers_are_cut_where_the_table_says():
    match = fuda.game("koikoi", points=1000).start(1)
    state = match._state.copy()
    state[0].points[:] = 1500, 500
    match._stand(state, state, state, dealt=False)
    assert [encoded(match, seat)[1][encoding.LEAD] for seat in (0, 1)] == [60, -60]


@pytest.mark.parametrize("seed", range(6))
def test_unseen_cards_change_nothing(seed):
    for number, match in enumerate(played(seed, rounds=2)):
        for seat in (0, 1):
            dealt = match.view_record(seat)
            match.game.spec.rules.redeal(dealt[0], seat, streams(seed, SAMPLE, number, 1))
            assert dealt.tobytes() != match.state_bytes() or number > 20
            for mine, theirs in zip(encoded(match, seat), encoded_record(dealt, seat), strict=True):
                assert np.array_equal(mine, theirs)


def renamed(match: fuda.Match, names: dict[str, str]) -> fuda.Match:
    """The same match with other cards throughout: deals and moves."""
    name = lambda card: names.get(card, card)  # noqa: E731
    deals = [
        {
            "dealer": deal["dealer"],
            "hands": [[name(card) for card in hand] for hand in deal["hands"]],
            "field": [name(card) for card in deal["field"]],
            "stock": [name(card) for card in deal["stock"]],
        }
        for deal in match.deals
    ]
    twin = match.game.start(match.seed, deals)
    for _, move in match.moves:
        twin.play(name(move))
    return twin


def permutation(names: dict[str, str]) -> np.ndarray:
    """For each token the one that it becomes."""
    cards = [CARD_IDS[names.get(card, card)] for card in CARD_TEXTS]
    return np.array([*cards, 48, 49])


def bits(places: np.ndarray) -> np.ndarray:
    return unpack(torch.from_numpy(places[None]), encoding.NUM_TOKENS)[0].numpy()


@pytest.fixture(scope="module")
def net() -> TokenTransformer:
    torch.manual_seed(1)
    attributes, scales = torch.from_numpy(encoding.ATTRIBUTES), torch.from_numpy(encoding.PROGRESS_SCALES)
    shape = TokenShape(first=32, width=16, blocks=2, heads=2, hidden=32)
    return TokenTransformer(attributes, scales, encoding.NUM_PLACE_ROWS, shape)


def values(net: TokenTransformer, places: np.ndarray, progress: np.ndarray) -> np.ndarray:
    """Of all tokens, [50]."""
    with torch.no_grad():
        read = torch.arange(encoding.NUM_TOKENS)[None]
        inputs = torch.from_numpy(bits(places)).float()[None], torch.from_numpy(progress).float()[None]
        return net(*inputs, read)[0, :, 0].numpy()


def test_there_are_thirteen_pairs_of_equal_dross():
    """A pair in months 1 to 10, three of month 12, none in month 11."""
    assert len(EQUAL_DROSS) == 10 + 3
    for first, second in EQUAL_DROSS:
        assert np.array_equal(encoding.ATTRIBUTES[CARD_IDS[first]], encoding.ATTRIBUTES[CARD_IDS[second]])
    assert len({row.tobytes() for row in encoding.ATTRIBUTES}) == 50 - 10 - 2


@pytest.mark.parametrize("pair", EQUAL_DROSS, ids=lambda pair: "and".join(pair))
def test_equal_dross_cards_are_interchangeable(pair, net):
    names = dict([pair, pair[::-1]])
    moved = permutation(names)
    for match in played(CARD_IDS[pair[0]], rounds=2)[::5]:
        (places, progress), (other_places, other_progress) = encoded(match), encoded(renamed(match, names))
        assert np.array_equal(bits(other_places)[moved], bits(places))
        assert np.array_equal(other_progress, progress)
        told, others = values(net, places, progress), values(net, other_places, other_progress)
        assert np.allclose(others[moved], told, atol=1e-5)


@pytest.mark.parametrize("months", encoding.EQUAL_MONTHS)
def test_equal_months_are_the_same_position_in_another_suit(months):
    first, second = months
    names = {f"{a}-{index}": f"{b}-{index}" for a, b in (months, months[::-1]) for index in range(1, 5)}
    moved = permutation(names)
    suits = np.arange(encoding.NUM_ATTRIBUTES)
    suits[[first - 1, second - 1]] = second - 1, first - 1
    assert np.array_equal(encoding.ATTRIBUTES[moved], encoding.ATTRIBUTES[:, suits])
    for seed in range(4):
        for match in played(seed, rounds=3)[::4]:
            twin = renamed(match, names)
            assert twin.view(match.seat)["points"] == match.view(match.seat)["points"]
            (places, progress), (other_places, other_progress) = encoded(match), encoded(twin)
            assert np.array_equal(bits(other_places)[moved], bits(places))
            assert np.array_equal(other_progress, progress)


def test_no_other_months_are_equal():
    groups = encoding.ATTRIBUTES[:48, 12:25].reshape(12, 4, 13)
    equal = [
        (a + 1, b + 1) for a in range(12) for b in range(a + 1, 12) if np.array_equal(groups[a], groups[b])
    ]
    assert tuple(equal) == encoding.EQUAL_MONTHS


def test_the_four_ways_to_name_the_suits():
    assert encoding.EQUAL_ATTRIBUTES.shape == (4, *encoding.ATTRIBUTES.shape)
    expected = set()
    for exchanges in ((), (0,), (1,), (0, 1)):
        moved = np.arange(encoding.NUM_TOKENS)
        for first, second in (encoding.EQUAL_MONTHS[number] for number in exchanges):
            cards = np.arange(4)
            moved[4 * (first - 1) + cards], moved[4 * (second - 1) + cards] = (
                4 * (second - 1) + cards,
                4 * (first - 1) + cards,
            )
        expected.add(encoding.ATTRIBUTES[moved].tobytes())
    assert {rows.tobytes() for rows in encoding.EQUAL_ATTRIBUTES} == expected


def test_the_page_of_the_documentation_is_that_of_the_tables(bench_script):
    page = (Path(__file__).parents[3] / "docs" / "encoding-koikoi.md").read_text()
    written = bench_script("encoding_tables").encoding("koikoi")
    assert written in page
    assert all(f"| {block.name} |" in written for block in encoding.PROGRESS_BLOCKS)
