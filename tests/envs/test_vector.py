"""The vector environment plays what `Match` plays, whatever the threads, with rewards as games declare."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import fuda
from fuda.core import runner as duels
from fuda.core.chance import SeededChance
from fuda.core.generator import (
    AGENT,
    CHANCE,
    TRAINING_AGENT,
    TRAINING_CHANCE,
    training_streams_at,
)
from fuda.core.match import Match
from fuda.core.runner import LockStep
from fuda.core.state import NOBODY
from fuda.envs.vector import MIN_SHARE

SEED = 11
BOT = f"{sys.executable} {Path(__file__).parents[2] / 'examples/bots/first.py'}"
TABLES = {
    "koikoi": {"rounds": 2},
    "koikoi as in apps": {"preset": "app", "rounds": 2},
    "gongzhu": {},
    "gongzhu to a score": {"preset": "match", "target": 500},
    "doudizhu": {},
    "doudizhu with bids": {"bidding": "on", "score": "adp"},
    "doudizhu with robbing": {"preset": "robbing"},
    "planted": {},
}
ONE_DEAL = ("doudizhu", "doudizhu with bids", "doudizhu with robbing", "gongzhu")


def table(name: str) -> fuda.Game:
    return fuda.game(name.split()[0], **TABLES[name])


class TrainingChance(SeededChance):
    """The chance of a match that is for training."""

    def __init__(self, seed: int, number: int):
        super().__init__(seed, number)
        self._rng = of_training(seed, CHANCE, np.array([number]))


def of_training(seed: int, purpose: int, numbers: np.ndarray) -> np.ndarray:
    """The streams for training that stand for those of a duel."""
    return training_streams_at(seed, {CHANCE: TRAINING_CHANCE, AGENT: TRAINING_AGENT}[purpose], 0, numbers)


def match_of(env: fuda.VectorEnv, place: int) -> Match:
    """The match that an environment plays now, from its beginning."""
    chance = TrainingChance(env.seed, int(env.numbers[place]))
    return Match(env.game, None, None, None, chance=chance)


def payoff(match: Match, ended: np.recarray) -> list[float]:
    out = np.zeros(match.game.spec.seats)
    match.game.spec.rules.payoff(ended[0], out)
    return out.tolist()


@pytest.mark.parametrize("name", TABLES)
def test_every_move_is_that_of_a_match(name):
    env = fuda.vector(table(name), 3, seed=SEED)
    rng = np.random.default_rng(1)
    matches = [match_of(env, place) for place in range(3)]
    num_ended = num_dealt = 0
    while num_ended < 6:
        for place, match in enumerate(matches):
            assert env.seats[place] == match.seat
            assert env.legal.row(place).tolist() == list(match.legal_actions().values())
            assert env.views[place : place + 1].tobytes() == match.view_record(match.seat).tobytes()
        actions = env.legal.draw(rng)
        numbers = env.numbers.copy()
        env.step(actions)
        for place, match in enumerate(matches):
            match.play(env.game.spec.text.move_text(int(actions[place])))
            ended = match.dealt or match.over
            nothing = [0.0] * env.num_seats
            assert env.deal_done[place] == ended
            assert env.done[place] == match.over
            assert env.rewards[place].tolist() == (payoff(match, match._stepped) if ended else nothing)
            margins = [match.margin(seat) for seat in range(env.num_seats)] if match.over else nothing
            assert env.match_rewards[place].tolist() == pytest.approx(margins)
            num_dealt += match.dealt
            if match.over:
                num_ended += 1
                assert env.numbers[place] == numbers[place] + 3
                matches[place] = match_of(env, place)
    assert num_dealt > 0 or name in ONE_DEAL  # with bids nobody need pass them all


@pytest.mark.parametrize("name", [name for name in TABLES if name != "planted"])
def test_deals_add_up_to_the_match_and_sides_to_nothing(name):
    """Of two sides what one wins the other loses, and a match is worth what its deals were."""
    env = fuda.vector(table(name), 40, seed=SEED)
    rng = np.random.default_rng(2)
    total, num_matches = np.zeros((40, env.num_seats)), 0
    spec = env.game.spec
    while num_matches < 80:
        env.step(env.legal.draw(rng))
        total += env.rewards
        assert (total[env.done] == env.match_rewards[env.done]).all()
        assert not env.match_rewards[~env.done].any()
        assert not env.rewards[~env.deal_done].any()
        won = env.match_rewards[env.done]
        assert (won.max(axis=1) == -won.min(axis=1)).all()
        if env.game.score_sum is not None:
            points = env._points[env.done]
            assert (points.sum(axis=1) == env.game.score_sum).all()
        total[env.done] = 0
        num_matches += int(env.done.sum())
    assert spec.two_sided


def run(env: fuda.VectorEnv, steps: int, seed: int = 3) -> list[bytes]:
    """All that an environment shows over some steps."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(steps):
        env.step(env.legal.draw(rng))
        arrays = (env.views, env.seats, *env.legal, env.rewards, env.match_rewards, env.done, env.deal_done)
        found.append(b"".join(array.tobytes() for array in (*arrays, env.observations, env.moves)))
    return found


