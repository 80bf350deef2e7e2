"""Many matches of one game in lock-step, for learners: arrays in, arrays out, all stepping compiled.

B environments, S seats, M legal actions in all, C columns of an observation, D of a legal move.
"""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fuda.agents import Agent, agent_of
from fuda.agents.bot import BotAgent
from fuda.core.errors import AgentError, IllegalMove, echo
from fuda.core.game import Game
from fuda.core.generator import TRAINING_AGENT, TRAINING_CHANCE, check_seed, training_streams_at
from fuda.core.kernels import ALL_LEGAL, ROOM
from fuda.core.runner import ask, luck_numbers
from fuda.core.state import NOBODY
from fuda.core.threads import limited_to, num_cores, split
from fuda.envs import loops
from fuda.envs.layout import Layout, layout_of
from fuda.envs.legal import Legal
from fuda.games import game as find_game

STATE_FORMAT = 2
GROUP = 0  # of the streams for training
MAX_ENVS = 2**24
MIN_SHARE = 512  # environments that are worth a thread of their own


def vector(
    game: str | Game,
    num_envs: int = 1,
    seed: int | None = None,
    threads: int | None = None,
    opponents: Mapping[int, str | Agent] | None = None,
    **options: object,
) -> "VectorEnv":
    """`num_envs` matches of a game that advance together, one action each at every `step`.

    `opponents` are agents by their seats, which move by themselves; without them every seat is yours, move
    by move. `options` are the game's. The same seed gives the same matches, whatever the `threads`;
    no duel ever has their deals.
    """
    if isinstance(game, Game) and options:
        raise ValueError("give the options to fuda.game or to fuda.vector, not to both")
    return VectorEnv(
        game if isinstance(game, Game) else find_game(game, **options), num_envs, seed, threads, opponents
    )


