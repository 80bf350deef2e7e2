"""The surface of a match: what it takes, what it refuses, and that a refusal changes nothing."""

import copy
import json
import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda

GAME = fuda.game("koikoi", rounds=2)
MONTHS = [[f"{month}-{index}" for index in range(1, 5)] for month in range(1, 13)]
CARDS = [card for month in MONTHS for card in month]


def play_on(match: fuda.Match, seed: int, moves: int | None = None) -> fuda.Match:
    luck = random.Random(seed)
    while not match.over and moves != 0:
        match.play(luck.choice(match.legal()))
        moves = None if moves is None else moves - 1
    return match


@cache
def finished() -> fuda.Match:
    return play_on(GAME.start(1), 1)


@cache
def at_phase(phase: str) -> fuda.Match:
    """A match in which the mover has this kind of decision."""
    for seed in range(100):
        match = GAME.start(seed)
        luck = random.Random(seed)
        while not match.over:
            if match.view(match.seat)["phase"] == phase:
                return match
            match.play(luck.choice(match.legal()))
    raise AssertionError(f"no decision {phase} in 100 matches")


@pytest.fixture(params=["discard", "pick", "koikoi", "over"])
def match(request) -> fuda.Match:
    return (finished() if request.param == "over" else at_phase(request.param)).copy()


def everything(match: fuda.Match) -> tuple:
    """All that can be seen of a match, as a value."""
    views = [match.view(seat) for seat in (0, 1)]
    seen = [match.events(seat) for seat in (0, 1)]
    state = (match.state_bytes(), match.seat, match.over, match.scores, match.legal())
    return copy.deepcopy((*state, match.moves, match.deals, match.record(), views, seen))


def deal_of(cards: list[str]) -> dict:
    return {"dealer": 0, "hands": [cards[:8], cards[8:16]], "field": cards[16:24], "stock": cards[24:]}


