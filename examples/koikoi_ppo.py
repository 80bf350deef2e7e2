"""PPO in one file: learns to play rounds of Koi-Koi against a listed agent, on a laptop."""

import argparse
import time
from collections.abc import Iterator
from itertools import count

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import fuda

ENVS, STEPS, EPOCHS, PARTS = 256, 32, 3, 4  # an update: matches, decisions of each, passes, parts of a pass
LAMBDA, CLIP, ENTROPY, SCALE = 0.95, 0.2, 0.01, 10.0  # rewards are points / SCALE
HISTORY = ("first", "my turns", "their turns")  # parts of an observation that it does without


class Player(nn.Module):
    """From what the mover sees and may do to the chances of its actions and the points to come."""

    def __init__(self, env: fuda.VectorEnv, width: int = 256):
        super().__init__()
        blocks = [block for block in env.layout.blocks if block.name not in HISTORY]
        self.columns = np.concatenate([np.arange(block.first, block.first + block.width) for block in blocks])
        self.first, self.second = nn.Linear(len(self.columns), width), nn.Linear(width, width)
        self.heads = nn.Linear(width, 1 + env.num_actions)

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Categorical, Tensor]:  # noqa: D102
        out = self.heads(self.second(self.first(seen).relu()).relu())
        return Categorical(logits=out[:, 1:].masked_fill(~legal, -1e9)), out[:, 0]

    @torch.no_grad
    def look(self, env: fuda.VectorEnv) -> tuple[Tensor, Tensor, Categorical, Tensor]:
        """What the movers see and may do, and what comes of it."""
        seen, legal = torch.from_numpy(env.observations[:, self.columns]), torch.from_numpy(env.legal_mask())
        return seen, legal, *self(seen, legal)


def points(player: Player, opponent: str, rounds: int = 2000) -> np.ndarray:
    """What the likeliest actions win in each of some rounds, on deals that are never trained on."""
    env = fuda.vector("koikoi", rounds, seed=10**6, opponents={1: opponent}, rounds=1)
    won, playing = np.zeros(rounds), np.ones(rounds, bool)
    while playing.any():
        env.step(player.look(env)[2].logits.argmax(dim=1))
        won += env.rewards[:, 0] * playing
        playing &= ~env.done
    return won


def learn(env: fuda.VectorEnv, player: Player, optimizer: torch.optim.Optimizer) -> None:
    """One update: play STEPS decisions in each match, then learn from them."""
    kept = []
    for _ in range(STEPS):
        seen, legal, choice, value = player.look(env)
        action = choice.sample()
        env.step(action)
        reward, ended = torch.tensor(env.rewards[:, 0] / SCALE).float(), torch.tensor(env.done)
        kept.append((seen, legal, action, choice.log_prob(action), value, reward, ended))
    advantage, advantages, after = torch.zeros(env.num_envs), [], player.look(env)[3]
    for *_, value, reward, ended in reversed(kept):  # generalised advantage estimation, nothing discounted
        advantage = reward + torch.where(ended, 0, after + LAMBDA * advantage) - value
        advantages, after = [advantage, *advantages], value
    seen, legal, action, before, value, *_ = (torch.cat(each) for each in zip(*kept, strict=True))
    gain = torch.cat(advantages)
    target, gain = gain + value, (gain - gain.mean()) / (gain.std() + 1e-8)
    for part in (part for _ in range(EPOCHS) for part in torch.randperm(len(gain)).chunk(PARTS)):
        choice, value = player(seen[part], legal[part])
        ratio = (choice.log_prob(action[part]) - before[part]).exp()
        won = torch.min(ratio * gain[part], ratio.clamp(1 - CLIP, 1 + CLIP) * gain[part]).mean()
        loss = (value - target[part]).square().mean() / 2 - won - ENTROPY * choice.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def train(minutes: float, opponent: str) -> Iterator[tuple[float, int, np.ndarray]]:
    """Train, and now and then give the minutes, the updates, and the points of rounds for testing."""
    torch.manual_seed(1)
    env = fuda.vector("koikoi", ENVS, seed=1, opponents={1: opponent}, rounds=1)
    player = Player(env)
    optimizer, began = torch.optim.Adam(player.parameters(), lr=5e-4), time.monotonic()
    for update in count():
        spent = (time.monotonic() - began) / 60
        if update % 20 == 0 or spent >= minutes:
            yield spent, update, points(player, opponent)
        if spent >= minutes:
            return
        learn(env, player, optimizer)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--opponent", default="koikoi/random")
    for spent, updates, won in train(**vars(parser.parse_args())):
        print(f"{spent:.1f} minutes, {updates} updates: {won.mean():+.2f} points a round", flush=True)
