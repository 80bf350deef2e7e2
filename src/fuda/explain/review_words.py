"""A review in plain words, for the terminal and for its page."""

from fuda.core.game import GameSpec
from fuda.explain.review import Decision, Review

SHOWN = 3  # mistakes


def amount(value: float, unit: str) -> str:
    """A figure without its sign."""
    return f"{abs(value):.1%}" if unit == "probability" else f"{abs(value):.1f} points"


def signed(value: float, unit: str) -> str:
    """A figure with its sign, which nothing has none of."""
    text = amount(value, unit)
    return text if text in (amount(0, unit),) else f"{'+' if value > 0 else '-'}{text}"


def headline(review: Review) -> str:
    """What was given away, and what luck did."""
    unit = review.unit
    costly = sum(
        amount(one.cost, unit) != amount(0, unit) for one in review.decisions
    )  # as far as it is shown
    moves = f"{costly} move{'' if costly == 1 else 's'}"
    gave = f"You gave away {amount(review.cost, unit)} in {moves}" if costly else "You gave nothing away"
    luck = signed(review.luck, unit)
    rest = f"luck {'gave' if review.luck >= 0 else 'cost'} you {luck.lstrip('+-')}"
    other = "the others gave you" if review.others_cost >= 0 else "the others cost you"
    return f"{gave}; {other} {amount(review.others_cost, unit)}; {rest}."


def sum_line(review: Review) -> str:
    """The account of the whole match."""
    unit, end = review.unit, "" if review.over else ", of a match that was not played to its end"
    return (
        f"{signed(review.result, unit)} against an even game{end} = "
        f"{signed(review.luck, unit)} luck - {amount(review.cost, unit)} own cost "
        f"{'-' if review.others_cost < 0 else '+'} {amount(review.others_cost, unit)} of the others"
    )


def standing_line(review: Review) -> str:
    """Between which agents the cost is; nothing where there is nobody to compare with."""
    rows, unit = review.standing, review.unit
    if not rows:
        return ""
    above = [row.agent for row in rows if row.cost > review.cost]
    below = [row.agent for row in rows if row.cost < review.cost]
    same = [row.agent for row in rows if row.cost == review.cost]
    if same:
        place = f"this one as much as {' and '.join(same)}"
    elif above and below:
        place = f"this one is between {above[-1]} and {below[0]}"
    else:
        place = f"this one less than {above[-1]}" if above else f"this one more than {below[0]}"
    costs = ", ".join(f"{row.agent} {amount(row.cost, unit)}" for row in rows)
    return f"On average a game costs {costs}: {place}."


def judged_by(review: Review) -> str:
    """By whom, and how, the figures were found."""
    weights = f" ({review.weights[:12]})" if review.weights else ""
    meaning = "chances to win the match" if review.unit == "probability" else "points expected"
    return (
        f"{review.agent}{weights} valued {len(review.decisions)} decisions from what the player saw then, in "
        f"{meaning}; {review.looker} played out what looked dear in {review.scenarios} deals. "
        f"A mistake costs more than twice the error of that."
    )


def unlearned_rules(review: Review) -> str:
    """That the agent never learned rules of the match, and which; "" if it knows them all."""
    rules = ", ".join(f"{option}={value}" for option, value in review.unlearned.items())
    return (
        f"{review.agent} did not learn {rules}: its figures are for the rules that it knows" if rules else ""
    )


def where(spec: GameSpec, decision: Decision) -> str:
    """Where in the match a decision was."""
    return (
        f"round {decision.deal + 1}, move {decision.index + 1}"
        if _has_rounds(spec)
        else (f"move {decision.index + 1}")
    )


def label(spec: GameSpec, move: str) -> str:
    """A move in the game's own words, where it has some."""
    if spec.terminal is None:
        return move
    from rich.text import Text

    named = getattr(spec.screen, "label", None)
    return move if named is None else Text.from_markup(named(move)).plain


def _has_rounds(spec: GameSpec) -> bool:
    return spec.max_deals({option.name: option.default for option in spec.options}) != 1
