"""The player that searches, as plain data: `fuda/agents/settings.py` says what each number is."""

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
}
