"""PPO in one file: learns Koi-Koi, one round at a time, against a listed agent on a laptop.

    python examples/koikoi_ppo.py --minutes 5

Prints the mean points a round over its opponent, before and while it learns.
"""

import argparse
import time

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import fuda

STEPS, EPOCHS, BATCHES = (
    32,
    3,
    4,
)  # decisions of each environment in an update; passes over them; parts of a pass
DISCOUNT, LAMBDA, CLIP, ENTROPY, SCALE = 1.0, 0.95, 0.2, 0.01, 10.0  # rewards are points / SCALE


class Player(nn.Module):
    """What the mover sees, without the history of the round, to a choice and the points to come."""

    def __init__(self, env: fuda.VectorEnv, width: int = 256):
        super().__init__()
        blocks = [
            block for block in env.layout.blocks if block.name not in ("first", "my turns", "their turns")
        ]
        self.columns = np.concatenate([np.arange(b.first, b.first + b.width) for b in blocks])
        self.body = nn.Sequential(
            nn.Linear(len(self.columns), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(width, env.num_actions), nn.Linear(width, 1)

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Categorical, Tensor]:
        """Chances of the actions, and what is to come."""
        hidden = self.body(seen)
        return Categorical(logits=self.policy(hidden).masked_fill(~legal, -1e9)), self.value(hidden)[:, 0]

    def look(self, env: fuda.VectorEnv) -> tuple[Tensor, Tensor]:
        """What the movers see and may do."""
        return torch.from_numpy(env.observations[:, self.columns]), torch.from_numpy(env.legal_mask())


def points(player: Player, opponent: str, rounds: int = 2000) -> float:
    """Mean points a round in seat 0, by the likeliest moves, on rounds that are never trained on."""
    env = fuda.vector("koikoi", rounds, seed=10**6, opponents={1: opponent}, rounds=1)
    total, playing = 0.0, np.ones(rounds, bool)
    while playing.any():
        with torch.no_grad():
            choice, _ = player(*player.look(env))
        env.step(choice.logits.argmax(dim=1))
        total += env.rewards[playing, 0].sum()
        playing &= ~env.done
    return total / rounds


def learn(env: fuda.VectorEnv, player: Player, optimizer: torch.optim.Optimizer) -> None:
    """One update: play STEPS decisions in each environment, then learn from them."""
    kept = []
    for _ in range(STEPS):
        seen, legal = player.look(env)
        with torch.no_grad():
            choice, value = player(seen, legal)
        action = choice.sample()
        env.step(action)
        reward = torch.tensor(env.rewards[:, 0] / SCALE, dtype=torch.float32)
        kept.append(
            (seen, legal, action, choice.log_prob(action), value, reward, torch.tensor(env.deal_done))
        )
    with torch.no_grad():
        coming = player(*player.look(env))[1]
    advantage, advantages = torch.zeros(env.num_envs), []
    for *_, value, reward, ended in reversed(kept):
        coming, advantage = coming.masked_fill(ended, 0), advantage.masked_fill(ended, 0)
        advantage = reward + DISCOUNT * coming - value + DISCOUNT * LAMBDA * advantage
        coming = value
        advantages.insert(0, advantage)
    seen, legal, action, before, value, *_ = (torch.cat(each) for each in zip(*kept, strict=True))
    gain = torch.cat(advantages)
    aim, gain = gain + value, (gain - gain.mean()) / (gain.std() + 1e-8)
    for part in (part for _ in range(EPOCHS) for part in torch.randperm(len(aim)).chunk(BATCHES)):
        choice, value = player(seen[part], legal[part])
        ratio = (choice.log_prob(action[part]) - before[part]).exp()
        won = torch.min(ratio * gain[part], ratio.clamp(1 - CLIP, 1 + CLIP) * gain[part]).mean()
        loss = (value - aim[part]).square().mean() / 2 - won - ENTROPY * choice.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(player.parameters(), 0.5)
        optimizer.step()


def main() -> None:
    """Train and tell how it goes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--opponent", default="koikoi/random")
    wanted = parser.parse_args()
    torch.manual_seed(1)
    env = fuda.vector("koikoi", 256, seed=1, opponents={1: wanted.opponent}, rounds=1)
    player = Player(env)
    optimizer = torch.optim.Adam(player.parameters(), lr=5e-4)
    began, updates = time.monotonic(), 0
    while True:
        spent = (time.monotonic() - began) / 60
        if updates % 20 == 0 or spent > wanted.minutes:
            won = points(player, wanted.opponent)
            print(f"{spent:.1f} minutes, {updates} updates: {won:+.2f} points a round", flush=True)
        if spent > wanted.minutes:
            return
        learn(env, player, optimizer)
        updates += 1


if __name__ == "__main__":
    main()
