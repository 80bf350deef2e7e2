"""The chance to win as in the Koi-Koi paper: a logistic regression for each round, on greedy self-play."""

from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from fuda.core.state import OVER
from fuda.training.learner import Views
from fuda.training.lock_step import NO_SIDE, SelfPlay

if TYPE_CHECKING:
    from fuda.training.monte_carlo import Run

NUM_MATCHES = 1024
SEED = 2_000_003  # these matches are neither trained on nor reported


class Rounds(NamedTuple):
    """The starts of rounds of whole matches, and how the matches ended. N rounds."""

    left: np.ndarray  # [N] rounds left to play, this one included
    lead: np.ndarray  # [N] the dealer's
    result: np.ndarray  # [N] of the match for the dealer: 1, 0.5 or 0


def fit_logistic(rewards: ModuleType, rounds: Rounds) -> np.ndarray:
    """The dealer's chance to win [rounds left, lead + MAX_LEAD], in the form of `winning.induce`."""
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


def greedy_rounds(run: "Run", num_matches: int = NUM_MATCHES) -> Rounds:
    """Whole matches of the run's network against itself, without exploring."""
    encoding, device, size = run.encoding, run.device, num_matches
    nobody = np.full(size, NO_SIDE)
    play = SelfPlay(
        run.game, run.rows, SEED, run.judge, run.width, nobody, np.zeros(size, np.bool_), run.policy
    )  # fmt: skip
    max_rounds = run.rewards.MAX_ROUNDS
    dealers = np.zeros((size, max_rounds), np.int64)
    leads = np.zeros((size, max_rounds), np.int64)  # of seat 0
    seen = np.zeros((size, max_rounds), np.bool_)
    final = np.zeros(size, np.int64)
    over = np.zeros(size, np.bool_)
    places = np.zeros((size, encoding.NUM_PLACE_ROWS), np.int64)
    progress = np.zeros((size, encoding.NUM_PROGRESS), np.int8)
    worths, aims = torch.ones(size, run.width), torch.zeros(size, dtype=torch.int64)
    num_rounds = int(run.game.options["rounds"])
    while not over.all():
        states = play.states
        going = np.flatnonzero(~over)
        at = states["round_index"][going]
        lead = states["points"][:, 0].astype(np.int64) - states["points"][:, 1]
        fresh = ~seen[going, at]
        dealers[going[fresh], at[fresh]] = states["dealer"][going[fresh]]
        leads[going[fresh], at[fresh]] = lead[going[fresh]]
        seen[going, at] = True
        encoding.encode_all(play.views, play.seats, places, progress, 0, size)
        arrays = (places, progress, play.legal_actions, play.num_legal)
        tensors = [torch.from_numpy(array) for array in arrays]
        views = Views(*(tensor.to(device) for tensor in (*tensors, worths, aims)))
        chosen, found = run.learner.player.choose(views, compiled=False)
        play.play(chosen.cpu().numpy(), found.cpu().numpy(), 0.0, 1.0, run.table)
        ended = (play.ended == OVER) & ~over
        lead = play.states["points"][:, 0].astype(np.int64) - play.states["points"][:, 1]
        final[ended] = np.sign(lead[ended])
        over |= ended
        play.deal()
        play.observe()
    match, index = np.nonzero(seen)
    mine = np.where(dealers[match, index] == 0, 1, -1)
    return Rounds(num_rounds - index, mine * leads[match, index], (mine * final[match] + 1) / 2)
