"""Why a move may be right, in positions written by hand."""

from collections import Counter

import fuda
from fuda.games.doudizhu.moves import FULL_DECK, RANKS
from fuda.games.doudizhu.reasons import reason
from fuda.games.doudizhu.text import cards_text

LANDLORD = "3456788899TTTJJQQQKK"  # a chain, and three trios with pairs


def start(landlord, down="", up="", moves="", **options):
    """The hands as far as they are given; the rest of the deck is dealt to the peasants in turn."""
    rest = Counter(cards_text(FULL_DECK))
    rest.subtract(landlord + down + up)
    for card in sorted(rest.elements(), key=RANKS.index):
        if len(down) < 17 and (len(down) <= len(up) or len(up) == 17):
            down += card
        else:
            up += card
    match = fuda.game("doudizhu", **options).start(0, deal={"hands": [landlord, down, up]})
    for move in moves.split():
        match.play(move)
    return match


def why(match, move, **changed):
    view = match.view_record(match.seat)[0]
    for seat, size in changed.pop("sizes", {}).items():
        view.sizes[seat] = size
    return reason(view, match.legal_actions()[move])


def test_what_a_move_leaves():
    match = start(LANDLORD)
    assert why(match, "88899") == {"type": "rounds", "count": 3}
    assert why(match, "3") == {"type": "breaks"}
    for move in ("88899", "pass", "pass", "TTTJJ", "pass", "pass"):
        match.play(move)
    assert why(match, "QQQKK") == {"type": "leaves", "kind": "solo chain"}
    for move in ("QQQKK", "pass", "pass"):
        match.play(move)
    assert why(match, "34567") == {"type": "out"}


def test_what_nobody_can_beat():
    """With a card of each rank in the own hand nobody holds a bomb."""
    match = start("3456789TJQKA2R" + "2JQK99")
    assert why(match, "R") == {"type": "unbeaten"}
    assert why(match, "A") != {"type": "unbeaten"}
    match = start("3456789TJQKA2R" + "2JQKK9")
    assert why(match, "KKK") is None or why(match, "KKK")["type"] != "unbeaten"  # three aces may be held
    match = start("456789TJQKA2R" + "2JQKK99")
    assert why(match, "R") != {"type": "unbeaten"}  # four threes may be


def test_who_holds_one_card_is_given_no_single():
    match = start(LANDLORD)
    assert why(match, "99", sizes={2: 1}) == {"type": "blocks", "seat": 2}
    assert why(match, "3", sizes={2: 1}) == {"type": "breaks"}


def test_partners_and_bombs():
    match = start("3456788899TTTJJQQQKK", down="A", moves="3 A")
    assert match.seat == 2
    assert why(match, "pass") == {"type": "partner", "seat": 1}
    match = start("3355667788899TTJJQQR", down="4444", moves="R")
    assert match.view(1)["legal"] == ["4444", "pass"]
    assert why(match, "pass") == {"type": "spares", "cards": "4444"}


def test_bids():
    hands = ["3333456789TJQ22BR"[:17], "4445556667778889T"[:17]]
    rest = Counter(cards_text(FULL_DECK))
    rest.subtract("".join(hands))
    left = "".join(sorted(rest.elements(), key=RANKS.index))
    deal = {"hands": [*hands, left[:17]], "bottom": left[17:]}
    match = fuda.game("doudizhu", bidding="on").start(0, deal=deal)
    assert why(match, "bid3") == {"type": "strength", "cards": "333322BR"}
    assert why(match, "bid0") is None
    match.play("bid0")
    assert why(match, "bid0") == {"type": "weak"}
    assert why(match, "bid1") is None
