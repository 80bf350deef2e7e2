"""Tiny games whose values are known, as rules modules: what a search must find."""

import sys
import types

import numpy as np

from fuda.core.compile import bind
from fuda.core.game import GameSpec
from fuda.core.generator import below
from fuda.core.state import AWAITING_DEAL, NOBODY, OVER, PLAYING, state_dtype


def start(state, options, rng):
    state.hidden = 0
    state.pot = 0
    state.seat = NOBODY
    state.status = AWAITING_DEAL


def scores(state, out):
    out[0] = state.pot
    out[1] = -state.pot


def side(state, seat):
    return seat


def payoff(state, out):
    out[0] = state.pot
    out[1] = -state.pot


def hide(state, seat):
    state.hidden = 0


def redeal(state, seat, rng):
    state.hidden = below(rng, 3)


def count_cards(state, out):
    out[0] += 1


def move_text(action):
    return str(action)


def view_dict(view, seat):
    return {"stones": int(view.stones)}


def why_illegal(view, move):
    return "it is none of the numbers"


def write_deal(state):
    return {"card": int(max(state.stones, state.hidden))}


def read_deal(state, deal, rng):
    return np.array([deal["card"]], np.int8)


def events(before, move, after, seat):
    return [{"type": "move", "move": move}]


# Nim: take one to three stones, who takes the last wins. With a multiple of four the mover loses.


def nim_deal(state, deck):
    state.pot = 0
    state.stones = deck[0]
    state.seat = 0
    state.status = PLAYING
    return True


def nim_legal(state, out):
    count = min(3, state.stones) if state.status == PLAYING else 0
    for action in range(count):
        out[action] = action
    return count


def nim_step(state, action):
    state.stones -= action + 1
    if state.stones == 0:
        state.pot = 1 if state.seat == 0 else -1
        state.seat = NOBODY
        state.status = OVER
    else:
        state.seat = 1 - state.seat


# Guess: a hidden card is 0, 1 or 2. Naming it wins 10; not guessing (action 3) wins 5 for sure.


def guess_deal(state, deck):
    state.hidden = deck[0]
    state.seat = 0
    state.status = PLAYING
    return True


def guess_legal(state, out):
    if state.status != PLAYING:
        return 0
    for action in range(4):
        out[action] = action
    return 4


def guess_step(state, action):
    state.pot = 5 if action == 3 else 10 if action == state.hidden else 0
    state.seat = NOBODY
    state.status = OVER


# Bandit: four arms that pay what they always pay, the third most.

PAYS = (2, -5, 7, 3)


def bandit_deal(state, deck):
    state.seat = deck[0]
    state.status = PLAYING
    return True


bandit_legal = guess_legal


def bandit_step(state, action):
    state.pot = PAYS[action]
    state.seat = NOBODY
    state.status = OVER


def toy(name: str, num_actions: int, deck: tuple[int, ...]) -> GameSpec:
    rules = types.ModuleType(name)
    rules.__file__ = __file__
    rules.STATE = state_dtype([(field, np.int8) for field in ("stones", "hidden", "pot", "seat", "status")])
    shared = {
        "start": start,
        "scores": scores,
        "side": side,
        "payoff": payoff,
        "hide": hide,
        "redeal": redeal,
        "count_cards": count_cards,
    }
    own = {part: globals()[f"{name}_{part}"] for part in ("deal", "legal", "step")}
    for part, function in (shared | own).items():
        setattr(rules, part, bind(function, name, {}))
    return GameSpec(
        id=f"toy-{name}",
        title=name,
        rules_version=1,
        seats=2,
        num_sides=2,
        two_sided=True,
        num_actions=num_actions,
        max_legal=num_actions,
        max_decisions=100,
        max_deal_decisions=100,
        deck=deck,
        options=(),
        seatings=lambda options: ((0, 1), (1, 0)),
        roles=lambda options: (),
        margin=lambda scores, mine: scores,
        max_deals=lambda options: 1,
        score_sum=None,
        rules=rules,
        text=sys.modules[__name__],
        events=sys.modules[__name__],
    )


def nim() -> GameSpec:
    return toy("nim", 3, (0,))


def guess() -> GameSpec:
    return toy("guess", 4, (0, 1, 2))


def bandit() -> GameSpec:
    return toy("bandit", 4, (0, 1))
