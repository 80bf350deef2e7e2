"""Games that somebody played, as little as tells them: the deck and the actions of each. And their choices.

A game has one deal here. What the players saw is found by playing it again, so millions of games fit into
memory, and games of a teacher follow from a seed and the teacher's weights.

G games, M actions of all of them, N choices (more than one action was legal), U choices of further parts,
W and V words of these.
"""

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from fuda.agents import Agent
from fuda.core.errors import AgentError, RecordError
from fuda.core.files import replacing
from fuda.core.game import Game
from fuda.core.generator import TRAINING_CHANCE, TRAINING_SAMPLE, shuffle, training_streams
from fuda.core.kernels import ALL_LEGAL, unbound
from fuda.core.match import Match
from fuda.core.ragged import Lists, starts_of
from fuda.core.state import NOBODY
from fuda.core.threads import split
from fuda.games import game as find_game

# Stand-ins, replaced when the loops are bound.
start = deal = legal = step = encode = encode_further = num_further = unbound
DECK = np.empty(0, np.int8)
OUTPUT_OF = np.empty(0, np.int64)
FURTHER = np.empty((0, 0), np.int8)
LEGAL_WORDS = LEGAL_SHIFTS = np.empty(0, np.int64)
MAX_LEGAL = 0

MIN_SHARE = 16  # games: playing one again takes a fraction of a millisecond
FORMAT = 1
ALL_GOOD = -1


class PlayedGames(NamedTuple):
    """Whole games of one deal each."""

    decks: np.ndarray  # [G, cards] int8, as `deal` takes them
    actions: np.ndarray  # [M] in the order of play, game by game
    starts: np.ndarray  # [G + 1]

    def take(self, index: np.ndarray) -> "PlayedGames":
        """The games `index`, in that order."""
        actions = Lists(self.actions, self.starts).take(index)
        return PlayedGames(self.decks[index], *actions)


class Choices(NamedTuple):
    """What players saw where they had a choice, and what they chose; of actions in parts (`factored`)."""

    words: np.ndarray  # [N, W]
    actions: np.ndarray  # [N]
    games: np.ndarray  # [N] the game of each
    further_words: np.ndarray  # [U, V]; of parts where several were legal
    further_parts: np.ndarray  # [U] that were chosen
    further_of: np.ndarray  # [U] the choice that each is of


def start_shuffled(states, options, rngs, decks, first, last):
    """Begin games first..last-1 with shuffled decks, which are written to `decks` [G, cards]."""
    for k in range(first, last):
        rng = rngs[k : k + 1]
        start(states[k], options, rng)
        decks[k] = DECK
        shuffle(rng, decks[k], len(DECK))
        while not deal(states[k], decks[k]):
            shuffle(rng, decks[k], len(DECK))


def count_choices(states, options, rngs, decks, actions, starts, counts, first, last):
    """Write how many choices games first..last-1 have, and at most of further parts, to counts [G, 2].

    Returns the first game that cannot be played like that, or ALL_GOOD.
    """
    moves = np.empty(MAX_LEGAL, np.int64)
    for k in range(first, last):
        start(states[k], options, rngs[k : k + 1])
        counts[k] = 0
        if not deal(states[k], decks[k]):
            return k
        for m in range(starts[k], starts[k + 1]):
            count, is_legal = legal(states[k], moves), False
            for move in moves[:count]:
                if move == actions[m]:
                    is_legal = True
            if not is_legal:
                return k
            if count > 1 and actions[m] < len(OUTPUT_OF):
                counts[k, 0] += 1
                counts[k, 1] += num_further(np.int64(actions[m]))
            step(states[k], np.int64(actions[m]))
    return ALL_GOOD


