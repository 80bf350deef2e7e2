"""The kit's own small random generator, one state for each match and purpose.

A state is a `uint64` array of length 1 (in a batch: a slice of one). It is a multiply-with-carry
generator on 32-bit halves, so that no product overflows and the same numbers come out with
compilation off. Nothing in fuda touches a global generator.
"""

import operator
from collections.abc import Sequence

import numpy as np

from fuda.core.bits import highest
from fuda.core.compile import compiled
from fuda.core.errors import echo

MULTIPLIER = np.uint64(4_294_883_355)
LOW_HALF = np.uint64(0xFFFF_FFFF)
HALF = np.uint64(32)
ONE = np.uint64(1)
ONE_WORD = 1 << 32

# What a stream of random numbers is used for; each (seed, purpose, index) has its own.
CHANCE, AGENT, SAMPLE = 0, 1, 2
# In training each (seed, purpose, group, index) has one: no duel ever meets a deal of training.
TRAINING_CHANCE, TRAINING_SAMPLE, TRAINING_AGENT = 3, 4, 5
TRAINING = (TRAINING_CHANCE, TRAINING_SAMPLE, TRAINING_AGENT)

MAX_SEED = 2**128 - 1  # as much as NumPy's SeedSequence keeps
SEED_WORDS = 4  # of 32 bits
MAX_GROUP = 2**32 - 1


@compiled
def bits(rng):
    """32 random bits as `uint64`."""
    low = rng[0] & LOW_HALF
    high = rng[0] >> HALF
    rng[0] = low * MULTIPLIER + high
    return low ^ high


@compiled
def below(rng, n):
    """A whole number from 0 to n - 1, exactly uniform; n below 2^32."""
    n = np.uint64(n)
    product = bits(rng) * n
    if product & LOW_HALF < n:
        # Lemire's method: drop the few low halves that would favour some numbers.
        surplus = ((LOW_HALF - n) + ONE) % n
        while product & LOW_HALF < surplus:
            product = bits(rng) * n
    return np.int64(product >> HALF)


@compiled
def below_wide(rng, n):
    """The same for n up to 2^62."""
    if n < ONE_WORD:
        return below(rng, n)
    mask = (np.int64(2) << highest(n)) - 1
    while True:
        number = (np.int64(bits(rng)) >> 1 << 32 | np.int64(bits(rng))) & mask
        if number < n:
            return number


@compiled
def shuffle(rng, items, n):
    """Shuffle the first n items in place."""
    for last in range(n - 1, 0, -1):
        other = below(rng, last + 1)
        kept = items[last]
        items[last] = items[other]
        items[other] = kept


@compiled
def fork_all(rngs, out, first, last):
    """Write new generators out[k, :] drawn from each generator k = first..last-1."""
    for k in range(first, last):
        for j in range(out.shape[1]):
            # Neither half may be zero: a generator of zeros would stay there.
            high, low = bits(rngs[k : k + 1]), bits(rngs[k : k + 1])
            out[k, j] = (high >> ONE | ONE) << HALF | low | ONE


def streams(seed: int, purpose: int, first: int, count: int) -> np.ndarray:
    """Generator states number `first` to `first + count - 1` of a purpose, [count] uint64.

    State number i depends on the seed, the purpose and i alone, never on how many are asked for.
    """
    return streams_at(seed, purpose, np.arange(first, first + count, dtype=np.uint64))


def streams_at(seed: int, purpose: int, numbers: np.ndarray) -> np.ndarray:
    """Those of these numbers."""
    return _states((seed, purpose), numbers)


def training_streams(seed: int, purpose: int, group: int, first: int, count: int) -> np.ndarray:
    """The same of a group of games in training."""
    return training_streams_at(seed, purpose, group, np.arange(first, first + count, dtype=np.uint64))


def training_streams_at(seed: int, purpose: int, group: int, numbers: np.ndarray) -> np.ndarray:
    """Those of these numbers.

    Keys are written as words, those of `streams` as five at the most, the seed's and the purpose; these are
    always six. So they differ whatever the seeds are, as no words are to be mistaken for others.
    """
    seed, group = check_seed(seed), operator.index(group)
    if purpose not in TRAINING or not 0 <= group <= MAX_GROUP:
        raise ValueError(f"there is no purpose {purpose} of training, or no group {group}")
    seed_words = [seed >> 32 * place & ONE_WORD - 1 for place in range(SEED_WORDS)]
    return _states((*seed_words, purpose, group), numbers)


def _states(key_words: Sequence[int], numbers: np.ndarray) -> np.ndarray:
    """Generator states by a key, which is hashed to 64 bits, and their numbers."""
    key = np.random.SeedSequence(key_words).generate_state(1, np.uint64)[0]
    words = (numbers.astype(np.uint64) + ONE) * np.uint64(0x9E37_79B9_7F4A_7C15) + key
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    return words ^ (words >> np.uint64(31))


def check_seed(seed: object) -> int:
    """The seed as an int, or a `ValueError` that says what a seed is."""
    try:
        number = operator.index(seed)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number <= MAX_SEED or isinstance(seed, bool):
        raise ValueError(f"a seed is a whole number from 0 to 2**128 - 1, not {echo(seed)}")
    return number
