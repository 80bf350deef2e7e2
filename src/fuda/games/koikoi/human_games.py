"""Import of the Koi-Koi paper's human games: JSON with `info`, `record.roundN.turnM`, `result`.

The match is played through the rules and every turn is compared with what the rules made of it,
so a file that they do not allow is refused, never bent.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fuda.core.errors import DealError, IllegalMove, RecordError, echo
from fuda.core.match import Match
from fuda.games import game
from fuda.games.koikoi.rules import LAST_TURNS


def import_match(data: object) -> Match:
    """The match of one file; player 1 sits in seat 0."""
    info, rounds = _get(data, "info"), _get(data, "record")
    names = [f"round{number}" for number in range(1, len(rounds) + 1)] if isinstance(rounds, dict) else []
    deals = [_deal(rounds, name) for name in names]
    with _at("info"):
        if _int(info, "player1InitPts") != _int(info, "player2InitPts"):
            raise RecordError("the players start with different points")
        table = game("koikoi", rounds=_get(info, "numRound"), points=_get(info, "player1InitPts"))
        players = [_get(info, "player1Name"), _get(info, "player2Name")]
        try:
            match = table.start(None, deals, players)
        except DealError as error:
            raise _BadDeal(names[error.number], error.why) from None
    for name in names:
        _play_round(match, _get(rounds, name), name)
    with _at("result"):
        scores = [_int(data, "result", f"player{player}EndPts") for player in (1, 2)]
        if match.scores != scores:
            raise RecordError(f"the match ends {match.scores}, the record says {echo(scores)}")
    return match


class _BadDeal(RecordError):
    """A round's deal that cannot be; it was found while something else was read."""

    def __init__(self, name: str, why: str):
        super().__init__(f"{name}.basic: {why}")


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Say where in the file the trouble is."""
    try:
        yield
    except _BadDeal:
        raise
    except ValueError as error:
        raise RecordError(f"{place}: {error}") from None


def _deal(rounds: Any, name: str) -> dict[str, Any]:
    with _at(f"{name}.basic"):
        basic = _get(rounds, name, "basic")
        return {
            "dealer": _int(basic, "Dealer") - 1,
            "hands": [_cards(_get(basic, "initHand1")), _cards(_get(basic, "initHand2"))],
            "field": _cards(_get(basic, "initBoard")),
            "stock": _cards(_get(basic, "initPile"))[::-1],  # drawn from the end
        }


def _play_round(match: Match, turns: Any, name: str) -> None:
    number = len(match.deals)
    if match.over:
        raise RecordError(f"{name}: the match is over before it")
    for turn in range(1, len(turns)):  # all entries but "basic"
        with _at(f"{name}.turn{turn}"):
            if match.over or len(match.deals) != number:
                raise RecordError("the round is over before it")
            _play_turn(match, _get(turns, f"turn{turn}"), is_last=turn > LAST_TURNS)
    if not match.over and len(match.deals) == number:
        raise RecordError(f"{name}: its turns end before the round does")
    with _at(f"{name}.basic"):
        if match.view(0)["round_points"][number - 1] != _int(turns, "basic", "player1RoundPts"):
            raise RecordError("its points do not follow from its turns")


def _play_turn(match: Match, turn: Any, *, is_last: bool) -> None:
    seat, number = match.seat, len(match.deals)
    if seat is None or _int(turn, "playerInTurn") != seat + 1:
        raise RecordError("playerInTurn is not the player whose turn it is")
    told = {
        "discard": _card(_get(turn, "discardCard")),
        "discard_took": sorted(_cards(_get(turn, "collectCard"))),
        "draw": _card(_get(turn, "drawCard")),
        "draw_took": sorted(_cards(_get(turn, "collectCard2"))),
        "koikoi": _get(turn, "isKoiKoi"),
    }
    if not (told["koikoi"] is None or isinstance(told["koikoi"], bool)):
        raise RecordError(f"isKoiKoi is true, false or null, not {echo(told['koikoi'])}")
    made: dict[str, Any] = {"discard_took": [], "draw_took": [], "koikoi": None}
    while match.seat == seat and len(match.deals) == number:
        try:
            match.play(_told_move(match.view(seat), told))
        except IllegalMove:
            raise
        except ValueError as error:  # the turn is good, but the next round's deal does not follow
            raise _BadDeal(f"round{number + 1}", str(error)) from None
        _note(match.events(seat), made)
    if is_last and told["koikoi"] is False:
        told["koikoi"] = None  # RULES 3.4: written down as a stop, but nobody was asked
    for key, value in made.items():
        if told[key] != value:
            raise RecordError(f"{key} is {echo(told[key])}, by the rules {echo(value)}")


def _told_move(view: dict[str, Any], told: dict[str, Any]) -> str:
    """What the record answers to the decision that is due."""
    if view["phase"] == "discard":
        return str(told["discard"])
    if view["phase"] == "koikoi":
        return {True: "koikoi", False: "stop"}.get(told["koikoi"], "no answer")
    took = told["discard_took" if view["shown"] == told["discard"] else "draw_took"]
    others = [card for card in took if card != view["shown"]]
    return others[0] if others else "nothing"


def _note(events: list[dict[str, Any]], made: dict[str, Any]) -> None:
    """Gather what the rules made of a turn, in the record's terms."""
    for event in events:
        if event["type"] in ("discard", "draw"):
            made[event["type"]] = event["card"]
        elif event["type"] == "take":
            which = "discard_took" if event["cards"][0] == made["discard"] else "draw_took"
            made[which] = sorted(event["cards"])
        elif event["type"] in ("koikoi", "stop"):
            made["koikoi"] = event["type"] == "koikoi"


def _get(data: Any, *path: str) -> Any:
    for key in path:
        if not isinstance(data, dict) or key not in data:
            raise RecordError(f"this is no human game: {'.'.join(path)} is missing")
        data = data[key]
    return data


def _int(data: Any, *path: str) -> int:
    number = _get(data, *path)
    if type(number) is not int:
        raise RecordError(f"{path[-1]} is a whole number, not {echo(number)}")
    return number


def _card(pair: Any) -> str:
    good = isinstance(pair, list) and len(pair) == 2 and all(type(part) is int for part in pair)
    if not good:
        raise RecordError(f"a card is a pair of month and index, not {echo(pair)}")
    return f"{pair[0]}-{pair[1]}"


def _cards(pairs: Any) -> list[str]:
    if not isinstance(pairs, list):
        raise RecordError(f"cards are a list of pairs, not {echo(pairs)}")
    return [_card(pair) for pair in pairs]
