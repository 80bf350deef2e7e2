"""Equal values: the first legal action wins, for whoever plays, explains, hints or reviews by them."""

import numpy as np
import pytest

from fuda.agents.ties import best_actions, best_first, best_move, loss, tie_digits
from fuda.core.ragged import Lists
from fuda.games import doudizhu, gongzhu, koikoi

NEAR = [  # spec, unit, a difference that is none, and one that is
    (koikoi.SPEC, "points", 2e-6, 2e-5),
    (koikoi.SPEC, "probability", 2e-6, 2e-5),
    (koikoi.SPEC, None, 2e-6, 2e-5),
    (doudizhu.SPEC, "points", 2e-6, 2e-5),
    (gongzhu.SPEC, "points", 2e-4, 2e-3),
]


@pytest.mark.parametrize(("spec", "unit", "none", "some"), NEAR)
def test_the_first_of_equal_values_is_best(spec, unit, none, some):
    for higher, best in ((none, 0), (some, 1)):
        values = {3: 0.25, 7: 0.25 + higher, 9: 0.1}
        assert best_move(values, spec, unit) == list(values)[best]
        assert best_first(values, spec, unit) == [[3, 7, 9], [7, 3, 9]][best]
        assert loss(values, 3, spec, unit) == pytest.approx(higher * best)
        assert loss(values, 7, spec, unit) == 0
        assert loss(values, 9, spec, unit) == pytest.approx(0.15, abs=2 * some)
        legal = Lists(np.array([3, 7, 9, 3, 7]), np.array([0, 3, 5]))
        numbers = np.array([*values.values(), 0.0, -1.0])
        assert best_actions(legal, numbers, spec, unit).tolist() == [[3, 7][best], 3]


def test_digits_are_those_that_the_agents_have_always_had():
    assert {tie_digits(koikoi.SPEC, unit) for unit in ("points", "probability", None)} == {5}
    assert tie_digits(gongzhu.SPEC, "points") == 3
