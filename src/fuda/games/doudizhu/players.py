"""Players that search, and weaker ones, as plain data: `fuda/agents/settings.py` says what a number is.

Players of the kind "views" are those of each model that tells the chance to win: their names are added to
the model's. Their numbers are in parts of a deal won.
"""

_VIEWS = {
    "unit": "probability",
    "weighting": "none",
    "beta": 30.0,  # in bayes a regret of 3% is e times as rare
    "floor": 0.05,
    "pool": 3,
    "close": 0.05,
    "doubt": 0.03,
    "deviation": 0.2,
}

PLAYERS = {
    "search": {
        "mcts": {
            "title": "Tree search",
            "line": "Deals the hidden hands 50 times and searches 250 lines in each, to the end.",
            "trees": 50,
            "iterations": 250,
            "exploration": 1.0,
        },
    },
    "views": {
        "": {
            "title": "Self-taught, played out",
            "line": "Plays close moves out in deals of the hidden hands before it chooses.",
            **_VIEWS,
            "scenarios": 32,
            "plies": 6,
            "exact": 16,
        },
        "-raw": {
            "title": "Self-taught, at once",
            "line": "Plays the move that its network gives the best chance to win.",
            **_VIEWS,
        },
    },
    "softened": {
        "beginner": {
            "title": "Beginner",
            "line": "Knows what is good, and often plays something else.",
            "of": "best-raw",
            "temperature": 0.4,
            "among": 8,
        },
        "casual": {
            "title": "Casual",
            "line": "Sees most good moves, and misses some.",
            "of": "best-raw",
            "temperature": 0.13,
            "among": 5,
        },
        "skilled": {
            "title": "Skilled",
            "line": "Errs seldom, and not by much.",
            "of": "best-raw",
            "temperature": 0.05,
            "among": 4,
        },
    },
}
