"""Why a card may be right: what it wins, ducks, throws away or hunts. By the mover's own view alone."""

from typing import Any

from fuda.games.gongzhu.cards import PIG, SCORING, SHEEP, WORTHLESS
from fuda.games.gongzhu.showing import SHOW, SHOWABLE, is_showing
from fuda.games.tricks.french import ALL_CARDS, CARD_IDS, CARD_TEXTS, SPADES, SUIT_LETTERS, of_suit, suit_of
from fuda.games.tricks.play import NUM_SEATS, first_of_trick, on_table, seat_of_play, taken

TYPES = ("guarded", "takes", "gives", "throws", "free", "highest", "hunts", "lowest", "under", "void")
PIG_CARD = CARD_IDS["SQ"]
GUARDS = 4  # other spades beside a pig that is not easily lost

Reason = dict[str, Any]


def reason(view: Any, action: int) -> Reason | None:
    """The best reason for or against an action."""
    if is_showing(view):
        return _of_showing(view, action)
    return _of_following(view, action) if view.num_plays & 3 else _of_leading(view, action)


def _of_showing(view: Any, action: int) -> Reason | None:
    """A pig among many spades is one that its holder need not take."""
    if action - SHOW >= len(SHOWABLE) or SHOWABLE[action - SHOW] != PIG_CARD:
        return None
    guards = int(of_suit(view.hand[view.seat], SPADES)).bit_count() - 1
    return {"type": "guarded", "count": guards} if guards >= GUARDS else None


def _of_leading(view: Any, card: int) -> Reason | None:
    lower, higher = _others(view, card)
    if not higher:
        return {"type": "highest"}
    if suit_of(card) == SPADES and card < PIG_CARD and higher & PIG:
        return {"type": "hunts"}
    return None if lower else {"type": "lowest"}


def _of_following(view: Any, card: int) -> Reason | None:
    first = int(first_of_trick(view))
    plays = [int(view.plays[index]) for index in range(first, view.num_plays)]
    led = suit_of(plays[0])
    best = max(played for played in plays if suit_of(played) == led)
    is_last = len(plays) == NUM_SEATS - 1
    winner = int(seat_of_play(view, first + plays.index(best)))
    scoring = _scoring([*plays, card])
    if suit_of(card) == led and card > best:
        if is_last:
            return {"type": "takes", "cards": scoring} if scoring else {"type": "free"}
        return None if _others(view, card)[1] else {"type": "highest"}
    hurts = 1 << card & SCORING & ~(SHEEP | WORTHLESS)
    with_partner = (winner - view.seat) % 2 == 0
    if is_last and ((hurts and not with_partner) or (1 << card & SHEEP and with_partner)):
        return {"type": "gives", "cards": [CARD_TEXTS[card]], "seat": winner}
    if hurts and not is_last:
        return {"type": "throws", "cards": [CARD_TEXTS[card]]}
    if suit_of(card) == led:
        return {"type": "under", "cards": [CARD_TEXTS[best]]}
    if int(of_suit(view.hand[view.seat], suit_of(card))) == 1 << card:
        return {"type": "void", "suit": SUIT_LETTERS[suit_of(card)]}
    return None


def _others(view: Any, card: int) -> tuple[int, int]:
    """The cards of its suit below it and above it that others hold."""
    seen = int(view.hand[view.seat]) | int(taken(view)) | int(on_table(view))
    others = int(of_suit(ALL_CARDS & ~seen, suit_of(card)))
    return others & ((1 << card) - 1), others >> card << card


def _scoring(cards: list[int]) -> list[str]:
    """Those that count, what counts most first."""
    weights = {"SQ": 0, "DJ": 1, "C10": 2}
    texts = [CARD_TEXTS[card] for card in cards if 1 << card & SCORING]
    return sorted(texts, key=lambda text: (weights.get(text, 3), -CARD_IDS[text]))
