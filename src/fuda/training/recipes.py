"""The recipes of `fuda train`, by name. A recipe is all that determines a run, but for its length."""

from dataclasses import dataclass, field, replace

from fuda.nets.token_transformer import Shape


@dataclass(frozen=True)
class SelfPlayRecipe:
    """Monte-Carlo self-play: the value of the taken action is regressed on how the deal ended."""

    game: str
    line: str
    reward: str  # "points" of the deal, or "winning": by how much it raised the chance to win the match
    shape: Shape = field(default_factory=Shape)
    groups: int = 2  # in turn: one is played on the CPU while the GPU works for the other
    group_size: int = 8192  # matches that advance together
    batch: int = 4096
    games: int = 5_000_000  # the length of the schedules, unless the run is given minutes
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-5
    warmup_steps: int = 500
    weight_decay: float = 1e-4
    clip: float = 1.0
    epsilon: float = 0.15
    final_epsilon: float = 0.02
    epsilon_until: float = 0.7  # the part of the run after which epsilon stays
    average: float = 0.999  # of the weights, from step to step
    keep: float = 0.85  # lambda of the returns; 1 learns from outcomes alone, as the paper does
    guest: str = "classical"  # a policy that plays one side
    guest_share: float = 0.2  # of so many matches
    seed: int = 1


OURS = SelfPlayRecipe("koikoi", "Koi-Koi by self-play, round points as reward.", "points")

RECIPES = {
    "koikoi-point": OURS,
    "koikoi-wp": replace(OURS, line="Koi-Koi by self-play, winning probability as reward.", reward="winning"),
    "koikoi-small": replace(
        OURS,
        line="A small network for two CPU cores and ten minutes.",
        shape=Shape(first=128, width=64, blocks=2, heads=4, hidden=128),
        group_size=256,
        batch=256,
        games=40_000,
        warmup_steps=200,
        average=0.995,
    ),
}
