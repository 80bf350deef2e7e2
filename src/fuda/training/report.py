"""What a run tells: evaluations, the agents as model folders, log lines, its origin."""

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import nn

from fuda.agents.agent import Agent
from fuda.agents.model import model_folders
from fuda.agents.network import NetworkAgent
from fuda.agents.turn_search import WAITING
from fuda.arena import duel
from fuda.nets.export import write_model
from fuda.nets.folder import ModelCard
from fuda.nets.token_transformer import TokenTransformer
from fuda.training.conduct import CHOOSING_SEED
from fuda.training.torch_agent import model_on, torch_agent

if TYPE_CHECKING:
    from fuda.training.monte_carlo import Run


def model_names(aims: tuple[str, ...]) -> dict[str, str]:
    """The folder of the agent for each aim, in the run's folder."""
    return {aim: "model" if len(aims) == 1 else f"model-{aim}" for aim in aims}


def networks_for(run: "Run", aim: str) -> list[TokenTransformer]:
    """The averaged networks, with what they say for one aim alone."""
    number, width = run.recipe.aims.index(aim), run.width
    return [_only(net, number * width, width) for net in run.learner.averages]


def _only(net: TokenTransformer, first: int, width: int) -> TokenTransformer:
    """A copy of a network with `width` of its outputs."""
    part = copy.deepcopy(net)
    value = nn.Linear(net.value.in_features, width, device=net.value.weight.device)
    with torch.no_grad():
        value.weight.copy_(net.value.weight[first : first + width])
        value.bias.copy_(net.value.bias[first : first + width])
    part.value = value
    return part.requires_grad_(False).eval()


def agent_for(run: "Run", aim: str) -> NetworkAgent:
    """The averaged networks as a player for one aim, where they are."""
    return torch_agent(
        networks_for(run, aim),
        run.learner.owners,
        run.game.id,
        run.encoding,
        aim,
        run.table,
        scale_of(run, aim),
    )


def scale_of(run: "Run", aim: str) -> float:
    """What one of the networks' numbers is in the unit of the aim; chances have none."""
    return 1.0 if run.recipe.classes else float(run.rewards.REWARDS[aim][1])


def evaluate(run: "Run", games: int) -> dict[str, float]:
    """The averaged networks, playing greedily for each aim, against some other players."""
    figures: dict[str, float] = {}
    models = model_folders(run.game.id)
    for aim in run.recipe.aims:
        player = agent_for(run, aim)
        for opponent in run.recipe.opponents:
            other: str | Agent = f"{run.game.id}/{opponent}"
            if opponent in models:
                other = model_on(run.device, models[opponent], f"{run.game.id}/{opponent}")
            result = duel(run.game, player, other, games, CHOOSING_SEED)
            name = f"{aim}_{opponent}"
            figures |= {
                f"{name}_win_rate": result.win_rate,
                f"{name}_win_rate_stderr": result.win_rate_stderr,
                f"{name}_points": result.mean_diff,
                f"{name}_stderr": result.stderr,
            }
    return figures


def export(run: "Run") -> None:
    """The averaged networks as a model folder for each aim, which `fuda duel` and `fuda play` take."""
    spec, encoding, kinds = run.game.spec, run.encoding, run.encoding.DECISION_KINDS
    for aim, name in model_names(run.recipe.aims).items():
        card = ModelCard(
            spec.id, spec.rules_version, encoding.__name__.rpartition(".")[2], encoding.ENCODING_VERSION,
            title=run.out.resolve().name, line=run.recipe.line, unit=aim,
            scale=scale_of(run, aim),
            made=run.made(),
        )  # fmt: skip
        made_by = [
            (net, [kind for kind, owner in zip(kinds, run.learner.owners, strict=True) if owner == number])
            for number, net in enumerate(networks_for(run, aim))
        ]
        table = run.table if aim == "probability" else None
        write_model(run.out / name, card, made_by, table)
        if run.turn is not None:
            search = replace(card, line=f"{card.line} Searches its turn.")
            ((net, decisions),) = made_by
            write_model(run.out / f"{name}-search", search, [(net, [*decisions, WAITING])], table)
