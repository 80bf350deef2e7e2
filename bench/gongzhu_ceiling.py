"""How many points hidden hands cost: a model's player that sees all hands, over Mr. Greed, who does not.

    python bench/gongzhu_ceiling.py MODEL [--deals 1024] [--device cuda]

The player searches one tree on the true deal instead of scenarios. Writes gongzhu-ceiling.json,
with the honest player on the same deals beside it.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from gongzhu_players import CHUNK, REPORT_SEED, keep, margins, need_open_hands, player, row
from results_folder import add_results

import fuda
from fuda.agents.scenarios import ScenarioAgent
from fuda.core.ragged import segment_argmax
from fuda.core.runner import Act, LockStep


class OpenHands(ScenarioAgent):
    """Plays from states: no agent, and never seated in a duel."""

    def act_on(self, states: np.recarray, rngs: np.ndarray) -> np.ndarray:
        legal = self.spec.kernels.legal_lists(states)
        return legal.items[segment_argmax(self._search(states, legal, rngs), legal.starts)]


class OpenTable(LockStep):
    """Matches that know which of them were asked last."""

    asked = np.zeros(0, np.int64)

    def advance(self, index: np.ndarray, act: Act) -> None:
        self.asked = index
        super().advance(index, act)


def open_margins(open_hands: OpenHands, deals: int) -> np.ndarray:
    """Margins [deals, 2] over Mr. Greed."""
    game, greed = fuda.game("gongzhu"), fuda.agent("gongzhu/greed")
    parts = []
    for start in range(0, deals, CHUNK):
        numbers = np.repeat(np.arange(start, min(deals, start + CHUNK)), 2)
        table = OpenTable(
            game, REPORT_SEED, numbers, np.tile(np.array(game.seatings), (len(numbers) // 2, 1))
        )

        def act(
            views: np.recarray, seats: np.ndarray, luck: np.ndarray, table: OpenTable = table
        ) -> np.ndarray:
            return open_hands.act_on(table.states[table.asked].view(np.recarray), luck)

        scores = table.play([act, greed.act])
        parts.append(np.stack([
            game.spec.margin(scores[number::2], [who == 0 for who in seating])
            for number, seating in enumerate(game.seatings)
        ], axis=1))  # fmt: skip
    return np.concatenate(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description="What hidden hands cost.")
    parser.add_argument("model", type=Path)
    parser.add_argument("--deals", type=int, default=1024)
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    add_results(parser)
    arguments = parser.parse_args()
    need_open_hands(parser, arguments.model)
    began = time.perf_counter()
    honest = player(arguments.model, arguments.device)
    assert isinstance(honest, ScenarioAgent)
    open_hands = OpenHands(honest.name, honest.spec, honest.encoding, honest.network, honest.setting)
    hidden = margins(honest, fuda.agent("gongzhu/greed"), arguments.deals)
    rows = {"hidden hands": row(hidden), "open hands": row(open_margins(open_hands, arguments.deals), hidden)}
    print(rows)
    figures = {"rows": rows, "gains are over": "hidden hands"}
    seconds = time.perf_counter() - began
    keep(
        arguments.results, "ceiling", "gongzhu ceiling", figures, [arguments.model], arguments.deals, seconds,
        arguments.device,
    )  # fmt: skip


if __name__ == "__main__":
    main()
