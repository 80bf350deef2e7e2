"""Which cards a seat may know, worked out from the deals and moves of a record, not from views."""

import importlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from fuda.core.game import GameSpec
from fuda.core.match import Match

Check = Callable[[dict[str, Any], Match, int, int], set[str]]  # message, match, seat, last deal


def texts(message: Any) -> Iterator[str]:
    """Every string in a message, keys included."""
    if isinstance(message, dict):
        for key, value in message.items():
            yield key
            yield from texts(value)
    elif isinstance(message, list):
        for value in message:
            yield from texts(value)
    elif isinstance(message, str):
        yield message


def moves_of_deal(match: Match, number: int) -> list[tuple[int, str]]:
    """The moves made in a deal of the match, counted from 0."""
    found: list[list[tuple[int, str]]] = []
    for event in match.log:
        if "deal" in event:
            found.append([])
        elif "move" in event:
            found[-1].append((event["seat"], event["move"]))
    return found[number]


def unknown_cards(message: dict[str, Any], match: Match, seat: int, between: bool) -> set[str]:
    """The cards in a message that the seat could not know. `between`: the next deal is not shown yet."""
    last = len(match.deals) - 1 - between
    return check_of(match.game.spec)(message, match, seat, last)


def check_of(spec: GameSpec) -> Check:
    """The check of a game: here, or in its own folder if that is not one of fuda's."""
    if spec.id in CHECKS:
        return CHECKS[spec.id]
    try:
        return importlib.import_module(f"{spec.rules.__package__}.known_cards").unknown_cards
    except ModuleNotFoundError:
        raise AssertionError(f"{spec.id} needs a function in CHECKS of {__file__}: CONTRIBUTING.md") from None


def unknown_koikoi(message: dict[str, Any], match: Match, seat: int, last: int) -> set[str]:
    """Earlier rounds are history: their moves stand in it, and name cards that are hidden again now."""
    news = without_history(message)
    deal, moves = match.deals[last], moves_of_deal(match, last)
    known = set(deal["hands"][seat]) | set(deal["field"]) | {move for _, move in moves}
    # Each finished discard draws one card; a discard that waits for a pick has not drawn yet.
    known |= set(deal["stock"][: drawn_cards(match, last)])
    if match.game.all_options["hand_yaku"] == "on":
        known |= {card for hand in deal["hands"] if wins_at_once(hand) for card in hand}
    cards = {text for text in texts(news) if re.fullmatch(r"\d{1,2}-\d", text)}
    return cards - known


def wins_at_once(hand: list[str]) -> bool:
    """Whether a hand is four of a month or four pairs, which is shown where that wins."""
    counts = sorted(Counter(card.partition("-")[0] for card in hand).values())
    return counts[-1] == 4 or counts == [2, 2, 2, 2]


def drawn_cards(match: Match, last: int) -> int:
    """Cards drawn in a round, by playing it again: turns that are past their discard and its pick."""
    again = match.game.start(match.seed, match.deals[: last + 1], match.players)
    for event in match.log[1:]:
        if "move" in event:
            again.play(event["move"])
            if again.dealt and len(again.deals) - 1 > last:
                return int(again._stepped[0].drawn)
    return int(again._state[0].drawn)


def unknown_gongzhu(message: dict[str, Any], match: Match, seat: int, last: int) -> set[str]:
    """What is shown before play is seen by all."""
    known = set(match.deals[0]["hands"][seat]) | {move.removeprefix("show") for _, move in match.moves}
    cards = {text for text in texts(message) if re.fullmatch(r"[SHDC](10|[2-9JQKA])", text)}
    return cards - known - {"S", "H", "D", "C"}


def unknown_doudizhu(message: dict[str, Any], match: Match, seat: int, last: int) -> set[str]:
    """Ranks are not unique: a text of cards must be part of one heap that the seat has seen."""
    deal, moves = match.deals[last], moves_of_deal(match, last)
    bidding = match.game.all_options["bidding"]
    landlord = LANDLORDS[bidding](moves)
    hands = list(deal["hands"])
    if bidding != "off" and landlord is not None:
        hands[landlord] += deal["bottom"]
    heaps = [hands[seat]] + ([deal["bottom"]] if landlord is not None else [])
    heaps += [hands[mover] for mover, move in moves if move == "show"]
    heaps += [
        "".join(move for mover, move in moves if mover == other and CARDS.fullmatch(move))
        for other in range(3)
    ]
    news = without_history(message)
    cards = {text for text in texts(news) if CARDS.fullmatch(text)}
    return {text for text in cards if not any(Counter(text) <= Counter(heap) for heap in heaps)}


CARDS = re.compile(r"[3-9TJQKA2BR]+")


def landlord_by_bids(moves: list[tuple[int, str]]) -> int | None:
    """Who has bought the bottom, None while the bidding goes on or if nobody did."""
    bids = [(move, -mover) for mover, move in moves if move.startswith("bid")]
    best, seat = max(bids, default=("bid0", 0))
    over = best == "bid3" or (len(bids) == 3 and best > "bid0")
    return -seat if over else None


def landlord_by_robbing(moves: list[tuple[int, str]]) -> int | None:
    """Who called or robbed last, None while somebody is to be asked or if nobody called."""
    said = [(mover, move) for mover, move in moves if move in ("call", "nocall", "rob", "norob")]
    takers = [mover for mover, move in said if move in ("call", "rob")]
    # Each is asked once, and who called once more if somebody robbed.
    asked = 3 + any(move == "rob" for _, move in said[:3])
    return takers[-1] if takers and len(said) == asked else None


LANDLORDS = {"off": lambda moves: 0, "on": landlord_by_bids, "robbing": landlord_by_robbing}


def without_history(message: Any) -> Any:
    """The message less what was told of earlier deals."""
    if isinstance(message, dict):
        return {key: without_history(value) for key, value in message.items() if key != "history"}
    return [without_history(value) for value in message] if isinstance(message, list) else message


CHECKS: dict[str, Check] = {
    "koikoi": unknown_koikoi,
    "gongzhu": unknown_gongzhu,
    "doudizhu": unknown_doudizhu,
}
