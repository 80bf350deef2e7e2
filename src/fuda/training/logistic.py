"""The chance to win as in the Koi-Koi paper: a logistic regression for each round, on greedy self-play."""

from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from fuda.core.generator import MAX_GROUP
from fuda.training.learner import Views
from fuda.training.lock_step import NO_SIDE, SelfPlay

if TYPE_CHECKING:
    from fuda.training.monte_carlo import Run

NUM_MATCHES = 1024
GROUP = MAX_GROUP  # these matches are not learned from: such a number has no group that is


def fit_logistic(rewards: ModuleType, rounds: Any) -> np.ndarray:
    """The table of chances to win [deals left, lead + MAX_LEAD] of `rewards.induce`, from played deals.

    `rounds` has for each deal how many were `left`, the `lead` and the `result` of its match, by `rewards`.
    """
    leads = np.arange(-rewards.MAX_LEAD, rewards.MAX_LEAD + 1)
    table = np.empty((rewards.MAX_ROUNDS + 1, len(leads)))
    table[0] = (np.sign(leads) + 1) / 2
    for left in range(1, len(table)):
        those = rounds.left == left
        if not those.any():
            table[left] = table[left - 1]  # a longer match than is played: the nearest that is known
            continue
        # A draw is half a win and half a loss.
        lead = np.concatenate([rounds.lead[those]] * 2)[:, None]
        won = np.repeat([1, 0], those.sum())
        weight = np.concatenate([rounds.result[those], 1 - rounds.result[those]])
        fitted = LogisticRegression().fit(lead, won, weight)
        table[left] = fitted.predict_proba(leads[:, None])[:, 1]
    return table


def greedy_rounds(run: "Run", num_matches: int = NUM_MATCHES) -> Any:
    """How the deals of whole matches of the run's network against itself began, without exploring."""
    encoding, device, size = run.encoding, run.device, num_matches
    nobody = np.full(size, NO_SIDE)
    play = SelfPlay(
        run.game, run.rows, run.recipe.seed, run.judge, run.width, nobody, np.zeros(size, np.bool_),
        run.policy, group=GROUP,
    )  # fmt: skip
    starts = run.rewards.RoundStarts(size)
    places = np.zeros((size, encoding.NUM_PLACE_ROWS), np.int64)
    progress = np.zeros((size, encoding.NUM_PROGRESS), np.int8)
    worths, aims = torch.ones(size, run.width), torch.zeros(size, dtype=torch.int64)
    while not starts.all_over:
        starts.note(play.states)
        encoding.encode_all(play.views, play.seats, places, progress, 0, size)
        arrays = (places, progress, play.legal_actions, play.num_legal)
        tensors = [torch.from_numpy(array) for array in arrays]
        views = Views(*(tensor.to(device) for tensor in (*tensors, worths, aims)))
        chosen, found = run.learner.player.choose(views, compiled=False)
        play.play(chosen.cpu().numpy(), found.cpu().numpy(), 0.0, 1.0, run.table)
        starts.note_ended(play.states)
        play.deal()
        play.observe()
    return starts.rounds()
