"""Figures of a descriptor that cannot be are refused in one sentence when it is built."""

import dataclasses

import pytest

from fuda.core.game import Option, Policy, Preset
from fuda.games import gongzhu

SPEC = gongzhu.SPEC
LEADER = SPEC.options[0]


def by_leader(options):
    """Good seatings for the default options alone."""
    return ((0, 1, 0, 1), (1, 0, 1, 0)) if options["leader"] == 0 else ((0, 0, 0, 0), (1, 1, 1, 1))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"num_sides": 4}, "it is two-sided and has 4 sides"),
        ({"num_sides": 5, "two_sided": False}, "its 4 seats cannot be 5 sides"),
        ({"num_sides": 0, "two_sided": False}, "its 4 seats cannot be 0 sides"),
        ({"max_legal": 0}, "max_legal is from 1 to its 57 actions, not 0"),
        ({"max_legal": 58}, "max_legal is from 1 to its 57 actions, not 58"),
        (
            {"max_decisions": 52, "max_deal_decisions": 53},
            "a deal has 1 decision or more and no more than a match, whose max_decisions is 52, and its "
            "max_deal_decisions is 53",
        ),
        ({"deck": ()}, "its deck has no cards"),
        ({"deck": (1, 2, 128)}, "the cards of its deck are numbers from 0 to 127, not 128"),
        ({"deck": (-1, 2)}, "the cards of its deck are numbers from 0 to 127, not -1"),
        ({"options": (LEADER, LEADER)}, "it has the option leader twice"),
        (
            {"options": (LEADER, Option("rounds", 0, "rounds of a match", low=1, high=8))},
            "a default is not allowed: option rounds is a whole number from 1 to 8, not 0",
        ),
        (
            {"options": (Option("preset", 0, "a name that is taken", low=0, high=1),)},
            "preset is the name for a preset, not for an option",
        ),
        ({"presets": (Preset("a", "A", "One."),) * 2}, "it has the preset a twice"),
        (
            {"presets": (Preset("a", "A", "One.", {"rounds": 3}),)},
            "the preset a has rounds=3, which is no option's value",
        ),
        (
            {"presets": (Preset("a", "A", "One.", {"leader": 4}),)},
            "the preset a has leader=4, which is no option's value",
        ),
        (
            {"policies": (*SPEC.policies, Policy("greed", "Greed", "Again.", SPEC.policies[0].choose))},
            "it has the policy greed twice",
        ),
        ({"roles": ("one", "the other")}, "roles is a function"),
        ({"seatings": ((0, 1, 0, 1), (1, 0, 1, 0))}, "seatings is a function"),
        ({"seatings": lambda options: ()}, "it has no seatings"),
        (
            {"seatings": lambda options: ((0, 1), (1, 0))},
            "each of its seatings has an entrant for each of the 4 seats",
        ),
        (
            {"seatings": lambda options: ((0, 0, 0, 0), (1, 1, 1, 1))},
            "the entrants of a seating are 0 and 1, both there, not (0, 0, 0, 0)",
        ),
        (
            {"seatings": lambda options: ((0, 1, 0, 2), (1, 0, 1, 0))},
            "the entrants of a seating are 0 and 1, both there, not (0, 1, 0, 2)",
        ),
        ({"seatings": by_leader}, "the entrants of a seating are 0 and 1, both there, not (0, 0, 0, 0)"),
        (
            {"roles": lambda options: ("North", "East", "South", "West")},
            "it has a role for each of its 2 seatings or none, not 4",
        ),
    ],
)
def test_figures_that_cannot_be(changes, sentence):
    with pytest.raises(ValueError) as found:  # noqa: PT011
        dataclasses.replace(SPEC, **changes)
    assert str(found.value) == f"gongzhu: {sentence}"
