"""A bot that plays the first legal move, and at its second move does what its first argument says.

It runs with Python's library alone, which starts quickly. A second argument marks its processes.
"""

import json
import os
import signal
import sys
import time

MODE = sys.argv[1]
FOR_EVER = 1000.0


def say(**message):
    os.write(1, json.dumps(message).encode() + b"\n")


def misbehave(told):
    number, move = told["id"], told["view"]["legal"][0]
    match MODE:
        case "illegal":
            say(type="move", id=number, move="no such move")
        case "late" | "no_hello":
            time.sleep(FOR_EVER)
        case "exit":
            sys.stderr.write("I have had enough\n")
            sys.exit(3)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "closes":
            os.close(0)
            os.close(1)
            time.sleep(FOR_EVER)
        case "long":
            os.write(1, b"x" * 2**21)
        case "flood":
            while True:
                say(type="move", id=0, move=move)
        case "text":
            os.write(1, b"my move is\n")
        case "bytes":
            os.write(1, b'\xff\xfe{"type": "move"}\n')
        case "nan":
            os.write(1, b'{"type": "move", "id": NaN}\n')
        case "deep":
            os.write(1, b"[" * 100_000 + b"\n")
        case "wrong_id":
            say(type="move", id=number + 1, move=move)
        case "wrong_type":
            say(type="pong", id=number)
        case "unknown_key":
            say(type="move", id=number, move=move, extra=1)
        case "nothing":
            say(type="move", id=number)
        case "twice":
            say(type="move", id=number, move=move)
            say(type="move", id=number, move=move)
        case "foreign_values":
            say(type="move", id=number, move=move, values={"no such move": 1.0})
        case "resigns":
            say(type="move", id=number, resign=True)
        case "forks":
            for _ in range(5):
                if os.fork() == 0:
                    os.setsid()
                    if os.fork() == 0:
                        time.sleep(FOR_EVER)
                    time.sleep(FOR_EVER)
            os._exit(0)
        case "memory":
            kept = []
            while True:
                kept.append(bytearray(2**26))
        case "cpu":
            while True:
                pass
        case "stderr":
            sys.stderr.write("what a game! " * 50_000)
            say(type="move", id=number, move=move)
        case "none" | "resists":
            say(type="move", id=number, move=move)
        case "talks":
            say(type="move", id=number, move=move, note="A [bold] move,\x1b[2J :smile:")


num_moves = 0
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello" and MODE != "no_hello":
        say(type="hello", v=1, name="Bad", games=told["rules"], unit="points")
        if MODE == "deaf":
            time.sleep(FOR_EVER)
    elif told["type"] == "act":
        num_moves += 1
        if num_moves >= 2:
            misbehave(told)
        else:
            say(type="move", id=told["id"], move=told["view"]["legal"][0])
    elif told["type"] == "ping":
        say(type="pong", id=told["id"])
if MODE == "resists":
    time.sleep(FOR_EVER)