def test_the_seed_says_all_and_the_threads_nothing():
    made = [
        fuda.vector("gongzhu", 3 * MIN_SHARE, seed=seed, threads=t) for seed, t in ((5, 1), (5, 2), (6, 2))
    ]
    first, second, other = (run(env, 60) for env in made)
    assert first == second
    assert first[0] != other[0]


def test_environments_do_not_depend_on_each_other():
    few, many = fuda.vector("koikoi", 2, seed=4), fuda.vector("koikoi", 5, seed=4)
    for _ in range(30):
        assert few.views.tobytes() == many.views[:2].tobytes()
        many.step(many.legal.ids[many.legal.starts[:-1]])
        few.step(few.legal.ids[few.legal.starts[:-1]])


def test_a_reset_begins_the_next_matches_and_a_seed_the_first():
    env = fuda.vector("koikoi", 4, seed=8, rounds=1)
    began = env.views.copy()
    env.reset()
    assert env.views.tobytes() == began.tobytes(), "nothing had been played"
    run(env, 5)
    env.reset()
    assert (env.numbers == [4, 5, 6, 7]).all()
    assert env.views.tobytes() != began.tobytes()
    assert not env.rewards.any()
    env.reset(seed=8)
    assert env.views.tobytes() == began.tobytes()
    unseeded = [fuda.vector("koikoi").seed for _ in range(2)]
    assert unseeded[0] != unseeded[1]


@pytest.mark.parametrize("opponents", [None, {1: "gongzhu/random", 3: "gongzhu/random"}])
def test_a_stored_state_goes_on_the_same(tmp_path, opponents):
    env = fuda.vector("gongzhu", 7, seed=2**70, opponents=opponents)
    run(env, 60)
    np.savez(tmp_path / "state.npz", **env.state())
    shown = (env.rewards.copy(), env.seats.copy(), env.observations.copy())
    wanted = run(env, 60)
    other = fuda.vector("gongzhu", 7, seed=1, opponents=opponents)
    other.load(np.load(tmp_path / "state.npz"))
    for before, after in zip(shown, (other.rewards, other.seats, other.observations), strict=True):
        assert (before == after).all()
    assert run(other, 60) == wanted
    env.load(other.state())
    assert run(env, 20, seed=1) == run(other, 20, seed=1)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (lambda: fuda.vector("gongzhu", 3, seed=1, leader=2), "another options"),
        (lambda: fuda.vector("koikoi", 3, seed=1), "another game"),
        (lambda: fuda.vector("gongzhu", 4, seed=1), "states of the state"),
        (lambda: fuda.vector("gongzhu", 3, seed=1, opponents={0: "gongzhu/random"}), "luck of the state"),
    ],
)
def test_a_state_of_something_else_is_refused(other, why):
    state = fuda.vector("gongzhu", 3, seed=1).state()
    env = other()
    before = env.views.tobytes()
    with pytest.raises(ValueError, match=why):
        env.load(state)
    del state["chance"]
    with pytest.raises(ValueError, match=r"another|of the state|no chance"):
        env.load(state)
    assert env.views.tobytes() == before


def test_an_illegal_action_is_refused_and_nothing_is_played():
    env = fuda.vector("gongzhu", 3, seed=1)
    run(env, 53)
    state = env.state()
    actions = env.legal.ids[env.legal.starts[:-1]].copy()
    actions[1] = next(card for card in range(52) if card not in env.legal.row(1))
    with pytest.raises(fuda.IllegalMove, match=r"environment 1: action \d+ is not legal for seat"):
        env.step(actions)
    after = env.state()
    assert all((state[name] == after[name]).all() for name in state)
    for bad in (actions[:2], actions.astype(float), actions[None], None, "333"):
        with pytest.raises(ValueError, match="actions are 3 whole numbers"):
            env.step(bad)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"num_envs": 0}, "num_envs is a whole number from 1"),
        ({"num_envs": True}, "num_envs is a whole number"),
        ({"threads": 0}, "threads is a whole number from 1"),
        ({"seed": -1}, "a seed is"),
        ({"leader": 4}, "option leader"),
        ({"opponents": {4: "gongzhu/random"}}, "gongzhu has the seats 0 to 3, not 4"),
        ({"opponents": {0: "koikoi/random"}}, "does not play gongzhu"),
        ({"opponents": dict.fromkeys(range(4), "gongzhu/random")}, "leave one free"),
        ({"opponents": {0: f"bot:{BOT}"}}, "match by match"),
    ],
)
def test_bad_arguments_are_refused_in_words(arguments, why):
    with pytest.raises(ValueError, match=why):
        fuda.vector("gongzhu", **arguments)