def write_choices(
    states, options, rngs, decks, actions, starts, rows, further_rows, words, chosen, further_words, parts,
    further_of, first, last,
):  # fmt: skip
    """Write the choices of games first..last-1 from rows[k] on, of further parts from further_rows[k] on.

    A further part that was the only legal one has -1 in `parts`.
    """
    moves = np.empty(MAX_LEGAL, np.int64)
    for k in range(first, last):
        start(states[k], options, rngs[k : k + 1])
        deal(states[k], decks[k])
        row, further_row = rows[k], further_rows[k]
        for m in range(starts[k], starts[k + 1]):
            action, seat = np.int64(actions[m]), states[k].seat
            if legal(states[k], moves) > 1 and action < len(OUTPUT_OF):
                encode(states[k], seat, words[row])
                chosen[row] = action
                for done in range(num_further(action)):
                    encode_further(states[k], seat, action, done, further_words[further_row])
                    num_legal = 0
                    for output in range(len(LEGAL_WORDS)):
                        num_legal += (
                            further_words[further_row, LEGAL_WORDS[output]] >> LEGAL_SHIFTS[output] & 1
                        )
                    parts[further_row] = FURTHER[action, done] if num_legal > 1 else -1
                    further_of[further_row] = row
                    further_row += 1
                row += 1
            step(states[k], action)


class Replayer:
    """Plays games again, of one game and its options, to find what an encoding tells of their choices."""

    def __init__(self, game: Game, encoding: ModuleType | Any):
        kernels = game.spec.kernels
        names = {
            "encode": encoding.encode, "encode_further": encoding.encode_further,
            "num_further": encoding.num_further, "OUTPUT_OF": encoding.OUTPUT_OF,
            "FURTHER": encoding.FURTHER, "LEGAL_WORDS": encoding.FURTHER_LAYOUT.legal_words,
            "LEGAL_SHIFTS": encoding.FURTHER_LAYOUT.legal_shifts,
        }  # fmt: skip
        owner = encoding.__name__.rpartition(".")[2]
        self._game, self._encoding = game, encoding
        self._count = kernels.bind(count_choices, owner, **names)
        self._write = kernels.bind(write_choices, owner, **names)

    def choices(self, games: PlayedGames) -> Choices:
        """All choices of games, but bids; a `ValueError` names the first that cannot have been played."""
        count, encoding = len(games.decks), self._encoding
        states, rngs = self._game.spec.new_states(count), np.ones(count, np.uint64)
        given = (states, self._game.option_codes, rngs, games.decks, games.actions, games.starts)
        counts = np.zeros((count, 2), np.int64)
        wrong = split(self._count, *given, counts, count=count, min_share=MIN_SHARE)
        for number in wrong:
            if number != ALL_GOOD:
                raise ValueError(f"game {number + 1} cannot have been played by these rules")
        rows, further_rows = starts_of(counts[:, 0]), starts_of(counts[:, 1])
        words = np.empty((rows[-1], encoding.NUM_WORDS), np.int64)
        chosen = np.empty(rows[-1], np.int64)
        further_words = np.empty((further_rows[-1], encoding.NUM_FURTHER_WORDS), np.int64)
        parts, further_of = (np.empty(further_rows[-1], np.int64) for _ in range(2))
        split(
            self._write, *given, rows, further_rows, words, chosen, further_words, parts, further_of,
            count=count, min_share=MIN_SHARE,
        )  # fmt: skip
        had_choice = parts >= 0
        return Choices(
            words, chosen, np.repeat(np.arange(count), counts[:, 0]), further_words[had_choice],
            parts[had_choice], further_of[had_choice],
        )  # fmt: skip


class Teacher:
    """An agent that plays all seats; game number k of a seed and a group is always the same."""

    def __init__(self, game: Game, agent: Agent, seed: int, group: int = 0):
        self.game = game
        self._agent, self._seed, self._group = agent, seed, group
        self._begin = game.spec.kernels.bind(start_shuffled)

    def games(self, first: int, count: int) -> PlayedGames:
        """Games number `first` to `first + count - 1`, played together."""
        spec, options = self.game.spec, self.game.option_codes
        chance, rngs = (
            training_streams(self._seed, purpose, self._group, first, count)
            for purpose in (TRAINING_CHANCE, TRAINING_SAMPLE)
        )
        states, decks = spec.new_states(count), np.empty((count, len(spec.deck)), np.int8)
        split(self._begin, states, options, chance, decks, count=count)
        running, ticks = np.arange(count), []
        while len(running):
            views, seats = spec.new_states(len(running)), np.empty(len(running), np.int64)
            split(spec.kernels.view_movers, states, running, views, seats, count=len(running))
            own_rngs = rngs[running]
            actions = self._agent.act(views, seats, own_rngs)
            rngs[running] = own_rngs
            refused = split(spec.kernels.play_all, states, running, actions, chance, count=len(running))
            if any(k != ALL_LEGAL for k in refused):
                raise AgentError(f"{self._agent.name} chose an action that is not legal")
            ticks.append((running, actions.astype(spec.kernels.item_type)))
            running = running[states["seat"][running] != NOBODY]
        numbers = np.concatenate([index for index, _ in ticks])
        order = np.argsort(numbers, kind="stable")
        starts = starts_of(np.bincount(numbers, minlength=count))
        return PlayedGames(decks, np.concatenate([actions for _, actions in ticks])[order], starts)


