"""One strategy from all that a bot is told, with memory or without: `memory_bot.py view|since`.

It plays the legal move whose number is the number of moves so far, plus the number of its own moves, modulo
how many there are. With `since` it counts what it was told since the start, and ends if the view says other.
"""

import json
import os
import sys

WITH_MEMORY = sys.argv[1] == "since"
happened = {}  # by match: (seat, move) of all moves that it was told
seats = {}


def say(**message):
    os.write(1, json.dumps(message).encode() + b"\n")


def number(told):
    history = told["view"]["history"]
    mine = told["view"]["seat"]
    if WITH_MEMORY:
        kept = happened[told["match"]]
        kept += [[one["seat"], one["move"]] for one in told["since"]]
        mine = seats[told["match"]]
        if [who for who, _ in kept] != [who for who, _ in history]:
            sys.exit(9)
        if any(move not in (None, seen) for (_, move), (_, seen) in zip(kept, history, strict=True)):
            sys.exit(9)  # a move may become known later, but never another one
        history = kept
    return len(history) + sum(who == mine for who, _ in history)


def choose(told):
    legal = told["view"]["legal"]
    return {"move": legal[number(told) % len(legal)]}


for line in sys.stdin:
    told = json.loads(line)
    match told["type"]:
        case "hello":
            wants = ["view", "since"] if WITH_MEMORY else ["view"]
            say(type="hello", v=1, name="Memory", games=told["rules"], batch=int(sys.argv[2]), wants=wants)
        case "start":
            happened[told["match"]], seats[told["match"]] = [], told["seat"]
        case "act":
            say(type="move", id=told["id"], **choose(told))
        case "act_many":
            say(type="moves", id=told["id"], moves=[choose(position) for position in told["positions"]])
        case "end":
            del happened[told["match"]]
        case "ping":
            sys.exit(8)
