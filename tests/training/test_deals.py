"""Lock-step self-play with flat lists of moves: against one game at a time, in plain Python."""

from collections.abc import Sequence

import numpy as np
import pytest

import fuda
from fuda.core.generator import bits
from fuda.core.state import AWAITING_DEAL, PLAYING
from fuda.games import part
from fuda.games.koikoi import winning
from fuda.nets.readers import READERS
from fuda.training.deals import BY_VALUE, COUNTED, LEARNED, NOBODY, POOL, WAITING, Deals, Play, Seating, alone
from fuda.training.guests import seated
from fuda.training.ranks import Ranks
from fuda.training.rewards import find_reward

SIZE = 6
GREEDY = Play()
TABLE = winning.induce(winning.first_gains(), 60)


def new_deals(
    game_id: str,
    seating: Seating | int = SIZE,
    play: Play = GREEDY,
    reward: str = "payoff",
    aims: Sequence[str] = (),
    encoding_name: str = "encoding",
    **options: object,
) -> Deals:
    game = fuda.game(game_id, **options)
    encoding = part(game_id, encoding_name)
    reader = READERS[encoding.PLAYED_BY](encoding, game.spec, "cpu")
    seating = alone(seating) if isinstance(seating, int) else seating
    found = find_reward(reward, game.spec, 1.0, aims)
    return Deals(game, reader, found, seating, play, 3, table=TABLE, notes=True)


def first_moves(deals: Deals) -> np.ndarray:
    """The places of the first legal moves."""
    return np.zeros(deals.size, np.int64)


def with_guests(size: int, names: Sequence[str], num_sides: int = 2) -> Seating:
    """Each policy is the guest in as many games, on all sides in turn; in the last part nobody is."""
    part_of_it = size // (len(names) + 1)
    number = np.arange(size) // part_of_it
    sides = np.where(number < len(names), np.arange(size) % num_sides, NOBODY)
    policies = np.where(number < len(names), number, NOBODY)
    return Seating(np.arange(size), np.zeros(size, np.int64), sides, policies, names)


class SlowGame:
    """A copy of one game of the group, which is played move by move and remembers its choices."""

    def __init__(self, deals: Deals, reward, b: int, policy: str | None = None):
        self.deals, self.reward, self.policy = deals, reward, policy
        self.spec = deals.game.spec
        self.guest_side = deals.games.guest_sides[b]
        self.chance, self.rng = (rngs[b : b + 1].copy() for rngs in (deals.games.chance, deals.games.rng))
        self.state = deals.games.states[b : b + 1].copy().view(np.recarray)
        self.choices: list[tuple[int, int, np.ndarray]] = []  # of the deal: tick, mover, what was expected
        self.ended: list[bytes] = []
        self.num_over = self.num_guest_moves = 0

    def legal(self) -> list[int]:
        room = np.zeros(self.spec.max_legal, np.int64)
        return room[: self.spec.rules.legal(self.state[0], room)].tolist()

    def view(self) -> np.recarray:
        view = self.state.copy()
        self.spec.rules.hide(view[0], view[0].seat)
        return view

    def play(self, tick: int, action: int, expected: np.ndarray, lam: float) -> dict[int, np.ndarray]:
        """Play a choice, and what guests and rules do after it; the targets by tick if the deal ended."""
        self.choices.append((tick, int(self.state[0].seat), expected))
        self.spec.rules.step(self.state[0], action)
        found: dict[int, np.ndarray] = {}
        while True:
            if self.state[0].status != PLAYING:
                found |= self._targets(lam)
                self.ended.append(self.state[0].tobytes())
                self.num_over += self.state[0].status != 1
                self.spec.kernels.settle(self.state[0], self.deals.game.option_codes, self.chance)
            legal, seat = self.legal(), self.state[0].seat
            if self.policy is not None and self.spec.rules.side(self.state[0], seat) == self.guest_side:
                move = self.spec.policy(self.policy).choose(self.view()[0], seat, self.rng)
                self.spec.rules.step(self.state[0], move)
                self.num_guest_moves += 1
            elif len(legal) > 1:
                bits(self.rng)  # whether a random move is to be made
                return found
            else:
                self.spec.rules.step(self.state[0], legal[0])

    def _targets(self, lam: float) -> dict[int, np.ndarray]:
        """By the definition: each seat's outcome, drawn towards what was expected later on its side."""
        rules, state = self.spec.rules, self.state[0]
        found = {}
        for number, (tick, mover, _) in enumerate(self.choices):
            worth = np.zeros(self.reward.width)
            self.reward.judge(state, mover, TABLE, worth)
            for _, later, expected in reversed(self.choices[number + 1 :]):
                if rules.side(state, later) == rules.side(state, mover):
                    worth = lam * worth + (1 - lam) * expected
                elif self.spec.two_sided:
                    worth = lam * worth + (1 - lam) * mirrored(expected)
            found[tick] = worth
        self.choices = []
        return found


