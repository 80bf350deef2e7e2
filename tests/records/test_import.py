"""The paper's human games: what the rules allow is imported, everything else refused with its place."""

import copy
import json
import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda
from fuda.games.koikoi.human_games import import_match
from fuda.records import load_foreign


@cache
def played(seed: int, rounds: int = 3, points: int = 30) -> fuda.Match:
    match = fuda.game("koikoi", rounds=rounds, points=points).start(seed, players=["Anna", "Bo"])
    luck = random.Random(seed)
    while not match.over:
        match.play(luck.choice(match.legal()))
    return match


def pair(card: str) -> list[int]:
    return [int(part) for part in card.split("-")]


def foreign(match: fuda.Match) -> dict:
    """The match as those files have it, by a plain reading of the rules of a turn."""
    info = {"player1Name": match.players[0], "player2Name": match.players[1]}
    points = match.game.options["points"]
    info |= {"player1InitPts": points, "player2InitPts": points, "numRound": match.game.options["rounds"]}
    rounds = {}
    for number, deal in enumerate(match.deals, 1):
        gain = match.view(0)["round_points"][number - 1]
        basic = {"Dealer": deal["dealer"] + 1, "initBoard": [pair(card) for card in deal["field"]]}
        basic |= {f"initHand{seat}": [pair(card) for card in deal["hands"][seat - 1]] for seat in (1, 2)}
        basic |= {"initPile": [pair(card) for card in reversed(deal["stock"])]}
        basic |= {"player1RoundPts": gain, "player2RoundPts": -gain, "roundWinner": 1 if gain > 0 else 2}
        rounds[f"round{number}"] = {"basic": basic} | turns_of(match, number)
    ends = {f"player{seat + 1}EndPts": match.scores[seat] for seat in (0, 1)}
    return {"info": info, "record": rounds, "result": {"isOver": True} | ends}


def turns_of(match: fuda.Match, number: int) -> dict:
    """The turns of one round, written down from the moves and the plain rules of taking."""
    starts = [place for place, event in enumerate(match.log) if "deal" in event]
    deal = match.log[starts[number - 1]]["deal"]
    events = iter([*match.log[starts[number - 1] + 1 : [*starts, None][number]], {}])
    field, stock = set(deal["field"]), list(deal["stock"])
    turns: dict[str, dict] = {}
    event = next(events)
    while "move" in event:
        seat, took = event["seat"], []
        discard, draw = event["move"], stock.pop(0)
        event = next(events)
        for card in (discard, draw):
            matching = sorted(other for other in field if other.split("-")[0] == card.split("-")[0])
            if len(matching) == 2:
                matching, event = [event["move"]], next(events)
            field = field - set(matching) if matching else field | {card}
            took.append([pair(other) for other in (card, *matching)] if matching else [])
        answer = None
        if event.get("move") in ("koikoi", "stop"):
            answer, event = event["move"] == "koikoi", next(events)
        turns[f"turn{len(turns) + 1}"] = {
            "playerInTurn": seat + 1,
            "discardCard": pair(discard),
            "collectCard": took[0],
            "drawCard": pair(draw),
            "collectCard2": took[1],
            "isKoiKoi": answer,
        }
    return turns


def find_turn(wanted, seeds=range(40)) -> tuple[dict, str, str]:
    """A foreign game with the place of a turn that is `wanted(turn, number)`."""
    for seed in seeds:
        data = foreign(played(seed))
        for name, turns in data["record"].items():
            for number in range(1, len(turns)):
                if wanted(turns[f"turn{number}"], number):
                    return data, name, f"turn{number}"
    raise AssertionError("no such turn in any of the games")


def refused(data: object, *named: str) -> str:
    with pytest.raises(fuda.RecordError) as error:
        import_match(data)
    for name in named:
        assert name in str(error.value), f"{error.value} does not name {name}"
    assert str(error.value).isprintable()
    return str(error.value)


@pytest.mark.parametrize("seed", range(12))
def test_own_matches_come_back(seed):
    match = played(seed, rounds=1 + seed % 8)
    again = import_match(json.loads(json.dumps(foreign(match))))
    assert again == match
    assert again.moves == match.moves
    assert again.deals == match.deals
    assert again.players == ["Anna", "Bo"]
    assert again.scores == match.scores


