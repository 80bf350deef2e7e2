"""The player that searches, as plain data: `fuda/agents/settings.py` says what each number is."""

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
}