class VectorEnv:
    """B matches in lock-step. Each begins anew by itself when it is over.

    All arrays are the environment's own: the next step writes over them, so copy what is to stay. PyTorch
    takes them as they are: `torch.from_dlpack(env.observations)`.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        seed: int | None = None,
        threads: int | None = None,
        opponents: Mapping[int, str | Agent] | None = None,
    ):
        spec = game.spec
        self.game = game
        self.num_envs = _whole("num_envs", num_envs, MAX_ENVS)
        self.threads = None if threads is None else _whole("threads", threads, 1024)
        self.num_seats, self.num_actions = spec.seats, spec.num_actions
        self._agents, self._agent_of_seat = _seated(game, opponents or {})
        kernels = spec.kernels
        self._show_loop, self._advance_loop = (
            kernels.bind(loop, "vector", ITEM=kernels.item_type) for loop in (loops.show, loops.advance)
        )
        self._layout: Layout | None = None

        num, seats = self.num_envs, spec.seats
        self._all = np.arange(num)
        self._states = spec.new_states(num)
        self._points, self._sides = np.zeros((2, num, seats), np.int64)
        self.numbers = np.zeros(num, np.int64)  # [B] which of the seed's matches each one plays
        self.views = spec.new_states(num)  # [B] what the seats to move may know
        self.seats = np.zeros(num, np.int64)  # [B] who is to move
        self.legal: Legal  # the ids of the legal actions, and where those of each environment start
        self.rewards = np.zeros((num, seats), np.float64)  # [B, S] of deals that ended with the last step
        self.match_rewards = np.zeros((num, seats), np.float64)  # [B, S] of matches that did
        self.deal_done = np.zeros(num, bool)  # [B] whether a deal ended with the last step
        self.done = np.zeros(num, bool)  # [B] whether a match did
        self._rooms: dict[str, np.ndarray] = {}  # for observations and moves
        self._written: set[str] = set()  # those that tell of the positions of now
        self._played = True
        self.reset(secrets.randbits(128) if seed is None else seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin new matches: those of a seed from the first, or the next ones if any move has been played."""
        if seed is not None:
            self.seed = check_seed(seed)
            self.numbers[:] = self._all
        elif self._played:
            self.numbers += self.num_envs
        self._played = False
        self._chance = self._draw_chance(self.numbers)
        self._next_chance = self._draw_chance(self.numbers + self.num_envs)
        self._luck = self._draw_luck(self.numbers)
        self._forget_rewards()
        with limited_to(self.threads or num_cores()):
            split(
                self.game.spec.kernels.start_all, self._states, self.game.option_codes, self._chance,
                count=self.num_envs, min_share=MIN_SHARE,
            )  # fmt: skip
            self._let_agents_move()
            self._look_around()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray]:
        """Play a legal action in each environment [B], and the agents' until it is your turn again.

        Gives `rewards` and `done`. Where an action is not legal, `IllegalMove` says so and nothing is played.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(
                f"actions are {self.num_envs} whole numbers, one for each environment, "
                f"not {given.dtype} {given.shape}"
            )
        chosen = given.astype(np.int64)
        with limited_to(self.threads or num_cores()):
            place = _first_illegal(self.legal, chosen)
            if place is not None:
                raise IllegalMove(
                    f"environment {place}: action {chosen[place]} is not legal for seat {self.seats[place]}; "
                    f"env.legal.row({place}) lists what is; nothing was played"
                )
            self._forget_rewards()
            self._played = True
            self._advance(self._all, chosen)
            self._let_agents_move()
            self._look_around()
        return self.rewards, self.done

    @property
    def layout(self) -> Layout:
        """What the columns of `observations` and `moves` mean."""
        if self._layout is None:
            self._layout = layout_of(self.game)
        return self._layout

    @property
    def observations(self) -> np.ndarray:
        """What the seats to move see, as numbers [B, C] float32; written when first asked for."""
        return self._encoded("observations", self.num_envs, self.layout.width, self.observe)

    @property
    def moves(self) -> np.ndarray:
        """What the legal moves are, as numbers [M, D] float32, in the order of `legal.ids`."""
        return self._encoded("moves", len(self.legal.ids), self.layout.move_width, self.observe_moves)

    def observe(self, out: np.ndarray) -> np.ndarray:
        """Write the observations to an array of yours [B, C], such as a part of a rollout."""
        _check_room(out, (self.num_envs, self.layout.width))
        with limited_to(self.threads or num_cores()):
            self.layout.write(self.views, self.seats, out)
        return out

    def observe_moves(self, out: np.ndarray) -> np.ndarray:
        """Write what the legal moves are to an array of yours [M, D]."""
        _check_room(out, (len(self.legal.ids), self.layout.move_width))
        with limited_to(self.threads or num_cores()):
            self.layout.write_moves(self.views, self.seats, self.legal, out)
        return out

    def legal_mask(self) -> np.ndarray:
        """The legal actions as yes or no, [B, number of actions]."""
        return self.legal.mask(self.num_actions)

    def state(self) -> dict[str, Any]:
        """All that the environments are, hidden cards included, as arrays: for `load` and `np.savez`."""
        return {
            "format": np.array(STATE_FORMAT),
            "game": np.array(self.game.id),
            "rules_version": np.array(self.game.spec.rules_version),
            "options": self.game.option_codes.copy(),
            "seed": np.array(str(self.seed)),  # it may be longer than NumPy's numbers
            "states": self._states.view(np.uint8).reshape(self.num_envs, -1).view(np.ndarray).copy(),
            **{name: array.copy() for name, array in self._arrays().items()},
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on from a `state` of the same game, options and number of environments."""
        mine = self.state()
        for name, array in mine.items():
            given = state.get(name)
            if given is None:
                raise ValueError(f"this is no state of a vector environment: it has no {name}")
            must_equal = name in ("format", "game", "rules_version", "options")
            if must_equal and not np.array_equal(given, array):
                raise ValueError(f"the state is of another {name}: {echo(given)}, not {echo(array)}")
            if np.shape(given) != array.shape:
                raise ValueError(f"{name} of the state is {np.shape(given)}, not {array.shape}")
        self.seed = check_seed(int(str(state["seed"])))
        self._states.view(np.uint8).reshape(self.num_envs, -1)[:] = state["states"]
        for name, array in self._arrays().items():
            array[:] = state[name]
        self._played = True
        with limited_to(self.threads or num_cores()):
            self._look_around()

    def _arrays(self) -> dict[str, np.ndarray]:
        """What a state keeps beside the matches themselves."""
        return {
            "numbers": self.numbers, "chance": self._chance, "next_chance": self._next_chance,
            "luck": self._luck, "rewards": self.rewards, "match_rewards": self.match_rewards,
            "deal_done": self.deal_done, "done": self.done,
        }  # fmt: skip

    def _forget_rewards(self) -> None:
        for array in (self.rewards, self.match_rewards, self.deal_done, self.done):
            array[:] = 0

    def _look_around(self) -> None:
        """What is seen and legal now, for those who move."""
        self.legal = self._look(self._all, self.views, self.seats)
        self._written.clear()

    def _look(self, index: np.ndarray, views: np.recarray, seats: np.ndarray) -> Legal:
        """Write what the movers of the matches `index` see and who they are; their legal actions."""
        starts = np.zeros(len(index) + 1, np.int64)
        shares = split(
            self._show_loop, self._states, index, views, seats, starts, ROOM,
            count=len(index), min_share=MIN_SHARE,
        )  # fmt: skip
        self.game.spec.check_num_legal(int(starts.max()))
        np.cumsum(starts, out=starts)
        return Legal(shares[0] if len(shares) == 1 else np.concatenate(shares), starts)

    def _advance(self, index: np.ndarray, actions: np.ndarray) -> None:
        """Play legal actions in the matches `index`, and count what ended."""
        ended = np.zeros(len(index), bool)
        split(
            self._advance_loop, self._states, index, actions, self.game.option_codes,
            self._chance, self._next_chance, self.rewards, self._points, self._sides, self.deal_done, ended,
            count=len(index), min_share=MIN_SHARE,
        )  # fmt: skip
        if ended.any():
            self._count_matches(index[ended])

    def _count_matches(self, ended: np.ndarray) -> None:
        """Rewards of matches that ended, and what those that began in their place will need at their end."""
        self.done[ended] = True
        sides = self._sides[ended]
        # Where it varies who plays together, as with bidding, matches of one kind are counted at once.
        kinds = sides @ self.game.spec.num_sides ** np.arange(self.num_seats)
        for kind in np.unique(kinds):
            of_kind = kinds == kind
            matches, together = ended[of_kind], sides[of_kind][0]
            for seat in range(self.num_seats):
                won = self.game.spec.margin(self._points[matches], (together == together[seat]).tolist())
                self.match_rewards[matches, seat] += won
        self.numbers[ended] += self.num_envs
        self._next_chance[ended] = self._draw_chance(self.numbers[ended] + self.num_envs)
        self._luck[ended] = self._draw_luck(self.numbers[ended])

    def _draw_chance(self, numbers: np.ndarray) -> np.ndarray:
        """The cards of matches by their numbers: of no duel, whatever the seed."""
        return training_streams_at(self.seed, TRAINING_CHANCE, GROUP, numbers)

    def _draw_luck(self, numbers: np.ndarray) -> np.ndarray:
        """The agents' random streams in matches by their numbers, [.., S]; none where there are no agents."""
        if not self._agents:
            return np.empty((len(numbers), 0), np.uint64)
        seating = np.broadcast_to(self._agent_of_seat, (len(numbers), self.num_seats))
        return training_streams_at(self.seed, TRAINING_AGENT, GROUP, luck_numbers(numbers, seating))

    def _let_agents_move(self) -> None:
        """Play until nobody is to move but who has no agent."""
        running = self._all if self._agents else self._all[:0]
        while len(running):
            movers = self._agent_of_seat[self._states["seat"][running]]
            running, movers = running[movers != NOBODY], movers[movers != NOBODY]
            for number, agent in enumerate(self._agents):
                index = running[movers == number]
                if len(index):
                    self._ask(agent, index)

    def _ask(self, agent: Agent, index: np.ndarray) -> None:
        """One move of an agent in each of the matches `index`."""
        views, seats = self.game.spec.new_states(len(index)), np.empty(len(index), np.int64)
        legal = self._look(index, views, seats)
        luck = self._luck[index, seats]
        actions = ask(agent.act, views, seats, luck)
        self._luck[index, seats] = luck
        place = _first_illegal(legal, actions)
        if place is not None:
            raise AgentError(f"{agent.name} chose action {actions[place]}, which is not legal")
        self._advance(index, actions)

    def _encoded(
        self, name: str, rows: int, columns: int, write: Callable[[np.ndarray], np.ndarray]
    ) -> np.ndarray:
        """What is written once after each step, and only if it is asked for."""
        room = self._rooms.get(name)
        if room is None or len(room) < rows:
            room = self._rooms[name] = np.empty((rows + rows // 4, columns), np.float32)
            self._written.discard(name)
        if name not in self._written:
            write(room[:rows])
            self._written.add(name)
        return room[:rows]

    def __repr__(self) -> str:
        return f"<{self.num_envs} {self.game.id} environments, seed {self.seed}>"


def _first_illegal(legal: Legal, actions: np.ndarray) -> int | None:
    """The place of the first action that is not legal, if there is one."""
    places = split(loops.first_illegal, *legal, actions, count=len(actions), min_share=MIN_SHARE)
    return next((int(place) for place in places if place != ALL_LEGAL), None)


def _seated(game: Game, opponents: Mapping[int, str | Agent]) -> tuple[list[Agent], np.ndarray]:
    """The agents, and for each seat which of them sits there [S]; NOBODY where the learner plays."""
    agents: dict[str | Agent, Agent] = {}  # one that sits in several seats is asked for all of them at once
    of_seat = np.full(game.spec.seats, NOBODY)
    for seat, who in opponents.items():
        if seat not in range(game.spec.seats):
            raise ValueError(f"{game.id} has the seats 0 to {game.spec.seats - 1}, not {echo(seat)}")
        if who not in agents:
            agents[who] = who if isinstance(who, Agent) else agent_of(game.id, who)
        agent = agents[who]
        if agent.spec is not game.spec:
            raise ValueError(f"{agent.name} does not play {game.id}")
        if isinstance(agent, BotAgent):
            raise ValueError(f"{agent.name} plays match by match: it cannot sit in a vector environment")
        of_seat[seat] = list(agents).index(who)
    if (of_seat != NOBODY).all():
        raise ValueError("opponents sit in every seat: leave one free for who is to learn")
    return list(agents.values()), of_seat


def _whole(name: str, number: object, most: int) -> int:
    if isinstance(number, int | np.integer) and not isinstance(number, bool) and 1 <= number <= most:
        return int(number)
    raise ValueError(f"{name} is a whole number from 1 to {most}, not {echo(number)}")


def _check_room(out: np.ndarray, shape: tuple[int, int]) -> None:
    if out.shape != shape or not np.issubdtype(out.dtype, np.floating):
        raise ValueError(f"the array is to be {shape} of numbers with a point, not {out.shape} {out.dtype}")