class Stored:
    """Games of a file, in the place of a teacher: from the first to the last, and again."""

    def __init__(self, path: Path):
        self.game, self._games = read_games(path)

    def games(self, first: int, count: int) -> PlayedGames:
        """So many games, from number `first` on."""
        return self._games.take((first + np.arange(count)) % len(self._games.decks))

    def __len__(self) -> int:
        return len(self._games.decks)


def joined(parts: Sequence[PlayedGames]) -> PlayedGames:
    """The games of all parts, one after the other."""
    decks, actions = (np.concatenate([part[place] for part in parts]) for place in range(2))
    return PlayedGames(decks, actions, starts_of(np.concatenate([np.diff(part.starts) for part in parts])))


def pack(matches: Sequence[Match]) -> PlayedGames:
    """Matches of one deal each, as little as tells them; a `ValueError` says which is of another kind."""
    game = matches[0].game
    decks, actions = [], []
    for number, match in enumerate(matches, 1):
        if match.game != game:
            raise ValueError(
                f"game {number} has other options than the first: keep games with and without bids apart"
            )
        if len(match.deals) != 1:
            raise ValueError(f"game {number} has {len(match.deals)} deals; games to learn from have one")
        state, rng = game.spec.new_states(1), np.ones(1, np.uint64)
        game.spec.rules.start(state[0], game.option_codes, rng)
        decks.append(game.spec.text.read_deal(state[0], match.deals[0], rng).astype(np.int8))
        again = game.start(match.seed, match.deals)
        for _, move in match.moves:
            actions.append(again.legal_actions()[move])
            again.play(move)
    starts = starts_of(np.array([len(match.moves) for match in matches], np.int64))
    return PlayedGames(np.array(decks), np.array(actions, game.spec.kernels.item_type), starts)


def write_games(path: Path, game: Game, games: PlayedGames, made: dict[str, Any]) -> None:
    """Write games as a file; `made` says where they come from. Half a gigabyte holds five million."""
    header = {
        "fuda_games": FORMAT, "game": game.id, "rules_version": game.spec.rules_version,
        "options": game.options, "made": made,
    }  # fmt: skip
    lengths = np.diff(games.starts).astype(np.int16)
    with replacing(path) as (file,):
        np.savez(
            file, header=np.array(json.dumps(header)), decks=games.decks, actions=games.actions,
            lengths=lengths,
        )  # fmt: skip


def read_games(path: Path) -> tuple[Game, PlayedGames]:
    """The games of a file, or a `RecordError` that says in a sentence why there are none to be had."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            header = json.loads(str(stored["header"]))
            decks, actions, lengths = (stored[name] for name in ("decks", "actions", "lengths"))
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror or 'it is damaged'}") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise RecordError(f"{path} is no file of games; take one that fuda has written") from None
    if not isinstance(header, dict) or header.get("fuda_games") != FORMAT:
        raise RecordError(f"{path} is of another format than {FORMAT}; import its games again")
    try:
        game = find_game(header["game"], **header["options"])
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path} has games of no game here: {error}") from None
    if header.get("rules_version") != game.spec.rules_version:
        raise RecordError(
            f"{path} has games by rules version {header.get('rules_version')} of {game.id}; "
            f"this fuda plays version {game.spec.rules_version}"
        )
    games = PlayedGames(decks, actions, starts_of(lengths.astype(np.int64)))
    is_whole = (
        decks.ndim == 2 and len(decks) == len(lengths) > 0 and actions.ndim == 1 and lengths.min() >= 0
        and games.starts[-1] == len(actions) and actions.dtype == game.spec.kernels.item_type
        and np.array_equal(np.sort(decks, axis=1), np.broadcast_to(np.sort(game.spec.deck), decks.shape))
    )  # fmt: skip
    if not is_whole:
        raise RecordError(f"{path} is damaged: its games do not fit together; write or import it again")
    return game, games
