"""Card sets as bits of an int64: the operations that Numba lacks."""

import numba
from numba.core import types
from numba.extending import intrinsic

from fuda.core.compile import compiled

if numba.config.DISABLE_JIT:

    def popcount(cards):
        """How many cards are in the set."""
        return int(cards).bit_count()

    def lowest(cards):
        """The smallest card of a set that is not empty."""
        return (int(cards) & -int(cards)).bit_length() - 1

    def highest(cards):
        """The largest card of a set that is not empty."""
        return int(cards).bit_length() - 1

else:

    @intrinsic
    def _popcount(typing_context, cards):
        def generate(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic
    def _lowest(typing_context, cards):
        def generate(context, builder, signature, arguments):
            is_zero_undefined = context.get_constant(types.boolean, True)
            return builder.cttz(arguments[0], is_zero_undefined)

        return types.int64(types.int64), generate

    @intrinsic
    def _leading_zeros(typing_context, cards):
        def generate(context, builder, signature, arguments):
            is_zero_undefined = context.get_constant(types.boolean, True)
            return builder.ctlz(arguments[0], is_zero_undefined)

        return types.int64(types.int64), generate

    @compiled
    def popcount(cards):
        """How many cards are in the set."""
        return _popcount(cards)

    @compiled
    def lowest(cards):
        """The smallest card of a set that is not empty."""
        return _lowest(cards)

    @compiled
    def highest(cards):
        """The largest card of a set that is not empty."""
        return 63 - _leading_zeros(cards)


@compiled
def unpack(sets, bits):
    """Write sets [K, R] as ones and zeros to `bits` [K, T, R]: is card t in set r?"""
    for k in range(bits.shape[0]):
        for t in range(bits.shape[1]):
            for r in range(bits.shape[2]):
                bits[k, t, r] = sets[k, r] >> t & 1
