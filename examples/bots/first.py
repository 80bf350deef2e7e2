"""A bot in Python without any package: plays the first legal move of any game of fuda.

fuda duel koikoi "bot:python3 examples/bots/first.py" koikoi/random --games 20
"""

import json
import sys


def say(**message):
    """Send a line."""
    print(json.dumps(message), flush=True)  # the line must leave at once


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        say(type="hello", v=1, name="First", author="fuda", games=told["rules"])
    elif told["type"] == "act":
        say(type="move", id=told["id"], move=told["view"]["legal"][0])
    elif told["type"] == "ping":
        say(type="pong", id=told["id"])
