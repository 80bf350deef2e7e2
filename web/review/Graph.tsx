// What was expected of the game at each decision of a seat, with the mistakes as dots and rounds as lines.

import type { Review } from "../net/protocol";
import { badgeText, valueText } from "../table/values";
import { words } from "../words";
import { Curve } from "./Curve";

export function Graph({ review }: { review: Review }) {
  const { decisions, moves, start, unit } = review;
  const points: [number, number][] = [
    [0, start],
    ...decisions.flatMap((one): [number, number][] => [
      [one.index, one.before],
      [one.index + 1, one.after],
    ]),
    [moves, start + review.result],
  ];
  const reach = unit === "probability" ? 0.5 : Math.max(1, ...points.map(([, level]) => Math.abs(level)));
  const rounds = decisions.filter((one, number) => number && one.deal !== decisions[number - 1].deal);
  const after = new Map(decisions.map((one) => [one.index, one.after]));
  return (
    <Curve
      kind="review-curve"
      title={words().review.curve[unit]}
      figures={points.map(([, level]) =>
        unit === "probability" ? badgeText(level, unit) : valueText(level, unit, true),
      )}
      points={points.map(([index, level]) => [index / moves, level])}
      range={[start - reach, start + reach]}
      across={[start]}
      up={rounds.map((one) => one.index / moves)}
      dots={review.mistakes.map((one) => [(one.index + 1) / moves, after.get(one.index)!])}
    />
  );
}
