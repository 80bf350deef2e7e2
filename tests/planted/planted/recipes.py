"""Training recipes, plain data."""

RECIPES = {
    "planted-small": {
        "algorithm": "values",
        "line": "The planted game by self-play, every seat for itself.",
        "options": {"deals": 1},
        "scale": 2.0,
        "shape": {"width": 64, "blocks": 1, "move_width": 32, "move_blocks": 1},
        "groups": 1,
        "group_size": 64,
        "batch": 256,
        "shuffled": 2,
        "games": 2500,
        "learning_rate": 3e-3,
        "warmup_steps": 50,
        "average": 0.99,
        "epsilon": 0.1,
    },
}
