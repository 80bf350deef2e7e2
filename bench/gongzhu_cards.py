"""What a network thinks of each card: Figs. 3 and 4 and Tables 4, 6 and 7 of the ScrofaZero paper.

    python bench/gongzhu_cards.py MODEL [--games 512] [--device cuda]

Writes gongzhu-cards.json and gongzhu-cards.svg. How the paper chose its situations is not
told; here they are:
- Figs. 3 and 4: all decisions with a choice, in games of the model's policy against itself. The correction
  factor is exp(-0.015 regret) among legal cards of the suit, the value is the logit / 0.2 less its mean over
  the legal cards.
- Table 4: what it is worth to the leader's team at the start, with open hands, to hold a card instead of the
  lowest card of its suit that the next player holds: the two are exchanged and the values compared.
- Tables 6 and 7: the second player of the first trick follows suit with some cards of it, the rest of the
  hand is random; the factors are averaged over such hands. Then the irrelevant card takes the place of a
  random other card.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from gongzhu_players import REPORT_SEED, keep, need_open_hands, player, summary
from results_folder import add_results, pictures

import fuda
from fuda.agents.scenarios import ScenarioAgent, scenario_setting
from fuda.core.generator import CHANCE, streams
from fuda.core.runner import LockStep
from fuda.games.gongzhu import encoding
from fuda.games.gongzhu.cards import SCORING
from fuda.games.tricks.french import CARD_IDS, CARD_TEXTS, NUM_CARDS, NUM_RANKS
from fuda.search.belief import sharpness_of

SPEC = fuda.game("gongzhu").spec
SHARPNESS, BETA = sharpness_of(SPEC), scenario_setting(SPEC).beta
# Table 4: the parameters of Mr. Greed and the paper's figures for its network.
TABLE4 = {
    "SA": [-50, "-20 to -40"], "SK": [-30, "-20 to -40"], "CA": [-20, "-20"], "CK": [-15, "-20"],
    "CQ": [-10, "-10"], "CJ": [-5, "-10"], "DA": [30, "20"], "DK": [20, "10"], "DQ": [10, "10"],
}  # fmt: skip
# Tables 6 and 7: the irrelevant card, and the cards of the suit beside it.
IRRELEVANT = {
    "table 6": ("D4", ("D7 D8", "D6 D7 DJ", "D10 DK")),
    "table 7": ("SJ", ("S5 S10", "S8 S10 SQ", "S7 SK")),
}
NUM_HANDS = 500


def logits_of(agent: ScenarioAgent, views: np.recarray, seats: np.ndarray) -> np.ndarray:
    words = np.zeros((len(views), encoding.NUM_WORDS), np.int64)
    encoding.encode_all(views, seats, words, 0, len(views))
    return agent.network(words)[1]


def factors(logits: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Correction factors [K, 52] among the legal cards of each suit, nan for all others."""
    by_suit = np.where(legal, logits, -np.inf).reshape(len(logits), -1, NUM_RANKS)
    best = by_suit.max(axis=2, keepdims=True)
    regrets = (np.where(np.isfinite(best), best, 0) - by_suit) / SHARPNESS
    return np.where(legal, np.exp(-BETA * regrets.reshape(logits.shape)), np.nan)