def mirrored(target: np.ndarray) -> np.ndarray:
    """For the other side."""
    return -target if target.shape[-1] == 1 else target[..., ::-1]


CASES = [
    ("doudizhu", "payoff", (), None, 70),
    ("planted", "payoff", (), None, 110),
    ("koikoi", "classes", ("probability",), None, 110),
    ("koikoi", "gain", ("points",), ["classical"], 110),
    ("doudizhu", "win", (), ["rhcp", "rhcp-partner"], 70),
]


@pytest.mark.parametrize("lam", [1.0, 0.7])
@pytest.mark.parametrize(("game_id", "reward", "aims", "names", "ticks"), CASES)
def test_every_choice_is_listed_and_labelled_when_its_deal_ends(game_id, reward, aims, names, ticks, lam):
    """Each guest plays its own policy at once: when the learner chooses, the games are equal to the byte."""
    seating = with_guests(SIZE, names) if names else alone(SIZE)
    check_self_play(new_deals(game_id, seating, reward=reward, aims=aims), seating, reward, aims, ticks, lam)


@pytest.mark.parametrize("lam", [1.0, 0.7])
def test_bids_are_choices_and_a_deal_may_end_with_them(lam):
    told = {"encoding_name": "auction", "bidding": "on", "score": "adp"}
    deals = new_deals("doudizhu", alone(SIZE), reward="win-and-scores", **told)
    num_dealt_again = check_self_play(deals, alone(SIZE), "win-and-scores", (), 130, lam, "auction", 0.5)
    assert num_dealt_again > 0


def check_self_play(
    deals: Deals,
    seating: Seating,
    reward: str,
    aims: Sequence[str],
    ticks: int,
    lam: float,
    encoding_name: str = "encoding",
    first_share: float = 0.0,
) -> int:
    """Against games one by one; how many deals ended and not their matches.

    So often the first legal move is made, which is the lowest bid, else any.
    """
    names = seating.names
    judged = find_reward(reward, deals.game.spec, 1.0, aims)
    policies = [None if number == NOBODY else names[number] for number in seating.policies]
    slow = [SlowGame(deals, judged, b, policies[b]) for b in range(SIZE)]
    encoding = part(deals.game.id, encoding_name)
    reader = READERS[encoding.PLAYED_BY](encoding, deals.game.spec, "cpu")
    luck, num_labelled, num_dealt_again = np.random.default_rng(5), 0, 0
    for tick in range(ticks):
        assert deals.tick == tick
        choices, places = deals.choices, np.zeros(SIZE, np.int64)
        for b, game in enumerate(slow):
            assert deals.games.states[b].tobytes() == game.state[0].tobytes()
            mine = slice(choices.starts[b], choices.starts[b + 1])
            assert choices.actions[mine].tolist() == game.legal()
            assert (choices.positions[mine] == b).all()
            # What the networks get of the truth is what the seat sees.
            view, seat = game.view(), game.state[0].seat
            words, worths = np.zeros(reader.num_words, np.int64), np.zeros(judged.num_worths, np.float32)
            reader.encode(view[0], seat, words)
            assert choices.words[b].tolist() == words.tolist()
            judged.write_worths(view[0], seat, 1, TABLE, worths)
            assert choices.worths[b].tolist() == worths.tolist()
            for row in range(mine.start, mine.stop):
                move_words = np.zeros(reader.num_move_words, np.int64)
                reader.encode_move(view[0], choices.actions[row], move_words)
                assert choices.move_words[row].tolist() == move_words.tolist()
            places[b] = luck.integers(mine.stop - mine.start)
            if first_share and luck.random() < first_share:
                places[b] = 0
        actions = choices.actions[choices.starts[:-1] + places].tolist()
        expected = luck.normal(size=(SIZE, judged.width)).astype(np.float32)
        slots, targets = deals.play(places, expected, Play(lambda_return=lam))
        found = {}
        for b, game in enumerate(slow):
            game.ended = []
            for when, worth in game.play(tick, actions[b], expected[b], lam).items():
                found[when % deals.num_ticks * SIZE + b] = worth
            assert deals.games.has_ended[b] == bool(game.ended)
            assert not game.ended or deals.games.ended[b].tobytes() == game.ended[-1]
            num_dealt_again += game.ended != [] and deals.games.ended[b].status == AWAITING_DEAL
        assert sorted(slots.tolist()) == sorted(found)
        for slot, target in zip(slots.tolist(), targets, strict=True):
            assert target == pytest.approx(found[slot], abs=1e-4)
        num_labelled += len(slots)
    assert num_labelled > 100
    assert deals.num_games == sum(game.num_over for game in slow) > 0
    assert sum(game.num_guest_moves for game in slow) >= 50 * len(names)
    return num_dealt_again