def first_legal(game: fuda.Game):
    """A player whose move depends on what is legal alone."""

    def act(views: np.recarray, seats: np.ndarray, rngs: np.ndarray) -> np.ndarray:
        legal = game.spec.kernels.legal_lists(views)
        return legal.items[legal.starts[:-1]].astype(np.int64)

    return act


@pytest.mark.parametrize(
    ("name", "opponents"),
    [
        ("koikoi", {1: "koikoi/random"}),
        ("doudizhu with bids", {0: "doudizhu/random", 2: "doudizhu/rhcp"}),
        ("gongzhu", {0: "gongzhu/random", 1: "gongzhu/greed", 2: "gongzhu/random"}),
    ],
)
def test_opponents_play_as_in_a_duel(name, opponents, monkeypatch):
    """The lock-step runner of duels plays the same deals with the same luck to the same scores."""
    monkeypatch.setattr(duels, "streams_at", of_training)
    game, num = table(name), 12
    env = fuda.vector(game, num, seed=SEED, opponents=opponents)
    names = list(dict.fromkeys(opponents.values()))
    seating = [names.index(opponents[seat]) if seat in opponents else NOBODY for seat in range(env.num_seats)]
    runner = LockStep(game, SEED, np.arange(num), np.tile(seating, (num, 1)))
    runner.seatings = np.where(runner.seatings == NOBODY, len(names), runner.seatings)
    acts = [*(fuda.agent(each).act for each in names), first_legal(game)]
    scores = runner.play(acts)
    pending = np.ones(num, bool)
    own = set(range(env.num_seats)) - set(opponents)
    while pending.any():
        assert set(env.seats.tolist()) <= own
        _, done = env.step(env.legal.ids[env.legal.starts[:-1]])
        ended = done & pending
        assert (env._points[ended] == scores[ended]).all()
        pending &= ~done


def test_no_deal_and_no_luck_is_that_of_a_duel():
    """Also with the same seed: the first matches, those that follow them, and the agents' luck."""
    num, seating = 20, np.array([NOBODY, 0, NOBODY, 0])
    env = fuda.vector("gongzhu", num, seed=SEED, opponents=dict.fromkeys((1, 3), "gongzhu/random"))
    duel = duels.LockStep(table("gongzhu"), SEED, np.arange(3 * num), np.tile(seating, (3 * num, 1)))
    dueled = {hands.tobytes() for hands in duel.states["hand"]}
    began = np.zeros(num, np.int64)
    while began.min() < 2:
        assert not np.isin(env._luck, duel.luck).any()
        whole = env._states["num_plays"] == 0  # no card has left a hand
        assert not dueled & {hands.tobytes() for hands in env._states["hand"][whole]}
        began += env.done
        env.step(env.legal.ids[env.legal.starts[:-1]])


def test_observations_are_shared_with_pytorch():
    env = fuda.vector("koikoi", 4, seed=1)
    for array in (env.observations, env.moves, env.rewards, env.seats, *env.legal):
        tensor = torch.from_dlpack(array)
        assert tensor.data_ptr() == array.ctypes.data
        assert tuple(tensor.shape) == array.shape
    rollout = torch.zeros((2, *env.observations.shape))
    env.observe(rollout[1].numpy())
    assert (rollout[1].numpy() == env.observations).all()
    env.step(torch.tensor(env.legal.ids[env.legal.starts[:-1]]))
    with pytest.raises(ValueError, match="the array is to be"):
        env.observe(rollout.numpy())


def test_the_mask_has_the_legal_actions():
    env = fuda.vector("doudizhu", 5, seed=1)
    run(env, 20)
    mask = env.legal_mask()
    assert mask.shape == (5, env.num_actions)
    for place in range(5):
        assert np.flatnonzero(mask[place]).tolist() == env.legal.row(place).tolist()


def test_a_new_process_plays_the_same():
    """Nothing depends on what a process did before."""
    code = (
        "import fuda, json, hashlib, numpy as np\n"
        "env = fuda.vector('planted', 6, seed=3)\n"
        "rng, digest = np.random.default_rng(1), hashlib.sha256()\n"
        "for _ in range(40):\n"
        "    env.step(env.legal.draw(rng))\n"
        "    digest.update(env.observations.tobytes() + env.moves.tobytes() + env.match_rewards.tobytes())\n"
        "print(json.dumps(digest.hexdigest()))\n"
    )
    found = {
        json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
        for _ in range(2)
    }
    assert len(found) == 1
