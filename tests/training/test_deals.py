"""Lock-step self-play with flat lists of moves: against one game at a time, in plain Python."""

import numpy as np
import pytest

import fuda
from fuda.core.state import PLAYING
from fuda.games import part
from fuda.nets.readers import READERS
from fuda.training.deals import BY_VALUE, POOL, Deals
from fuda.training.rewards import judge_payoff
from tests.payoffs import payoff_of

SIZE = 6


def new_deals(game_id: str, size: int = SIZE, first: int = 0, **options: object) -> Deals:
    game = fuda.game(game_id, **options)
    judge = game.spec.kernels.bind(judge_payoff)
    encoding = part(game_id, "encoding")
    reader = READERS[encoding.PLAYED_BY](encoding, game.spec, "cpu")
    return Deals(game, reader, judge, 1, size, 3, first=first)


class SlowGame:
    """A copy of one game of the group, which is played move by move and remembers its choices."""

    def __init__(self, deals: Deals, b: int):
        self.deals, self.b = deals, b
        self.spec = deals.game.spec
        self.chance = deals.games.chance[b : b + 1].copy()
        self.state = deals.games.states[b : b + 1].copy()
        self.choices: list[tuple[int, int, float]] = []  # of the deal: tick, mover, what was expected
        self.num_over = 0

    def legal(self) -> list[int]:
        room = np.zeros(self.spec.max_legal, np.int64)
        return room[: self.spec.rules.legal(self.state[0], room)].tolist()

    def play(self, tick: int, action: int, expected: float, lam: float) -> dict[int, float]:
        """Play a choice and what is forced after it; the targets by tick if the deal ended."""
        self.choices.append((tick, int(self.state[0].seat), expected))
        self.spec.rules.step(self.state[0], action)
        found: dict[int, float] = {}
        while True:
            if self.state[0].status != PLAYING:
                found |= self._targets(lam)
                self.num_over += self.state[0].status != 1
                self.spec.kernels.settle(self.state[0], self.deals.game.option_codes, self.chance)
            legal = self.legal()
            if len(legal) > 1:
                return found
            self.spec.rules.step(self.state[0], legal[0])

    def _targets(self, lam: float) -> dict[int, float]:
        """By the definition: each seat's outcome, drawn towards what was expected later on its side."""
        rules, state = self.spec.rules, self.state[0]
        found = {}
        for number, (tick, mover, _) in enumerate(self.choices):
            worth = payoff_of(self.spec, state, mover)
            for _, later, expected in reversed(self.choices[number + 1 :]):
                if rules.side(state, later) == rules.side(state, mover):
                    worth = lam * worth + (1 - lam) * expected
                elif self.spec.two_sided:
                    worth = lam * worth - (1 - lam) * expected
            found[tick] = worth
        self.choices = []
        return found


@pytest.mark.parametrize("lam", [1.0, 0.7])
@pytest.mark.parametrize(("game_id", "ticks"), [("doudizhu", 70), ("planted", 110)])
def test_every_choice_is_listed_and_labelled_when_its_deal_ends(game_id, ticks, lam):
    deals = new_deals(game_id)
    slow = [SlowGame(deals, b) for b in range(SIZE)]
    encoding, rules, luck = part(game_id, "encoding"), deals.game.spec.rules, np.random.default_rng(5)
    num_labelled = 0
    for tick in range(ticks):
        assert deals.tick == tick
        choices, rows = deals.choices, np.zeros(SIZE, np.int64)
        for b, game in enumerate(slow):
            assert deals.games.states[b].tobytes() == game.state[0].tobytes()
            mine = slice(choices.starts[b], choices.starts[b + 1])
            assert choices.actions[mine].tolist() == game.legal()
            assert (choices.positions[mine] == b).all()
            # What the networks get of the truth is what the seat sees.
            view, seat = game.state.copy().view(np.recarray), game.state[0].seat
            rules.hide(view[0], seat)
            words = np.full(encoding.NUM_WORDS, -1, np.int64)
            encoding.encode(view[0], seat, words)
            assert choices.words[b].tolist() == words.tolist()
            move_words = np.zeros((mine.stop - mine.start, encoding.NUM_MOVE_WORDS), np.int64)
            starts = np.array([0, len(move_words)])
            encoding.encode_moves_all(view, choices.actions[mine], starts, move_words, 0, 1)
            assert (choices.move_words[mine] == move_words).all()
            rows[b] = luck.integers(mine.start, mine.stop)
        actions, expected = choices.actions[rows].tolist(), luck.normal(size=SIZE).astype(np.float32)
        slots, targets = deals.play(rows, expected[:, None], 0.0, lam)
        found = {}
        for b, game in enumerate(slow):
            for when, worth in game.play(tick, actions[b], float(expected[b]), lam).items():
                found[when % deals.num_ticks * SIZE + b] = worth
        assert sorted(slots.tolist()) == sorted(found)
        assert targets[:, 0] == pytest.approx([found[slot] for slot in slots.tolist()], abs=1e-5)
        num_labelled += len(slots)
    assert num_labelled > 100
    assert deals.num_games == sum(game.num_over for game in slow) > 0


def test_lists_longer_than_their_room_are_whole():
    """In the planted game a gift has 220 moves where there is room for a few."""
    deals = new_deals("planted", size=3)
    assert np.diff(deals.choices.starts).tolist() == [220] * 3
    assert POOL < 220
    assert (np.diff(deals.choices.actions.reshape(3, 220), axis=1) > 0).all()


def test_exploration_gives_any_legal_move_as_often_as_it_should():
    deals = new_deals("doudizhu", size=64)
    num_given = num_seen = 0
    for _ in range(40):
        rows = deals.choices.starts[:-1]
        deals.play(rows, np.zeros((64, 1), np.float32), 0.25, 1.0)
        given, counts = deals.games.given, np.diff(deals.choices.starts)
        assert (given < counts).all()
        num_given += int((given != BY_VALUE).sum())
        num_seen += len(given)
    assert 0.2 < num_given / num_seen < 0.3


def test_games_depend_on_their_number_alone():
    """Whoever plays a part of a group's games plays the same ones."""
    whole, part_of_it = new_deals("doudizhu", size=4), new_deals("doudizhu", size=2, first=2)
    for _ in range(30):
        for deals in (whole, part_of_it):
            deals.play(deals.choices.starts[:-1], np.zeros((deals.size, 1), np.float32), 0.1, 1.0)
        assert whole.games.states[2:].tobytes() == part_of_it.games.states.tobytes()