def test_some_slots_tell_what_the_player_who_waits_sees():
    """Where a turn begins, forced or not, its view and the target from its side; never beside guests."""
    size, play = 32, Play(waiting_share=0.5, learn_share=0.5)
    deals = new_deals("koikoi", with_guests(size, ["classical"]), play, "classes", ("points",))
    games, judge = deals.games, find_reward("classes", deals.game.spec, 1.0, ("points",)).judge
    encoding, rules = part("koikoi", "encoding"), deals.game.spec.rules
    places, progress = (
        np.zeros((1, encoding.NUM_PLACE_ROWS), np.int64),
        np.zeros((1, encoding.NUM_PROGRESS), np.int8),
    )
    luck, seen, forced, told = np.random.default_rng(2), 0, 0, 0
    for _ in range(120):
        counts, marks = games.counts.copy(), games.marks.copy()
        assert (marks[counts > 1] & COUNTED).all()
        index, words = deals.waiting()
        assert index.tolist() == np.flatnonzero((marks & WAITING > 0) & (marks & LEARNED > 0)).tolist()
        for b, word in zip(index, words, strict=True):
            assert deals.games.guest_sides[b] == NOBODY
            state = deals.games.states[b : b + 1].copy().view(np.recarray)
            assert state.phase[0] == 0
            seat = 1 - state.seat[0]
            rules.hide(state[0], seat)
            encoding.encode_waiting_all(state, np.array([seat]), places, progress, 0, 1)
            assert word[: encoding.NUM_PLACE_ROWS].tolist() == places[0].tolist()
            assert word[encoding.NUM_PLACE_ROWS :].view(np.int8)[: encoding.NUM_PROGRESS].tolist() == (
                progress[0].tolist()
            )
            seen, forced = seen + 1, forced + (counts[b] == 1)
        values = luck.dirichlet(np.ones(48), size=size).astype(np.float32)
        chosen = (luck.random(size) * counts).astype(np.int64)
        began, tick = games.deal_began.copy(), deals.tick
        slots, targets = deals.play(chosen, values, play._replace(lambda_return=0.8))
        found = dict(zip(slots.tolist(), targets, strict=True))
        for b in np.flatnonzero(games.has_ended):
            worth = np.zeros((2, 48))
            for seat in range(2):
                judge(games.ended[b], seat, TABLE, worth[seat])
            for when in range(tick, began[b] - 1, -1):
                at = when % deals.num_ticks
                mover, mark = (int(games.slots[name][b, at]) for name in ("mover", "mark"))
                if mark & LEARNED:
                    mine = worth[1 - mover] if mark & WAITING else worth[mover]
                    assert found.pop(at * size + b) == pytest.approx(mine, abs=1e-5)
                    told += 1
                if mark & COUNTED:
                    expected = games.slots["expected"][b, at]
                    worth[mover] = 0.8 * worth[mover] + 0.2 * expected
                    worth[1 - mover] = 0.8 * worth[1 - mover] + 0.2 * mirrored(expected)
        assert not found
    assert seen > 100
    assert forced > 5  # the last discard of a hand is no choice, but its turn begins too
    marks = games.slots["mark"]
    learned = (marks & LEARNED).sum() / (marks > 0).sum()
    assert 0.4 < learned < 0.6
    assert told > 800


