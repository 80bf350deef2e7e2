"""Training recipes, plain data: the fields of the algorithm's recipe (`fuda.training`)."""

RECIPES: dict[str, dict[str, object]] = {}

# Classifiers of what people play, from fresh weights or from those of a model that learned by self-play.
SHARED = {"shared": True, "epochs": (8,), "max_epochs": (12,)}
CLASSIFIERS = {
    "scratch": {},
    "shared": SHARED,
    "self-play": {"start": "rl-wp", "epochs": (5, 12, 12), "max_epochs": (8, 20, 20)},
    "self-play-shared": SHARED | {"start": "rl-wp", "epochs": (5,), "max_epochs": (8,)},
}
