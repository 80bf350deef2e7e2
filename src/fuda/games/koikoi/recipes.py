"""Training recipes, plain data: the fields of the algorithm's recipe (`fuda.training`)."""

SELF_PLAY = {
    "algorithm": "values",
    "line": "Koi-Koi by self-play, for points and for the match at once.",
    "shape": {"contrast": True, "suits": 12},
    "reward": "classes",
    "aims": ("points", "probability"),
    "table": "induced",
    "lambda_return": 0.85,
    "group_size": 8192,
    "batch": 4096,
    "learn_share": 0.35,
    "waiting_share": 0.25,
    "symmetries": True,
    "games": 5_000_000,
    "optimizer": "adamw",
    "warmup_steps": 500,
    "epsilon": 0.15,
    "final_epsilon": 0.02,
    "guests": {"classical": 0.1, "sl": 0.05, "past": 0.05},
    "opponents": ("random", "classical", "sl"),
}
# The paper's networks, targets, loss, optimizer, batch, exploration and phases.
PAPER = {
    "algorithm": "values",
    "line": "Koi-Koi as in the paper: first against the supervised player, then self-play.",
    "shape": {"contrast": True},
    "shared": False,
    "reward": "gain",
    "aims": ("points",),
    "group_size": 4096,
    "batch": 256,
    "forced": True,
    "games": 500_000,
    "optimizer": "adam",
    "learning_rate": 1e-4,
    "final_learning_rate": 1e-4,
    "warmup_steps": 1,
    "weight_decay": 0.0,
    "clip": 0.0,
    "average": 0.0,
    "epsilon": 0.15,
    "final_epsilon": 0.02,
    "epsilon_until": 1.0,
    "guests": {"sl": 1.0},
    "guests_until": 0.5,
    "opponents": ("random", "classical", "sl"),
}
RECIPES = {
    "koikoi": SELF_PLAY,
    "koikoi-further": SELF_PLAY | {
        "line": "Koi-Koi by self-play, for points and for the match at once; goes on from a run (--start).",
        "games": 2_000_000,
        "further": True,
        "learning_rate": 3e-4,
        "epsilon": 0.05,
        # Late in training its equals teach little; `sl` plays as people do, whom it is to meet.
        "guests": {"classical": 0.05, "sl": 0.15, "past": 0.05},
    },
    "koikoi-paper-point": PAPER,
    "koikoi-paper-wp": PAPER | {"aims": ("probability",), "table": "fitted"},
    "koikoi-small": SELF_PLAY | {
        "line": "A small network for two CPU cores and ten minutes.",
        "shape": {
            "first": 64, "width": 48, "blocks": 1, "heads": 4, "hidden": 96, "contrast": True, "suits": 12,
        },
        "aims": ("points",),
        "table": "",
        "groups": 1,
        "group_size": 256,
        "batch": 128,
        "shuffled": 64,
        "learn_share": 1.0,
        "waiting_share": 0.0,
        "games": 50_000,
        "learning_rate": 3e-3,
        "final_learning_rate": 3e-5,
        "warmup_steps": 200,
        "average": 0.995,
        "guests": {"classical": 0.1, "past": 0.1},
        "opponents": ("random", "classical"),
    },
}  # fmt: skip

# Classifiers of what people play, from fresh weights or from those of a model that learned by self-play.
SHARED = {"shared": True, "epochs": (8,), "max_epochs": (12,)}
CLASSIFIERS = {
    "scratch": {},
    "shared": SHARED,
    "self-play": {"start": "rl-wp", "epochs": (5, 12, 12), "max_epochs": (8, 20, 20)},
    "self-play-shared": SHARED | {"start": "rl-wp", "epochs": (5,), "max_epochs": (8,)},
}