def test_lists_longer_than_their_room_are_whole():
    """In the planted game a gift has 220 moves where there is room for a few."""
    deals = new_deals("planted", 3)
    assert np.diff(deals.choices.starts).tolist() == [220] * 3
    assert POOL < 220
    assert (np.diff(deals.choices.actions.reshape(3, 220), axis=1) > 0).all()


def test_exploration_gives_any_legal_move_as_often_as_it_should():
    deals = new_deals("doudizhu", 64)
    num_given = num_seen = 0
    for _ in range(40):
        deals.play(first_moves(deals), np.zeros((64, 1), np.float32), Play(epsilon=0.25))
        given, counts = deals.games.given, deals.games.counts
        assert (given < counts).all()
        num_given += int((given != BY_VALUE).sum())
        num_seen += len(given)
    assert 0.2 < num_given / num_seen < 0.3


def test_a_network_that_is_a_guest_is_not_learned_from_and_does_not_explore():
    nobody = np.full(16, NOBODY)
    seating = Seating(np.arange(16), np.zeros(16, np.int64), np.arange(16) % 2, nobody)
    deals = new_deals("koikoi", seating)
    num_guest_moves = 0
    for _ in range(40):
        guests = deals.games.states["seat"] == deals.games.guest_sides
        assert ((deals.games.marks == 0) == guests).all()
        assert (deals.games.given[guests] == BY_VALUE).all()
        slots, _ = deals.play(first_moves(deals), np.zeros((16, 1), np.float32), Play(epsilon=0.9))
        movers = deals.games.slots["mover"]
        assert all(movers[slot % 16, slot // 16] != slot % 16 % 2 for slot in slots.tolist())
        num_guest_moves += int(guests.sum())
    assert num_guest_moves > 200


def test_forced_moves_are_slots_only_where_they_are_learned_from():
    for min_legal in (2, 1):
        deals = new_deals("koikoi", 16, Play(min_legal=min_legal))
        num_forced = 0
        for _ in range(60):
            num_forced += int((np.diff(deals.choices.starts) == 1).sum())
            values = np.zeros((16, 1), np.float32)
            deals.play(first_moves(deals), values, Play(min_legal=min_legal))
        assert (num_forced > 0) == (min_legal == 1)


def test_games_depend_on_their_number_alone():
    """Whoever plays a part of a group's games plays the same ones."""
    whole, part_of_it = new_deals("doudizhu", 4), new_deals("doudizhu", alone(2, first=2))
    for _ in range(30):
        for deals in (whole, part_of_it):
            deals.play(first_moves(deals), np.zeros((deals.size, 1), np.float32), Play(epsilon=0.1))
        assert whole.games.states[2:].tobytes() == part_of_it.games.states.tobytes()


def test_guests_are_shared_out_evenly_however_many_ranks_there_are():
    spec, guests = fuda.game("koikoi").spec, {"classical": 0.25, "past": 0.25}

    def places(count: int) -> dict[int, tuple[int, ...]]:
        """By a game's number: its lane, aim, guest's side and policy."""
        found = {}
        for rank in range(count):
            seating, ranges = seated(spec, guests, 2, 128, 8, Ranks(rank, count))
            lanes = np.arange(len(seating.numbers)) % (8 // count) + rank * 8 // count
            columns = (lanes, seating.aims, seating.guest_sides, seating.policies)
            assert (seating.policies[slice(*ranges["classical"])] == 0).all()
            found |= dict(
                zip(
                    seating.numbers.tolist(),
                    zip(*(each.tolist() for each in columns), strict=True),
                    strict=True,
                )
            )
        return found

    alone_ = places(1)
    assert alone_ == places(2) == places(8)
    assert sorted(alone_) == list(range(128))
    for lane in range(8):
        mine = [rest for place, *rest in alone_.values() if place == lane]
        assert sorted((side, policy) for _, side, policy in mine) == sorted(
            [(NOBODY, NOBODY)] * 8 + [(side, policy) for side in (0, 1) for policy in (0, NOBODY)] * 2
        )
        assert sum(aim for aim, *_ in mine) == 8
    with pytest.raises(ValueError, match="more than all games"):
        seated(spec, {"classical": 0.7, "past": 0.4}, 1, 128, 8, Ranks())
