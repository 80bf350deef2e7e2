"""An actor with a critic, small: what it learns against a plain account, and that a killed run goes on."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import fuda
from fuda.games.doudizhu import action_encoding as encoding
from fuda.games.doudizhu.moves import NUM_MOVES
from fuda.nets.decompositions import GroupShape
from fuda.training import actor_critic
from fuda.training.conduct import conduct
from fuda.training.registry import find_recipe
from fuda.training.roles import Choices, Ends

torch.set_num_threads(1)  # test processes share the cores

CPU = torch.device("cpu")
SHAPE = GroupShape(channels=2, features=8, rows=(8, 12), heads=(8,))
TINY = replace(
    find_recipe("doudizhu-landlord-a2c-small").recipe, shape=SHAPE, group_size=8, batch=16, games=24
)


@pytest.fixture
def run(tmp_path) -> actor_critic.Run:
    found = actor_critic.Run(TINY, tmp_path, CPU, None)
    rng = torch.Generator().manual_seed(1)
    for weights in found.agents[0].trainer.net.parameters():
        weights.data += torch.randn(weights.shape, generator=rng) / 5
    return found


def test_what_is_learned_is_the_policy_gradient_with_a_critic(run):
    """Against a softmax over all moves in which illegal ones weigh nothing."""
    agent, words = run.agents[0], torch.from_numpy(run.deals.choices.words.copy())
    legal = torch.from_numpy(encoding.legal_table(words.numpy()).astype(np.int64))
    places = torch.arange(len(words)) % (legal >= 0).sum(dim=1)
    returns = torch.linspace(-1, 1, len(words))
    parts = agent._errors(agent.trainer.net, words, legal, places, returns)
    found = {name: part.detach() for name, part in parts.items()}
    with torch.no_grad():
        logits, values = run.reader.outputs(agent.trainer.net, words)
    for k in range(len(words)):
        moves = legal[k][legal[k] >= 0]
        mask = torch.full((NUM_MOVES,), -torch.inf)
        mask[moves] = 0
        chances = (logits[k] + mask).softmax(dim=0)
        played = chances[moves[places[k]]]
        advantage = float(returns[k] - values[k])
        assert float(found["policy"][k]) == pytest.approx(-float(played.log()) * advantage, abs=1e-4)
        assert float(found["value"][k]) == pytest.approx(advantage**2, abs=1e-4)
        entropy = -float((chances[moves] * chances[moves].log()).sum())
        assert float(found["entropy"][k]) == pytest.approx(-entropy, abs=1e-4)
    weights = list(agent.trainer.net.value.parameters())
    slopes = torch.autograd.grad(parts["policy"].sum(), weights, allow_unused=True, materialize_grads=True)
    assert not any(slope.any() for slope in slopes), "the critic does not learn from the policy's error"


def test_moves_are_drawn_from_the_policy(run):
    agent, one = run.agents[0], run.deals.choices.words[:1].copy()
    legal = encoding.legal_table(one)
    with torch.no_grad():
        chances = run.reader.legal_outputs(agent.trainer.net, one, legal)[0].softmax(dim=1)[0].numpy()
    words, draws = np.repeat(one, 4000, axis=0), np.random.default_rng(3).random((4000, 3))
    chosen = agent.choose(words, np.zeros(4000, np.uint64), draws, 0.0).groups[:, 0]
    counts = np.bincount(np.searchsorted(legal[0], chosen), minlength=legal.shape[1])
    assert abs(counts / 4000 - chances).max() < 0.04
    assert np.ptp(chances) > 0.02
    top = np.full((4000, 3), 1 - 1e-12)
    assert (agent.choose(words, np.zeros(4000, np.uint64), top, 0.0).groups[:, 0] == legal[0].max()).all()


def test_what_turned_out_well_becomes_likelier_and_each_decision_is_learned_once(run):
    agent, words = run.agents[0], np.repeat(run.deals.choices.words[:1].copy(), 16, axis=0)
    agent.recipe = agent.trainer.recipe = replace(TINY, learning_rate=1e-2)
    legal = encoding.legal_table(words[:1])[0]
    good = np.arange(16) % 2 == 0

    def remember() -> None:
        choices = Choices.blank(16, encoding.NUM_WORDS, 1)
        choices.words[:] = words
        choices.groups[:, 0] = np.where(good, legal[1], legal[0])
        left = np.zeros(16, np.int16)
        ends = Ends(np.where(good, 1.0, -1.0), left, words, np.zeros(16, np.uint64))
        agent.remember(choices, ends)

    def chance() -> float:
        with torch.no_grad():
            logits, _ = run.reader.legal_outputs(agent.trainer.net, words[:1], legal[None])
        return float(logits.softmax(dim=1)[0, 1])

    before = chance()
    for _ in range(20):
        remember()
        agent.learn(0.0)
    assert agent.num_steps == 20
    assert len(agent.waiting.actions) == 0
    assert chance() > 2 * before


def weights_of(run: actor_critic.Run) -> torch.Tensor:
    return torch.cat([weights.detach().flatten() for weights in run.agents[0].trainer.net.parameters()])


def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path):
    undisturbed = actor_critic.Run(TINY, tmp_path / "one", CPU, None)
    for _ in range(40):
        undisturbed.advance()
    killed = actor_critic.Run(TINY, tmp_path / "two", CPU, None)
    killed.out.mkdir()
    for _ in range(25):
        killed.advance()
    killed.save()
    killed.advance()  # lost
    again = actor_critic.Run(TINY, tmp_path / "two", CPU, None)
    again.restore()
    for _ in range(15):
        again.advance()
    assert undisturbed.agents[0].num_steps > 5
    assert torch.equal(weights_of(undisturbed), weights_of(again))
    assert again.figures() == undisturbed.figures()
    assert again.num_games == undisturbed.num_games


def test_a_run_ends_with_a_model_that_plays_its_likeliest_moves(tmp_path):
    run = actor_critic.Run(replace(TINY, games=4), tmp_path / "run", CPU, None)
    conduct(run, name="doudizhu-landlord-a2c-small")  # with its evaluation, by the landlord's games alone
    last = (tmp_path / "run" / "log.jsonl").read_text().splitlines()[-1]
    assert '"rhcp_win_rate"' in last
    player, match = fuda.agent(tmp_path / "run" / "model"), fuda.game("doudizhu").start(3)
    view, seats = match.view_record(match.seat), np.array([match.seat])
    words = np.zeros((1, encoding.NUM_WORDS), np.int64)
    encoding.encode_all(view, seats, words, 0, 1)
    legal = encoding.legal_table(words)
    with torch.no_grad():
        logits, _ = run.reader.legal_outputs(run.agents[0].net, words, legal)
    likeliest = int(legal[0, int(logits[0].argmax())])
    assert match.legal_actions()[player.choose(match)] == likeliest
    assert player.info.unit is None
    assert player.values(match) is None
    while not match.over:
        match.play(player.choose(match))
    again = actor_critic.Run(TINY, tmp_path / "further", CPU, None)
    again.start_from(tmp_path / "run")
    assert torch.equal(weights_of(again), weights_of(run).half().float())
