"""Where one agent thinks least of another's choice."""

import heapq
from dataclasses import dataclass

from fuda.agents import Agent
from fuda.agents.agent import POLICY
from fuda.agents.ties import best_move, loss
from fuda.core.game import Game
from fuda.core.generator import AGENT, check_seed, streams
from fuda.core.match import Match
from fuda.explain.walk import MAX_GAMES, Progress, check_games, views_of, walk


@dataclass(frozen=True)
class Disagreement:
    """A decision at which another choice costs something, by the judge's values."""

    match: Match  # to its end
    number: int  # of the move, from 1
    seat: int
    best: str  # by the judge
    chosen: str  # by the other agent
    loss: float  # in the judge's unit


def disagreements(
    game: Game,
    judge: Agent,
    other: Agent,
    games: int,
    seed: int,
    most: int,
    progress: Progress | None = None,
) -> list[Disagreement]:
    """The choices of `other` that lose most by the values of `judge`, worst first, at most `most`.

    The positions are those of the judge's own play: `games` matches against itself. Bids that the judge
    values in another unit than its other moves are left out, as losses in both cannot be compared.
    """
    if judge.info.unit in (None, POLICY):
        raise ValueError(f"{judge.name} does not tell what moves are worth; name an agent first that does")
    if other.spec is not game.spec:
        raise ValueError(f"{other.name} does not play {game.id}")
    if most < 1:
        raise ValueError(f"at least 1 decision is told, not {most}")
    found: list[Disagreement] = []
    # Beyond the numbers that the players have.
    luck = streams(check_seed(seed), AGENT, MAX_GAMES, 2 * check_games(games)).reshape(2, -1)
    for numbers, matches in walk(game, judge, games, seed, progress):
        views, seats = views_of(matches)
        rngs = luck[:, numbers]
        valued = judge.evaluate(views, seats, rngs[0])
        actions = other.act(views, seats, rngs[1])
        luck[:, numbers] = rngs
        assert valued is not None
        for match, seat, values, action in zip(
            matches, seats.tolist(), valued, actions.tolist(), strict=True
        ):
            is_comparable = judge.info.unit_for(match.awaits_bid) == judge.info.unit
            if not is_comparable or action not in values:  # a search may not have tried it
                continue
            lost = loss(values, action, game.spec, judge.info.unit)
            if lost > 0:
                best = best_move(values, game.spec, judge.info.unit)
                better, chosen = (game.spec.text.move_text(move) for move in (best, action))
                found.append(Disagreement(match, len(match.moves) + 1, seat, better, chosen, lost))
    return heapq.nlargest(most, found, key=lambda one: one.loss)
