"""Players that search, and weaker ones, as plain data: `fuda/agents/settings.py` says what a number is.

Players of the kinds "scenarios" and "views" are those of each model that is made for open hands, or for
views: their names are added to the model's. The pig, the sheep or a few hearts are 100 points.
"""

_SCENARIOS = {"beta": 0.015, "exploration": 30.0}
_VIEWS = {"beta": 0.05, "close": 15.0, "doubt": 8.0, "deviation": 60.0}

PLAYERS = {
    "search": {
        "uct": {
            "title": "Tree search",
            "line": "Deals the hidden hands 5 times and searches 200 lines in each, to the last trick.",
            "trees": 5,
            "iterations": 200,
            "exploration": 100.0,
        },
    },
    "scenarios": {
        "": {
            "title": "ScrofaZero",
            "line": "Searches in nine deals by where the key cards lie, weighed by what the others played.",
            **_SCENARIOS,
        },
        "-raw": {
            "title": "ScrofaZero's network",
            "line": "Values each card one ply deep in five deals of the hidden hands.",
            "scenarios": 5,
            "sampling": "uniform",
            "weighting": "none",
            "per_legal": 1,
            "extra": 0,
            **_SCENARIOS,
        },
        "-policy": {
            "title": "ScrofaZero's policy",
            "line": "Plays what the network's policy prefers, a third of each unseen card in each hand.",
            "method": "policy",
            "scenarios": 0,
            "weighting": "none",
            **_SCENARIOS,
        },
    },
    "views": {
        "": {
            "title": "Values of views, played out",
            "line": "Plays its best cards out in 32 deals of the hidden hands before it chooses.",
            "scenarios": 32,
            "exact": 3,
            **_VIEWS,
            "close": 60.0,
        },
        "-raw": {
            "title": "Values of views",
            "line": "Plays the card that its network values most.",
            **_VIEWS,
        },
    },
    "softened": {
        "beginner": {
            "title": "Beginner",
            "line": "Knows what is good, and often plays something else.",
            "of": "best-raw",
            "temperature": 85.0,
            "among": 8,
        },
        "casual": {
            "title": "Casual",
            "line": "Sees most good moves, and misses some.",
            "of": "best-raw",
            "temperature": 25.0,
            "among": 5,
        },
        "skilled": {
            "title": "Skilled",
            "line": "Errs seldom, and not by much.",
            "of": "best-raw",
            "temperature": 10.0,
            "among": 4,
        },
    },
}
