"""Players that search, and weaker ones, as plain data: `fuda/agents/settings.py` says what a number is."""

PLAYERS = {
    "search": {
        "uct": {
            "title": "Tree search",
            "line": "Deals the hidden cards 20 times and searches 200 lines in each, to the round's end.",
            "trees": 20,
            "iterations": 200,
            "exploration": 6.0,
        },
    },
    "softened": {
        "beginner": {
            "title": "Beginner",
            "line": "Knows what is good, and often plays something else.",
            "of": "rl-point",
            "temperature": 2.2,
            "among": 8,
        },
        "casual": {
            "title": "Casual",
            "line": "Sees most good moves, and misses some.",
            "of": "rl-point",
            "temperature": 1.6,
            "among": 5,
        },
        "skilled": {
            "title": "Skilled",
            "line": "Errs seldom, and not by much.",
            "of": "rl-point",
            "temperature": 0.7,
            "among": 4,
        },
    },
}
