"""Whether the figures of a descriptor fit together; one sentence on what does not."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fuda.core.game import GameSpec, Option

PRESET = "preset"  # stands for the options of a preset, where options are given
LAST_CARD = 127  # a deck is kept in bytes
FUNCTIONS = ("seatings", "roles", "margin", "max_deals")


def check_figures(spec: "GameSpec") -> None:
    """Raise a `ValueError` where a figure of the descriptor cannot be."""
    for fault in _faults(spec):
        raise ValueError(f"{spec.id}: {fault}")


def _faults(spec: "GameSpec") -> Iterator[str]:
    """What is wrong. Later checks build on what the earlier ones found good."""
    if not 1 <= spec.num_sides <= spec.seats:
        yield f"its {spec.seats} seats cannot be {spec.num_sides} sides"
    if spec.two_sided and spec.num_sides != 2:
        yield f"it is two-sided and has {spec.num_sides} sides"
    if not 1 <= spec.max_legal <= spec.num_actions:
        yield f"max_legal is from 1 to its {spec.num_actions} actions, not {spec.max_legal}"
    if not 1 <= spec.max_deal_decisions <= spec.max_decisions:
        yield (
            f"a deal has 1 decision or more and no more than a match, whose max_decisions is "
            f"{spec.max_decisions}, and its max_deal_decisions is {spec.max_deal_decisions}"
        )
    if not spec.deck:
        yield "its deck has no cards"
    for card in spec.deck:
        if not 0 <= card <= LAST_CARD:
            yield f"the cards of its deck are numbers from 0 to {LAST_CARD}, not {card}"
    named = {
        "option": [option.name for option in spec.options],
        "policy": [policy.name for policy in (*spec.policies, *spec.bidders)],
        "preset": [preset.id for preset in spec.presets],
    }
    for kind, names in named.items():
        for name in names:
            if names.count(name) > 1:
                yield f"it has the {kind} {name} twice"
    for option in spec.options:
        try:
            option.check(option.default)
        except ValueError as error:
            yield f"a default is not allowed: {error}"
        if option.name == PRESET:
            yield "preset is the name for a preset, not for an option"
    known = {option.name: option for option in spec.options}
    for preset in spec.presets:
        for name, value in preset.options.items():
            if not _is_value(known.get(name), value):
                yield f"the preset {preset.id} has {name}={value!r}, which is no option's value"
    for name in FUNCTIONS:
        if not callable(getattr(spec, name)):
            yield f"{name} is a function"
    for options in _variants(spec):
        yield from _seating_faults(spec, options)


def _is_value(option: "Option | None", value: object) -> bool:
    """Whether an option has exactly this value; what stands for one elsewhere is not enough."""
    try:
        return option is not None and option.check(value) == value
    except ValueError:
        return False


def _variants(spec: "GameSpec") -> Iterator[dict[str, Any]]:
    """The default options, those with one changed to another word or an end of its range, and presets."""
    usual = spec.default_options
    yield usual
    for option in spec.options:
        for value in option.words or (option.low, option.high):
            yield usual | {option.name: value}
    for preset in spec.presets:
        yield usual | dict(preset.options)


def _seating_faults(spec: "GameSpec", options: Mapping[str, Any]) -> Iterator[str]:
    seatings, roles = spec.seatings(options), spec.roles(options)
    if not seatings:
        yield "it has no seatings"
    for seating in seatings:
        if len(seating) != spec.seats:
            yield f"each of its seatings has an entrant for each of the {spec.seats} seats"
        if set(seating) != {0, 1}:
            yield f"the entrants of a seating are 0 and 1, both there, not {seating}"
    if len(roles) not in (0, len(seatings)):
        yield f"it has a role for each of its {len(seatings)} seatings or none, not {len(roles)}"
