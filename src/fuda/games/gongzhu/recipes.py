"""Training recipes, plain data: the fields of the algorithm's recipe (`fuda.training`)."""

POINTS = {"sharpness": 0.2, "exploration": 30.0}
OPEN = POINTS | {
    "algorithm": "trees",
    "line": "Gongzhu by tree search with open hands: large batches, averaged weights, many games.",
    # 2.1 million weights: 4 MiB
    "shape": {"first": 768, "second": 512, "width": 384, "blocks": 4, "norm": 1},
    "groups": 2,
    "group_size": 8192,
    "refill": True,
    "games": 4_000_000,
    "epoch_games": 2048,
    "window": 2,
    "passes": 1,
    "batch": 4096,
    "learning_rate": 1e-3,
    "final_learning_rate": 1e-5,
    "warmup_steps": 300,
    "optimizer": "adamw",
    "betas": (0.9, 0.99),
    "eps": 1e-7,
    "clip": 1.0,
    "average": 0.999,
    "mask": "legal",
    "skip_forced": True,
    "explore": 0.1,
}
PLAIN = {
    "first": 0, "second": 0, "width": 640, "blocks": 4, "norm": 1, "value_scale": 1, "diffuse": 0,
    "owners": 3,
}  # fmt: skip
VIEWS = {
    "algorithm": "values",
    "line": "Gongzhu from views: each card's value regressed on how the deal ended.",
    "encoding": "view_encoding",
    "shape": PLAIN,  # 4.1 million weights: 7.8 MiB
    "reward": "gain-to-come",
    "scale": 100.0,
    "belief": 0.05,
    "optimizer": "adamw",
    "clip": 2.0,
    "averaged_play": False,  # the average lags behind while games are few
    "epsilon": 0.15,
    "final_epsilon": 0.02,
    "opponents": ("random", "if", "greed"),
}
FEW_VIEWS = {
    "lambda_return": 0.9,  # pays while games are few; after millions of games outcomes alone are better
    "group_size": 128,
    "games": 100_000,
    "batch": 512,
    "warmup_steps": 100,
    "average": 0.995,
}
# Cards may be shown before play, by the network itself.
SHOWING = VIEWS | {
    "line": "Gongzhu with cards shown, from views: what to show, and each card's value.",
    "options": {"preset": "showing"},
    "encoding": "shown_encoding",
    "shape": PLAIN | {"width": 256, "blocks": 2},  # 1.2 MB
}
RECIPES = {
    "gongzhu-authors": POINTS | {
        "algorithm": "trees",
        "line": "Gongzhu as ScrofaZero's authors trained it.",
        "group_size": 128,
        "late_after": 0.6,
        "ahead": True,
        "bfloat16": False,
    },
    "gongzhu-open": OPEN,
    "gongzhu-small": OPEN | {
        "line": "A small network for two CPU cores and ten minutes.",
        "shape": {"first": 256, "second": 256, "width": 128, "blocks": 2, "norm": 1},
        "group_size": 64,
        "games": 30_000,
        "epoch_games": 32,
        "window": 3,
        "batch": 256,
        "warmup_steps": 50,
        "average": 0.99,
    },
    "gongzhu-hour": OPEN | {
        "line": "A middling network for an hour of a CPU core.",
        "shape": {"first": 384, "second": 256, "width": 192, "blocks": 3, "norm": 1},
        "group_size": 512,
        "games": 400_000,
        "epoch_games": 256,
        "batch": 1024,
        "average": 0.998,
    },
    "gongzhu-views": VIEWS,
    "gongzhu-views-wide": VIEWS | {
        "line": "The same with a network too large to ship.",
        "shape": PLAIN | {"width": 1024},
    },
    "gongzhu-views-further": VIEWS | {
        "line": "The same, going on from a run (--start).",
        "further": True,
        "learning_rate": 3e-4,
        "epsilon": 0.05,
    },
    "gongzhu-views-critic": VIEWS | {
        "line": "The same, with a critic that sees all hands and takes luck off the targets.",
        "critic": {
            "first": 1024, "second": 1024, "width": 512, "blocks": 2, "norm": 1, "value_scale": 1,
        },
    },
    "gongzhu-views-small": VIEWS | FEW_VIEWS | {
        "line": "A small network of views for one CPU core and ten minutes.",
        "shape": PLAIN | {"width": 128, "blocks": 2},
    },
    "gongzhu-showing": SHOWING,
    "gongzhu-showing-small": SHOWING | FEW_VIEWS | {
        "line": "A small network of views with cards shown, for one CPU core and ten minutes.",
        "shape": PLAIN | {"width": 128, "blocks": 2},
    },
}  # fmt: skip
