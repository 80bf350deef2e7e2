"""The trainer on linear layers: its steps against plain PyTorch, in shares or not."""

import copy
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor, nn

from fuda.core.threads import limited_to
from fuda.training.ranks import Ranks
from fuda.training.trainer import Parts, Sum, Trainer

torch.set_num_threads(1)  # test processes share the cores


@dataclass(frozen=True)
class Recipe:
    learning_rate: float = 1e-2
    final_learning_rate: float = 1e-2
    warmup_steps: int = 1
    average: float = 0.9
    optimizer: str = "adamw"
    weight_decay: float = 0.1
    clip: float = 0.5


NUM_ROWS, BATCH = 100, 64


class Fitted:
    """Two targets of the same rows: one for the network, one for a module beside it."""

    def __init__(self, recipe: Recipe | None = None, ranks: Ranks | None = None):
        torch.manual_seed(1)
        self.rows, self.targets = torch.randn(NUM_ROWS, 4), 5 * torch.randn(NUM_ROWS, 3)
        self.net, self.critic = nn.Linear(4, 2), nn.Linear(4, 1)
        beside = nn.ModuleList([self.critic, nn.Linear(2, 2)])  # the last one is in no error
        self.trainer = Trainer(self.net, recipe or Recipe(), ranks or Ranks(), [beside])

    def errors(self, net: nn.Module, rows: Tensor, targets: Tensor) -> Parts:
        off = net(rows) - targets[:, :2]
        return {
            "one": off[:, 0] ** 2,
            "two": off[:, 1] ** 2,
            "critic": (self.critic(rows)[:, 0] - targets[:, 2]) ** 2,
        }

    def record(self, **given) -> None:
        self.trainer.record(
            self.errors, lambda index: [self.rows[index], self.targets[index]], BATCH, **given
        )


@pytest.mark.parametrize("is_random", [False, True])
def test_a_step_is_that_of_plain_pytorch(is_random):
    """Parts by their weights, each module clipped by itself, a module without gradient left to decay."""
    fitted = Fitted()
    modules = copy.deepcopy(fitted.trainer.modules)
    plain = torch.optim.AdamW(modules.parameters(), 1e-2, weight_decay=0.1)
    for weights in modules.parameters():
        weights.grad = torch.zeros_like(weights)
    net, beside = modules
    index = torch.arange(BATCH)
    rows, targets = fitted.rows[index], fitted.targets[index]
    off = ((net(rows) - targets[:, :2]) ** 2).mean(dim=0)
    critic = ((beside[0](rows)[:, 0] - targets[:, 2]) ** 2).mean()
    (off[0] + 0.1 * off[1] + 2 * critic).backward()
    norms = [float(nn.utils.clip_grad_norm_(module.parameters(), 0.5)) for module in modules]
    assert min(norms) > 0.5
    plain.step()
    fitted.record(loss=Sum(two=0.1, critic=2.0), is_random=is_random)
    with limited_to(2):
        fitted.trainer.step(index, 0.0)
    for mine, theirs in zip(fitted.trainer.modules.parameters(), modules.parameters(), strict=True):
        assert torch.allclose(mine, theirs, atol=1e-6)
    found = fitted.trainer.errors()
    assert found == pytest.approx({"one": off[0].item(), "two": off[1].item(), "critic": critic.item()})


def test_a_part_need_not_count():
    fitted = Fitted()
    before = fitted.critic.weight.clone()
    fitted.record(loss=lambda means: means["one"].sqrt())
    fitted.trainer.step(torch.arange(BATCH), 0.0)
    assert torch.allclose(fitted.critic.weight, before * (1 - 1e-2 * 0.1))  # nothing but its decay
    assert not fitted.trainer._module_gradients[1].any()


def test_errors_are_of_what_was_learned_since_the_last_call():
    fitted = Fitted()
    fitted.record()
    assert fitted.trainer.errors() == {}
    fitted.trainer.step(torch.arange(BATCH), 0.0)
    first = fitted.trainer.errors()
    assert set(first) == {"one", "two", "critic"}
    assert fitted.trainer.errors() == {}


def test_ranks_share_no_loss_but_a_sum():
    fitted = Fitted(ranks=Ranks(0, 2))
    with pytest.raises(ValueError, match="a loss that is a sum"):
        fitted.record(loss=lambda means: means["one"].sqrt())
    fitted.record(loss=Sum(critic=0.5))