def decisions(agent: ScenarioAgent, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits [K, 52] and legal cards [K, 52] of the decisions with a choice in games of the player."""
    found = []

    def act(views: np.recarray, seats: np.ndarray, luck: np.ndarray) -> np.ndarray:
        moves = SPEC.kernels.legal_lists(views)
        legal = np.zeros((len(views), NUM_CARDS), bool)
        legal[moves.rows, moves.items] = True
        free = moves.counts > 1
        found.append((logits_of(agent, views, seats)[free], legal[free]))
        return agent.act(views, seats, luck)

    LockStep(fuda.game("gongzhu"), REPORT_SEED, np.arange(games), np.zeros((games, 4), np.int64)).play([act])
    logits, legal = (np.concatenate(each) for each in zip(*found, strict=True))
    return logits, legal


def by_card(agent: ScenarioAgent, games: int) -> dict[str, Any]:
    """Figs. 3 and 4."""
    logits, legal = decisions(agent, games)
    gammas = factors(logits, legal)
    values = np.where(legal, logits / SHARPNESS, np.nan)
    values -= np.nanmean(values, axis=1, keepdims=True)
    return {
        card: {
            "times": int(legal[:, number].sum()),
            "mean factor": float(np.nanmean(gammas[:, number])),
            "variance of values": float(np.nanvar(values[:, number])),
        }
        for number, card in enumerate(CARD_TEXTS)
    }


def worths(agent: ScenarioAgent, games: int) -> dict[str, Any]:
    """Table 4."""
    states = SPEC.new_states(games)
    chance = streams(REPORT_SEED, CHANCE, 0, games)
    SPEC.kernels.start_all(states, fuda.game("gongzhu").option_codes, chance, 0, games)
    found = {}
    for name, (greed, paper) in TABLE4.items():
        card, suit = CARD_IDS[name], CARD_IDS[name] // NUM_RANKS
        kept, exchanged = [], []
        for state in states:
            small = [
                other for other in range(NUM_RANKS * suit, card)
                if int(state.hand[1]) >> other & 1 and not SCORING >> other & 1
            ]  # fmt: skip
            if not int(state.hand[0]) >> card & 1 or not small:
                continue
            both = (1 << card) | (1 << small[0])
            other = np.array([state]).view(np.recarray)
            other[0].hand[0] ^= both
            other[0].hand[1] ^= both
            kept.append(np.array([state]))
            exchanged.append(other)
        values = []
        for each in (kept, exchanged):
            some = np.concatenate(each).view(np.recarray)
            words = np.zeros((len(some), encoding.NUM_WORDS), np.int64)
            encoding.encode_all(some, np.zeros(len(some), np.int64), words, 0, len(some))
            values.append(agent.network(words)[0].astype(float))
        mean, error = summary(values[0] - values[1])
        found[name] = {"worth": mean, "stderr": error, "hands": len(kept), "greed": greed, "paper": paper}
    return found


def irrelevant(agent: ScenarioAgent, card: str, sets: tuple[str, ...]) -> list[dict[str, Any]]:
    """Tables 6 and 7: mean factors without and with a card, over the same hands."""
    luck = np.random.default_rng(REPORT_SEED)
    suit = CARD_IDS[card] // NUM_RANKS
    of_suit = np.arange(NUM_RANKS * suit, NUM_RANKS * (suit + 1))
    others = np.setdiff1d(np.arange(NUM_CARDS), of_suit)
    rows = []
    for text in sets:
        held = [CARD_IDS[each] for each in text.split()]
        free = np.setdiff1d(of_suit, [*held, CARD_IDS[card]])
        views = SPEC.new_states(2 * NUM_HANDS)
        for k in range(NUM_HANDS):
            rest = luck.choice(others, 13 - len(held), replace=False)
            led = luck.choice(free)
            for number, hand in enumerate(([*held, *rest], [*held, CARD_IDS[card], *rest[1:]])):
                view = views[2 * k + number]
                view.hand[1] = sum(1 << int(each) for each in hand)
                view.plays[:] = -1
                view.leaders[1:] = -1
                view.plays[0], view.num_plays, view.seat = led, 1, 1
        legal = np.zeros((2 * NUM_HANDS, NUM_CARDS), bool)
        legal[:, held] = True
        legal[1::2, CARD_IDS[card]] = True
        gammas = factors(logits_of(agent, views, np.ones(len(views), np.int64)), legal)
        without, with_card = gammas[0::2], gammas[1::2]
        rows.append({
            "cards": text,
            "without": {each: float(without[:, CARD_IDS[each]].mean()) for each in text.split()},
            "with": {each: float(with_card[:, CARD_IDS[each]].mean()) for each in [*text.split(), card]},
            "mean change": float(np.abs(with_card[:, held] - without[:, held]).mean()),
        })  # fmt: skip
    return rows


def draw(cards: dict[str, Any], path: Path) -> None:
    """Figs. 3 and 4 as one picture."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "fuda"  # the same picture for the same figures
    figure, axes = plt.subplots(2, 1, figsize=(9, 6), sharex=True, layout="constrained")
    ranks = [card[1:] for card in CARD_TEXTS[:NUM_RANKS]]
    for axis, what in zip(axes, ("mean factor", "variance of values"), strict=True):
        for suit, colour in zip("SHDC", ("black", "tab:red", "tab:orange", "tab:green"), strict=True):
            axis.plot(ranks, [cards[suit + rank][what] for rank in ranks], "o-", color=colour, label=suit)
        axis.set_ylabel(what)
        axis.grid(alpha=0.3)
    axes[0].legend(ncols=4)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description="What a network thinks of each card.")
    parser.add_argument("model", type=Path)
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    add_results(parser)
    arguments = parser.parse_args()
    need_open_hands(parser, arguments.model)
    began = time.perf_counter()
    agent = player(arguments.model, arguments.device, "-policy")
    assert isinstance(agent, ScenarioAgent)
    cards = by_card(agent, arguments.games)
    figures = {
        "cards": cards,
        "table 4": worths(agent, 8 * arguments.games),
        **{name: irrelevant(agent, card, sets) for name, (card, sets) in IRRELEVANT.items()},
    }
    draw(cards, pictures(arguments.results) / "gongzhu-cards.svg")
    seconds = time.perf_counter() - began
    keep(
        arguments.results, "cards", "gongzhu cards", figures, [arguments.model], arguments.games, seconds,
        arguments.device,
    )  # fmt: skip


if __name__ == "__main__":
    main()
