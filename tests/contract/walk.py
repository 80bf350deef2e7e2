"""A compiled walk through random matches that checks the contract at every decision.

Also a program, so that the same walk can be taken with bounds checking on or compilation off: `main` with
DECISIONS GAME... prints what was found, a line for each game.
"""

import json
import sys
from typing import Any

import numpy as np

from fuda.core.compile import compiled
from fuda.core.game import Game
from fuda.core.generator import CHANCE, SAMPLE, below, streams
from fuda.core.state import AWAITING_DEAL, NOBODY, OVER, PLAYING
from fuda.games import game

PROMISES = (
    "kept",
    "some action is legal",
    "legal actions are different, in range and in rising order",
    "the mover's view has the same legal actions",
    "a view of a view is the view",
    "no card is lost or doubled",
    "the view of a redeal is the view",
    "a redeal loses no card",
    "the match ends within the limit",
    "a match that goes on has a mover",
)
KEPT, NONE_LEGAL, BAD_LEGAL, VIEW_LEGAL, VIEW_OF_VIEW, CARDS, REDEAL, REDEAL_CARDS, TOO_LONG, NO_MOVER = (
    range(10)
)

# Stand-ins, bound to a game like those of fuda.core.kernels.
start = deal_from = legal = step = hide = redeal = count_cards = None
NUM_ACTIONS = MAX_LEGAL = MAX_DECISIONS = SEATS = 0
COPIES = np.empty(0, np.int64)


# Plain loops: what NumPy has for this takes seconds to compile.
@compiled
def are_same(raw, one, other):
    """Whether two rows [bytes] of `raw` are the same."""
    num_different = 0
    for k in range(raw.shape[1]):
        num_different += raw[one, k] != raw[other, k]
    return num_different == 0


@compiled
def begins_with(items, expected):
    """Whether the first items are those expected."""
    num_different = 0
    for k in range(len(expected)):
        num_different += items[k] != expected[k]
    return num_different == 0


def check_position(scratch, raw, moves, view_moves, counts, rng):
    """Check one position. `scratch` is [state, view, other]; `raw` are the bytes of the same memory."""
    state = scratch[0]
    num_legal = legal(state, moves)
    if num_legal == 0:
        return NONE_LEGAL
    for m in range(num_legal):
        if moves[m] < 0 or moves[m] >= NUM_ACTIONS or (m > 0 and moves[m] <= moves[m - 1]):
            return BAD_LEGAL
    counts[:] = 0
    count_cards(state, counts)
    if not begins_with(counts, COPIES):
        return CARDS
    for seat in range(SEATS):
        scratch[1] = scratch[0]
        hide(scratch[1], seat)
        scratch[2] = scratch[1]
        hide(scratch[2], seat)
        if not are_same(raw, 1, 2):
            return VIEW_OF_VIEW
        if seat == state.seat:
            if legal(scratch[1], view_moves) != num_legal:
                return VIEW_LEGAL
            if not begins_with(view_moves, moves[:num_legal]):
                return VIEW_LEGAL
        redeal(scratch[2], seat, rng)
        counts[:] = 0
        count_cards(scratch[2], counts)
        if not begins_with(counts, COPIES):
            return REDEAL_CARDS
        hide(scratch[2], seat)
        if not are_same(raw, 1, 2):
            return REDEAL
    return KEPT


def walk(scratch, raw, options, decisions, chance, sample, totals):
    """Play `decisions` random decisions; the first broken promise, or KEPT."""
    moves = np.empty(MAX_LEGAL, np.int64)
    view_moves = np.empty(MAX_LEGAL, np.int64)
    counts = np.zeros(len(COPIES), np.int64)
    state = scratch[0]
    start(state, options, chance)
    deal_from(state, chance)
    length = 0
    for _ in range(decisions):
        if state.seat == NOBODY:
            return NO_MOVER
        broken = check_position(scratch, raw, moves, view_moves, counts, sample)
        if broken != KEPT:
            return broken
        num_legal = legal(state, moves)
        step(state, moves[below(chance, num_legal)])
        length += 1
        if state.status == AWAITING_DEAL:
            deal_from(state, chance)
        if state.status == OVER:
            totals[0] += 1
            totals[1] = max(totals[1], length)
            length = 0
            start(state, options, chance)
            deal_from(state, chance)
        elif length >= MAX_DECISIONS:
            return TOO_LONG
        if state.status != PLAYING:
            return NO_MOVER
    return KEPT


def run(table: Game, decisions: int, seed: int = 1) -> dict[str, Any]:
    """Walk and report."""
    spec = table.spec
    copies = np.bincount(spec.deck)  # none of a kind that this deck leaves out
    names = {
        "redeal": spec.rules.redeal,
        "count_cards": spec.rules.count_cards,
        "NUM_ACTIONS": spec.num_actions,
        "MAX_DECISIONS": spec.max_decisions,
        "SEATS": spec.seats,
        "COPIES": copies.astype(np.int64),
        "deal_from": spec.kernels.deal_from,
    }
    names["check_position"] = spec.kernels.bind(check_position, "contract", **names)
    bound = spec.kernels.bind(walk, "contract", **names)
    scratch = spec.new_states(3)
    raw = scratch.view(np.uint8).reshape(3, -1).view(np.ndarray)
    totals = np.zeros(2, np.int64)
    chance, sample = streams(seed, CHANCE, 0, 1), streams(seed, SAMPLE, 0, 1)
    broken = bound(scratch, raw, table.option_codes, decisions, chance, sample, totals)
    return {
        "broken": PROMISES[broken] if broken != KEPT else None,
        "decisions": decisions,
        "matches": int(totals[0]),
        "longest": int(totals[1]),
        "last state": scratch[:1].tobytes().hex(),
    }


def main() -> None:
    decisions, *games = sys.argv[1:]
    for game_id in games:
        print(json.dumps(run(game(game_id), int(decisions))))
