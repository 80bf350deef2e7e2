"""A match that looks the same to a seat, and is another where the seat cannot see."""

import random

from fuda.core.chance import SeededChance
from fuda.core.generator import SAMPLE, streams
from fuda.core.match import Match


def disguised(match: Match, seat: int, number: int) -> Match:
    """Other cards and other moves where the seat does not know them, another seed, another past."""
    other = match.copy()
    rng = streams(number, SAMPLE, seat, 1)
    other.seed, other.deals, other.log, other._chance = number + 1, [], [], SeededChance(number)

    def redealt(state):
        view = match._view_of(state, seat)
        match.game.spec.rules.redeal(view[0], seat, rng)
        return view

    before, state = redealt(match._before), redealt(match._state)
    stepped = redealt(match._stepped) if match.dealt else state
    other._stand(before, stepped, state, dealt=match.dealt)
    other.moves = exchanged_moves(match, seat, random.Random(number))
    return other


def exchanged_moves(match: Match, seat: int, luck: random.Random) -> list[tuple[int, str]]:
    """The moves, those that the seat does not know replaced by any other ones.

    Which they are is asked of the rules, not of a view: that may be what leaks.
    """
    spec = match.game.spec
    if not spec.has_secret_moves:
        return list(match.moves)
    seen = match._seen if match.over else match._seen + match._seen_in_deal(match._state)
    return [
        (mover, move if known[seat] else spec.text.move_text(luck.randrange(spec.num_actions)))
        for (mover, move), known in zip(match.moves, seen, strict=True)
    ]