def test_a_game_that_ends_early_comes_back():
    match = played(1, rounds=12, points=3)
    assert len(match.deals) < 12
    assert import_match(foreign(match)) == match


def test_from_a_file(tmp_path):
    path = tmp_path / "1.json"
    path.write_text(json.dumps(foreign(played(0)), indent=1))
    assert load_foreign("koikoi", path) == played(0)
    path.write_text(path.read_text()[:-5])
    with pytest.raises(fuda.RecordError, match=r"1\.json: not JSON"):
        load_foreign("koikoi", path)
    data = foreign(played(0))
    data["record"]["round2"]["turn3"]["playerInTurn"] ^= 3
    path.write_text(json.dumps(data))
    with pytest.raises(fuda.RecordError, match=r"1\.json: round2\.turn3: "):
        load_foreign("koikoi", path)


@pytest.mark.parametrize("number", range(1, 7))
def test_wrong_player_in_turn(number):
    data = foreign(played(2))
    turn = data["record"]["round1"][f"turn{number}"]
    for wrong in (3 - turn["playerInTurn"], 0, 3, None, str(turn["playerInTurn"]), True, []):
        turn["playerInTurn"] = wrong
        refused(data, f"round1.turn{number}")


@pytest.mark.parametrize("key", ["collectCard", "collectCard2"])
def test_wrong_collected_cards(key):
    for size in (0, 2):
        data, name, turn = find_turn(lambda turn, _, size=size: len(turn[key]) == size)
        entry = data["record"][name][turn]
        right = entry[key]
        for wrong in ([[1, 1]], [[1, 1], [1, 2]], [*right, [12, 4]], right[:1], right[1:], right * 2):
            if sorted(wrong) != sorted(right):
                entry[key] = wrong
                refused(data, f"{name}.{turn}")


def test_other_card_of_two_matches():
    """Where the player had a choice, an answer that was not on offer is refused."""
    data, name, turn = find_turn(lambda turn, _: len(turn["collectCard"]) == 2)
    entry = data["record"][name][turn]
    month = entry["discardCard"][0]
    entry["collectCard"] = [entry["discardCard"], [month % 12 + 1, 1]]
    refused(data, f"{name}.{turn}")


@pytest.mark.parametrize("key", ["discardCard", "drawCard"])
def test_wrong_card(key):
    data = foreign(played(3))
    entry = data["record"]["round2"]["turn2"]
    hand = data["record"]["round2"]["basic"][f"initHand{3 - entry['playerInTurn']}"]
    for wrong in (hand[0], [13, 1], [0, 0], [1], [], None, "1-1", [1, "1"], [1, 1, 1], [1.0, 1], [True, 1]):
        entry[key] = wrong
        refused(data, "round2.turn2")


@pytest.mark.parametrize("answer", [True, False])
def test_answer_missing_or_turned_round(answer):
    data, name, turn = find_turn(lambda turn, number: turn["isKoiKoi"] is answer and number < 14)
    for wrong in (None, not answer, int(answer), "yes"):
        data["record"][name][turn]["isKoiKoi"] = wrong
        refused(data, name)


def test_answer_that_nobody_was_asked_for():
    data, name, turn = find_turn(lambda turn, number: turn["isKoiKoi"] is None and number < 14)
    for wrong in (True, False, 0, 1, "no"):
        data["record"][name][turn]["isKoiKoi"] = wrong
        refused(data, f"{name}.{turn}")


def test_stop_written_down_in_a_last_turn_is_accepted():
    """RULES 3.4: nobody is asked, but the files write a stop."""
    data, name, turn = find_turn(lambda turn, number: number == 15)
    data["record"][name][turn]["isKoiKoi"] = False
    import_match(data)
    data["record"][name][turn]["isKoiKoi"] = True
    refused(data, f"{name}.{turn}")


@pytest.mark.parametrize("wrong", [0, 99, None, "1", [1], 1.5])
def test_wrong_points(wrong):
    data = foreign(played(4))
    data["record"]["round2"]["basic"]["player1RoundPts"] = wrong
    refused(data, "round2.basic")
    for player in (1, 2):
        data = foreign(played(4))
        data["result"][f"player{player}EndPts"] = wrong
        refused(data, "result")


