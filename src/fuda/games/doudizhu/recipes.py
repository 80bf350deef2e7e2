"""Training recipes, plain data: the fields of the algorithm's recipe (`fuda.training`)."""

WIN = {
    "algorithm": "values",
    "line": "Dou Dizhu by self-play, for games won.",
    "reward": "win",
    "shape": {"width": 640, "blocks": 3, "move_width": 256, "move_blocks": 2},
    "opponents": ("rhcp", "rhcp-partner"),
}
RECIPES = {
    "doudizhu": WIN,
    "doudizhu-wide": WIN | {
        "line": "The same with as large a network as ships.",
        "shape": {"width": 768, "blocks": 4, "move_width": 256, "move_blocks": 2},
    },
    "doudizhu-points": WIN | {
        "line": "Dou Dizhu by self-play, for points: every bomb doubles.",
        "options": {"score": "adp"},
        "reward": "win-and-points",
        "scale": 4.0,
    },
    "doudizhu-small": WIN | {
        "line": "A small network for two CPU cores and ten minutes.",
        "shape": {"width": 128, "blocks": 2, "move_width": 64, "move_blocks": 1},
        "groups": 1,
        "group_size": 256,
        "batch": 512,
        "shuffled": 4,
        "games": 300_000,
        "warmup_steps": 100,
        "average": 0.995,
    },
}  # fmt: skip