def good_deal() -> dict:
    """Each zone gets cards of many months."""
    return deal_of([MONTHS[place % 12][place // 12] for place in range(48)])


# Moves


def test_legal_is_in_string_order():
    match = GAME.start(3)
    luck = random.Random(3)
    while not match.over:
        legal = match.legal()
        assert legal
        assert legal == sorted(set(legal))
        assert match.view(match.seat)["legal"] == legal
        assert "legal" not in match.view(1 - match.seat)
        match.play(luck.choice(legal))
    assert match.legal() == []
    assert match.seat is None


BAD_MOVES = [
    None, True, False, 0, 7, -1, 1.5, float("nan"), b"3-2", [], ["3-2"], {}, ("3-2",), object(), np.int64(3),
    "", " ", "0-0", "13-1", "1-5", "01-1", "1-01", "1\u20131", "1 -1", "1-1\n", "1-1\0", "\uff11-1", "KOIKOI",
    "koikoi ", " stop", "pass", "nothing", "x" * 10**6, "\ud800", "\x1b[31m", "[bold]1-1[/]", "3-2,4-1",
]  # fmt: skip


@pytest.mark.parametrize("move", BAD_MOVES, ids=lambda move: repr(move)[:12])
def test_anything_but_a_legal_move_is_illegal_and_changes_nothing(match, move):
    before = everything(match)
    with pytest.raises(fuda.IllegalMove) as error:
        match.play(move)
    assert everything(match) == before
    sentence = str(error.value)
    assert sentence.isprintable()
    assert len(sentence) < 250
    assert "x" * 41 not in sentence
    if match.over:
        assert "over" in sentence
    elif not isinstance(move, str):
        assert "text" in sentence
    else:
        assert "legal moves: " in sentence


def test_legal_moves_with_whitespace_or_as_bytes_are_illegal(match):
    before = everything(match)
    for move in match.legal() or ["3-2"]:
        for near in (
            f" {move}",
            f"{move} ",
            f"{move}\n",
            f"\t{move}",
            move.encode(),
            [move],
            f"{move}{move}",
        ):
            with pytest.raises(fuda.IllegalMove):
                match.play(near)
    assert everything(match) == before


def test_every_other_card_is_illegal(match):
    before = everything(match)
    for move in {*CARDS, "koikoi", "stop"} - set(match.legal()):
        with pytest.raises(fuda.IllegalMove):
            match.play(move)
    assert everything(match) == before


@settings(deadline=None)
@given(st.text() | st.from_regex(r"\d{1,2}-\d", fullmatch=True))
def test_any_text_that_is_not_legal_is_illegal(text):
    for phase in ("discard", "pick", "koikoi"):
        match = at_phase(phase)
        if text in match.legal():
            continue
        with pytest.raises(fuda.IllegalMove) as error:
            match.play(text)
        assert isinstance(error.value, ValueError)
        assert len(text) <= 40 or text not in str(error.value)


def test_the_reason_is_said():
    discard, pick, answer = (at_phase(phase) for phase in ("discard", "pick", "koikoi"))
    with pytest.raises(fuda.IllegalMove, match="no koi-koi decision is offered now"):
        discard.play("koikoi")
    other = next(card for card in CARDS if card not in discard.legal())
    with pytest.raises(fuda.IllegalMove, match="the card is not in the hand"):
        discard.play(other)
    shown = pick.view(pick.seat)["shown"]
    with pytest.raises(fuda.IllegalMove, match=f"choose a field card that matches {shown}"):
        pick.play(shown)
    with pytest.raises(fuda.IllegalMove, match="the answer is koikoi or stop"):
        answer.play("3-2")


def test_scores_are_none_before_the_end_and_sum_to_sixty():
    match = GAME.start(2)
    while not match.over:
        assert match.scores is None
        match.play(match.legal()[0])
    assert sum(match.scores) == 60
    assert all(type(points) is int for points in match.scores)


# Explicit deals


def test_an_explicit_deal_is_dealt_as_given():
    deal = good_deal()
    for dealer in (0, 1):
        match = GAME.start(7, deal=deal | {"dealer": dealer})
        assert match.seat == dealer
        for seat in (0, 1):
            assert match.view(seat)["hand"] == sorted(deal["hands"][seat], key=CARDS.index)
        assert match.view(0)["field"] == sorted(deal["field"], key=CARDS.index)
        drawn = []
        while len(match.deals) == 1 and not match.over:
            match.play(match.legal()[0])
            drawn += [event["card"] for event in match.events(0) if event["type"] == "draw"]
        assert drawn == deal["stock"][: len(drawn)]


def test_tuples_and_numpy_numbers_are_deals_too():
    deal = good_deal()
    loose = {
        "dealer": np.int64(0),
        "hands": tuple(tuple(hand) for hand in deal["hands"]),
        "field": tuple(deal["field"]),
        "stock": tuple(deal["stock"]),
    }
    match = GAME.start(7, deal=[loose, loose])
    assert match == GAME.start(7, deal=[deal, deal])
    assert json.loads(json.dumps(match.record())) == match.record()


def test_the_given_deal_can_be_changed_afterwards():
    deals = [good_deal(), good_deal()]
    match, kept = GAME.start(7, deal=deals), GAME.start(7, deal=copy.deepcopy(deals))
    deals[0]["field"].clear()
    deals[1]["hands"][0].clear()
    deals.pop()
    assert play_on(match, 1, 30).record() == play_on(kept, 1, 30).record()


def whole_month(zone: str) -> dict:
    """A deck in which one zone holds all four cards of January."""
    places = {"first hand": 0, "second hand": 8, "field": 16}
    others = [MONTHS[1 + place % 11][place // 11] for place in range(44)]
    start = places[zone]
    return deal_of(others[:start] + MONTHS[0] + others[start:])


BAD_DEALS = {
    "empty dictionary": {},
    "empty list": [],
    "list of nothing": [None],
    "list of an empty dictionary": [{}],
    "text": "deal",
    "empty text": "",
    "number": 0,
    "false": False,
    "tuple": (good_deal(),),
    "list in a list": [[good_deal()]],
    "more deals than rounds": [good_deal()] * 3,
    "second is bad": [good_deal(), {}],
    "second is none": [good_deal(), None],
    "extra key": good_deal() | {"seed": 1},
    "one hand": good_deal() | {"hands": [CARDS[:8]]},
    "three hands": good_deal() | {"hands": [CARDS[:8]] * 3},
    "hands as text": good_deal() | {"hands": ["12345678", "12345678"]},
    "hands as a dictionary": good_deal() | {"hands": dict(enumerate(good_deal()["hands"]))},
    "field as a set": good_deal() | {"field": set(good_deal()["field"])},
    "cards as numbers": good_deal() | {"field": list(range(8))},
    "cards as pairs": good_deal() | {"field": [[1, 1]] * 8},
    "no such card": good_deal() | {"field": [*good_deal()["field"][:7], "13-1"]},
    "card with a space": good_deal() | {"field": [good_deal()["field"][0] + " ", *good_deal()["field"][1:]]},
    "hand is the field": good_deal() | {"hands": [good_deal()["field"], good_deal()["hands"][1]]},
    "stock too short": good_deal() | {"stock": good_deal()["stock"][:23]},
    "stock too long": good_deal() | {"stock": [*good_deal()["stock"], "1-1"]},
    **{f"no {key}": {name: kept for name, kept in good_deal().items() if name != key} for key in good_deal()},
    **{
        f"dealer {dealer!r}": good_deal() | {"dealer": dealer}
        for dealer in (2, -1, True, False, "0", None, 0.0)
    },
    **{f"whole month in the {zone}": whole_month(zone) for zone in ("first hand", "second hand", "field")},
}


@pytest.mark.parametrize("deal", BAD_DEALS.values(), ids=BAD_DEALS)
def test_bad_deals(deal):
    given_deal = copy.deepcopy(deal)
    with pytest.raises(ValueError) as error:  # noqa: PT011  # each has a sentence of its own
        GAME.start(7, deal=deal)
    assert not isinstance(error.value, fuda.IllegalMove)
    assert len(str(error.value)) < 200
    assert str(error.value).isprintable()
    assert deal == given_deal


def test_four_of_a_month_in_the_stock_is_a_good_deal():
    assert GAME.start(7, deal=deal_of(MONTHS_APART + MONTHS[0])).seat == 0


MONTHS_APART = [MONTHS[1 + place % 11][place // 11] for place in range(44)]


@settings(deadline=None)
@given(st.permutations(CARDS), st.sampled_from([0, 1]))
def test_a_permutation_is_a_good_deal_unless_a_zone_has_a_whole_month(cards, dealer):
    deal = deal_of(cards) | {"dealer": dealer}
    zones = [set(zone) for zone in (*deal["hands"], deal["field"])]
    if any(set(month) <= zone for month in MONTHS for zone in zones):
        with pytest.raises(ValueError, match="all four cards of a month"):
            GAME.start(0, deal=deal)
    else:
        match = GAME.start(0, deal=deal)
        assert [set(match.view(seat)["hand"]) for seat in (0, 1)] == zones[:2]
        assert match.seat == dealer


@settings(deadline=None)
@given(data=st.data())
def test_a_deal_with_one_card_replaced_is_bad(data):
    deal = good_deal()
    zone = data.draw(st.sampled_from([*deal["hands"], deal["field"], deal["stock"]]))
    place = data.draw(st.integers(0, len(zone) - 1))
    wrong = st.sampled_from(CARDS) | st.none() | st.integers() | st.text() | st.binary() | st.lists(st.none())
    zone[place] = data.draw(wrong.filter(lambda card: card != zone[place]))
    with pytest.raises(ValueError, match=r"a card is text|dealt twice"):
        GAME.start(0, deal=deal)


def test_a_later_dealer_must_have_won_and_nothing_is_lost():
    """RULES 5.3; the match stands before the move that would end the round."""
    plain = GAME.start(7, deal=good_deal())
    moves = []
    while len(plain.deals) == 1:
        moves.append(plain.legal()[0])
        plain.play(moves[-1])
    winner = 0 if plain.view(0)["round_points"][0] > 0 else 1
    right, wrong = (
        GAME.start(7, deal=[good_deal(), good_deal() | {"dealer": dealer}]) for dealer in (winner, 1 - winner)
    )
    for move in moves[:-1]:
        right.play(move)
        wrong.play(move)
    right.play(moves[-1])
    assert right.seat == right.view(0)["dealer"] == winner
    before = everything(wrong)
    with pytest.raises(ValueError, match=f"seat {winner} won the last round and deals") as error:
        wrong.play(moves[-1])
    assert not isinstance(error.value, fuda.IllegalMove)
    assert everything(wrong) == before


# Options, seeds, players


@pytest.mark.parametrize("rounds", [0, 13, -1, 4.0, "4", None, True, [], 10**30, float("nan")])
def test_options_out_of_range(rounds):
    with pytest.raises(ValueError, match="option rounds is a whole number from 1 to 12"):
        fuda.game("koikoi", rounds=rounds)


@pytest.mark.parametrize("points", [0, 1001, -30])
def test_points_out_of_range(points):
    with pytest.raises(ValueError, match="option points is a whole number from 1 to 1000"):
        fuda.game("koikoi", points=points)


def test_unknown_options_and_games():
    with pytest.raises(ValueError, match="koikoi has no option 'round'; it has rounds, points"):
        fuda.game("koikoi", round=4)
    for name in ("chess", "", None, 7, [], "koikoi ", "KoiKoi", "x" * 1000, "..", "koikoi.rules"):
        with pytest.raises(ValueError, match="there is no game") as error:
            fuda.game(name)
        assert len(str(error.value)) < 150


@pytest.mark.parametrize("rounds", [1, 12, np.int8(3)])
def test_a_match_has_so_many_rounds_at_most(rounds):
    match = play_on(fuda.game("koikoi", rounds=rounds, points=1000).start(1), 1)
    assert len(match.deals) == rounds
    assert sum(match.scores) == 2000


@pytest.mark.parametrize("seed", [-1, 1.0, 1.5, True, False, "1", b"1", [], float("nan"), 2**128])
def test_bad_seeds(seed):
    with pytest.raises(ValueError, match="a seed is a whole number") as error:
        GAME.start(seed)
    assert len(str(error.value)) < 150


@pytest.mark.parametrize("seed", [0, 2**64, 2**128 - 1, np.int64(5), np.uint64(2**64 - 1)])
def test_good_seeds_give_the_same_match_each_time(seed):
    one, two = play_on(GAME.start(seed), 1), play_on(GAME.start(int(seed)), 1)
    assert one.record() == two.record()
    assert type(one.record()["seed"]) is int
    json.dumps(one.record())


def test_a_seed_too_long_to_print():
    with pytest.raises(ValueError, match="a seed is a whole number"):
        GAME.start(10**5000)


def test_seeds_give_different_deals():
    deals = {json.dumps(GAME.start(seed).deals) for seed in range(200)}
    assert len(deals) == 200
    assert GAME.start().deals != GAME.start().deals


@pytest.mark.parametrize(
    "players", [[], ["a"], ["a", "b", "c"], "ab", ["a", 1], ["a", None], ["a", "b\n"], ["a", "x" * 81], 5, {}]
)
def test_bad_players(players):
    with pytest.raises(ValueError, match="players are 2 names"):
        GAME.start(1, players=players)


# Views, copies, equality


@pytest.mark.parametrize("seat", [2, -1, None, True, False, "0", 0.0, 1.0, 0.5, [], Fraction(1)])
def test_no_view_of_a_seat_that_is_not_there(match, seat):
    for look in (match.view, match.view_record, match.events):
        with pytest.raises(ValueError, match="a seat is 0 to 1"):
            look(seat)


def test_views_are_json_and_the_callers_own(match):
    before = everything(match)
    for seat in (0, 1, np.int64(1)):
        view = match.view(seat)
        assert json.loads(json.dumps(view)) == view
        assert view["seat"] == seat
        assert {"game", "seat", "to_move", "history", "options"} <= set(view)
        assert "seed" not in json.dumps(view)
        view["history"].clear()
        view["options"].clear()
        view["hand"].clear()
        view["piles"].clear()
    assert everything(match) == before


def test_a_view_does_not_depend_on_what_the_seat_cannot_see():
    """Other cards in the other hand and in the stock: the same view, as a dictionary and as bytes."""
    deal = good_deal()
    hidden = deal["hands"][1] + deal["stock"]
    for seed in range(20):
        random.Random(seed).shuffle(hidden)
        other = deal | {"hands": [deal["hands"][0], hidden[:8]], "stock": hidden[8:]}
        if any(set(month) <= set(hidden[:8]) for month in MONTHS):
            continue
        one, two = GAME.start(1, deal=deal), GAME.start(2, deal=other)
        assert one.view(0) == two.view(0)
        assert one.view_record(0).tobytes() == two.view_record(0).tobytes()
        assert one.view(1) != two.view(1)


def test_a_copy_is_independent(match):
    before = everything(match)
    twin = match.copy()
    assert twin == match
    play_on(twin, 1)
    assert twin.over
    assert everything(match) == before
    if not match.over:
        assert twin != match
        assert everything(play_on(match, 1)) == everything(twin)


def test_equality():
    one = GAME.start(1)
    assert one == GAME.start(1)
    assert one != GAME.start(2)
    assert one != fuda.game("koikoi", rounds=3).start(1)
    assert one != GAME.start(1, players=["a", "b"])
    assert one != "match"
    assert one != None  # noqa: E711
    moved = GAME.start(1)
    moved.play(moved.legal()[0])
    assert one != moved
    with pytest.raises(TypeError):
        hash(one)


def test_games_are_equal_by_their_options():
    assert fuda.game("koikoi") == fuda.game("koikoi", rounds=8, points=30)
    assert hash(fuda.game("koikoi")) == hash(fuda.game("koikoi", rounds=8))
    assert fuda.game("koikoi") != fuda.game("koikoi", rounds=7)
    assert fuda.game("koikoi") != "koikoi"
    assert eval(repr(fuda.game("koikoi", rounds=3))) == fuda.game("koikoi", rounds=3)


def test_what_a_seat_sees_between_two_rounds():
    match = GAME.start(2)
    while not match.dealt:
        match.play(match.legal()[0])
    view = match.ended_round_view(0)
    assert view["round"] == 1
    assert view["to_move"] is None
    assert "legal" not in view
    assert view["history"] == match.view(0)["history"]
    assert match.view(0)["round"] == 2
    assert [event["type"] for event in match.deal_events(0)] == ["deal"]
    assert match.move_events(0)[-1]["type"] == "round_over"
    assert match.events(0) == match.move_events(0) + match.deal_events(0)
    match.play(match.legal()[0])
    assert not match.dealt
    assert match.deal_events(0) == []


@pytest.mark.parametrize("game_id", fuda.list_games())
def test_margins_are_those_of_the_sides(game_id):
    match = fuda.game(game_id).start(3)
    assert match.margin(0) is None
    play_on(match, 3)
    spec = match.game.spec
    margins = [match.margin(seat) for seat in range(spec.seats)]
    sides = [int(spec.rules.side(match._state[0], seat)) for seat in range(spec.seats)]
    for margin, side in zip(margins, sides, strict=True):
        assert margin == margins[sides.index(side)]
    if spec.two_sided:
        assert {margins[0], -margins[0]} == set(margins)


def test_what_legal_actions_gives_is_the_callers():
    match = fuda.game("gongzhu").start(1)
    given = match.legal_actions()
    given.clear()
    assert len(match.legal()) == len(match.legal_actions()) == 13
