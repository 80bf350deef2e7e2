"""The recipes of `fuda train`, by name. A recipe is all that determines a run, but for its length."""

from dataclasses import dataclass, field, replace

from fuda.nets.token_transformer import TokenShape

PAST = "past"  # the guest that is the run's own network as it was


@dataclass(frozen=True)
class Guest:
    """Another player at one side of some of the matches: learned against, not from."""

    name: str  # a policy of the game, a model that ships, or PAST
    share: float  # of the matches
    until: float = 1.0  # the part of the run after which it leaves


@dataclass(frozen=True)
class SelfPlayRecipe:
    """Monte-Carlo self-play: what the taken action is worth is learned from how the deal ended."""

    game: str
    line: str
    aims: tuple[str, ...]  # units of what is played for; with several, the matches are shared out
    classes: bool = True  # learn the chances of all classes of outcomes, else the mean reward
    shared: bool = True  # one network for all kinds of decisions instead of one for each
    shape: TokenShape = field(default_factory=TokenShape)
    groups: int = 2  # in turn: one is played on the CPU while the GPU works for the other
    group_size: int = 8192  # matches that advance together
    batch: int = 4096
    waiting_share: float = 0.0  # where a turn begins, so often its slot tells what the one who waits sees
    learn_share: float = 1.0  # so much of the decisions is learned from, chosen at random
    forced: bool = False  # learn from decisions without a choice too
    symmetries: bool = True  # steps take turns with the symmetries of the deck
    games: int = 5_000_000  # the length of the schedules, unless the run is given minutes
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-5
    warmup_steps: int = 500
    weight_decay: float = 1e-4
    clip: float = 1.0  # of the gradient's length
    epsilon: float = 0.15
    final_epsilon: float = 0.02
    epsilon_until: float = 0.7  # the part of the run after which epsilon stays
    average: float = 0.999  # of the weights, from step to step: what plays, values and is kept; 0 for none
    keep: float = 0.85  # lambda of the returns; 1 learns from outcomes alone, as the paper does
    logistic: bool = False  # chances to win by logistic regressions, as in the paper, not by induction
    guests: tuple[Guest, ...] = ()
    opponents: tuple[str, ...] = ("random",)  # in the evaluations
    further: bool = False  # goes on from a model or a run
    seed: int = 1


KOIKOI = SelfPlayRecipe(
    "koikoi",
    "Koi-Koi by self-play, for points and for the match at once.",
    aims=("points", "probability"),
    shape=TokenShape(contrast=True, suits=12),
    waiting_share=0.25,
    learn_share=0.35,
    guests=(Guest("classical", 0.1), Guest("sl", 0.05), Guest(PAST, 0.05)),
    opponents=("random", "classical", "sl"),
)
# The paper's networks, targets, loss, optimizer, batch, exploration and phases.
KOIKOI_PAPER = replace(
    KOIKOI,
    line="Koi-Koi as in the paper: first against the supervised player, then self-play.",
    aims=("points",),
    classes=False,
    shared=False,
    shape=TokenShape(contrast=True),
    groups=2,
    group_size=4096,
    batch=256,
    waiting_share=0.0,
    learn_share=1.0,
    forced=True,
    symmetries=False,
    games=500_000,
    learning_rate=1e-4,
    final_learning_rate=1e-4,
    warmup_steps=1,
    weight_decay=0.0,
    clip=1e9,
    epsilon_until=1.0,
    average=0.0,
    keep=1.0,
    logistic=True,
    guests=(Guest("sl", 1.0, until=0.5),),
)

RECIPES = {
    "koikoi": KOIKOI,
    "koikoi-further": replace(
        KOIKOI,
        line="Koi-Koi by self-play, for points and for the match at once; goes on from a run (--start).",
        games=2_000_000,
        further=True,
        learning_rate=3e-4,
        epsilon=0.05,
        # Late in training its equals teach little; `sl` plays as people do, whom it is to meet.
        guests=(Guest("classical", 0.05), Guest("sl", 0.15), Guest(PAST, 0.05)),
    ),
    "koikoi-paper-point": KOIKOI_PAPER,
    "koikoi-paper-wp": replace(KOIKOI_PAPER, aims=("probability",)),
    "koikoi-small": replace(
        KOIKOI,
        line="A small network for two CPU cores and ten minutes.",
        aims=("points",),
        shape=TokenShape(first=64, width=48, blocks=1, heads=4, hidden=96, contrast=True, suits=12),
        groups=1,
        group_size=256,
        batch=128,
        waiting_share=0.0,
        learn_share=1.0,
        games=50_000,
        learning_rate=3e-3,
        final_learning_rate=3e-5,
        warmup_steps=200,
        average=0.995,
        guests=(Guest("classical", 0.1), Guest(PAST, 0.1)),
        opponents=("random", "classical"),
    ),
}