@pytest.mark.parametrize("wrong", [0, 3, None, "1", [], {}, 1.0, True, -1])
@pytest.mark.parametrize("name", ["round1", "round2", "round3"])
def test_wrong_dealer(name, wrong):
    data = foreign(played(5))
    data["record"][name]["basic"]["Dealer"] = wrong
    refused(data, name)


@pytest.mark.parametrize("name", ["round1", "round2", "round3"])
def test_dealer_that_did_not_win_the_last_round(name):
    data = foreign(played(5))
    data["record"][name]["basic"]["Dealer"] ^= 3
    refused(data, name)


@pytest.mark.parametrize("zone", ["initHand1", "initHand2", "initBoard", "initPile"])
def test_wrong_deal(zone):
    data = foreign(played(6))
    basic = data["record"]["round2"]["basic"]
    right = basic[zone]
    for wrong in (
        [],
        None,
        "x",
        {},
        right[1:],
        right + right[:1],
        [right[1], *right[1:]],
        [[0, 0], *right[1:]],
    ):
        basic[zone] = wrong
        refused(data, "round2")


def paths(data: dict, before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The way to every value of a nested dictionary."""
    found = []
    for key, value in data.items():
        found.append((*before, key))
        if isinstance(value, dict):
            found += paths(value, (*before, key))
    return found


# What the importer does not read, because the rules say it already.
UNREAD = ("isOver", "player2RoundPts", "roundWinner")


def test_every_missing_key_is_named():
    data = foreign(played(7, rounds=2))
    for *way, key in paths(data):
        if key in UNREAD:
            continue
        bad = copy.deepcopy(data)
        inner = bad
        for step in way:
            inner = inner[step]
        del inner[key]
        # A round or turn that is missing shows at the next one.
        refused(bad, *way[1:2] if key.startswith("turn") else way[1:])


@pytest.mark.parametrize("wrong", [None, 5, "x", [], {}, True, 1.5, [[]], {"a": 1}])
def test_every_wrong_type_is_refused(wrong):
    data = foreign(played(7, rounds=1))
    for *way, key in paths(data):
        if key in UNREAD:
            continue
        bad = copy.deepcopy(data)
        inner = bad
        for step in way:
            inner = inner[step]
        right = inner[key]
        if (key.endswith("Name") and wrong == "x") or (wrong == right and type(wrong) is type(right)):
            continue
        inner[key] = wrong
        refused(bad, *way[1:])


def test_a_turn_or_round_too_many_or_too_few():
    data = foreign(played(8))
    rounds = data["record"]
    turns = rounds["round2"]
    last = f"turn{len(turns) - 1}"
    refused(data | {"record": rounds | {"round2": turns | {f"turn{len(turns)}": turns[last]}}}, "round2")
    refused(data | {"record": rounds | {"round2": turns | {"turn99": turns[last]}}}, "round2")
    fewer = {name: turn for name, turn in turns.items() if name != last}
    refused(data | {"record": rounds | {"round2": fewer}}, "round2")
    refused(data | {"record": rounds | {"round4": rounds["round3"]}})
    refused(data | {"record": {"round1": rounds["round1"]}}, "result")
    refused(data | {"record": rounds | {"extra": {}}})


def test_a_round_after_the_end_of_the_game():
    match = played(1, rounds=12, points=3)
    data = foreign(match)
    number = len(match.deals) + 1
    last = data["record"][f"round{number - 1}"]
    data["record"][f"round{number}"] = {"basic": last["basic"]}
    refused(data, f"round{number}")


@pytest.mark.parametrize("rounds", [0, 13, "3", None, 3.0])
def test_wrong_options(rounds):
    data = foreign(played(9))
    data["info"]["numRound"] = rounds
    refused(data, "rounds")


def test_players_that_start_with_different_points():
    data = foreign(played(9))
    data["info"]["player2InitPts"] = 29
    refused(data, "info")


@settings(deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["info", "record", "result", "round1", "basic"]), inner)
        ),
        max_leaves=10,
    )
)
def test_anything_else_is_refused(thing):
    refused(thing)
