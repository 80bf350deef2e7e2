// What was expected of the game at each decision of a seat, with the mistakes as dots and rounds as lines.

import type { Review } from "../net/protocol";
import { badgeText, valueText } from "../table/values";
import { words } from "../words";

const WIDTH = 320;
const HEIGHT = 120;
const PAD = 6;

export function Graph({ review }: { review: Review }) {
  const { decisions, moves, start, unit } = review;
  const end = start + review.result;
  const points: [number, number][] = [
    [0, start],
    ...decisions.flatMap((one): [number, number][] => [
      [one.index, one.before],
      [one.index + 1, one.after],
    ]),
    [moves, end],
  ];
  const reach = unit === "probability" ? 0.5 : Math.max(1, ...points.map(([, level]) => Math.abs(level)));
  const x = (index: number) => PAD + (index / moves) * (WIDTH - 2 * PAD);
  const y = (level: number) => HEIGHT / 2 - ((level - start) / reach) * (HEIGHT / 2 - PAD);
  const at = (index: number, level: number) => `${x(index).toFixed(1)} ${y(level).toFixed(1)}`;
  const path = points.map(([index, level], number) => `${number ? "L" : "M"}${at(index, level)}`).join("");
  const rounds = decisions.filter((one, number) => number && one.deal !== decisions[number - 1].deal);
  const after = new Map(decisions.map((one) => [one.index, one.after]));
  const text = words().review;
  const figure = (level: number) =>
    unit === "probability" ? badgeText(level, unit) : valueText(level, unit, true);
  return (
    <figure class="curve review-curve">
      <figcaption>
        <span>{text.curve[unit]}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${text.curve[unit]}: ${points.map(([, level]) => figure(level)).join(", ")}`}
      >
        <path class="middle" d={`M${PAD} ${y(start)}H${WIDTH - PAD}`} />
        {rounds.map((one) => (
          <path key={one.index} class="deal" d={`M${x(one.index).toFixed(1)} ${PAD}V${HEIGHT - PAD}`} />
        ))}
        <path class="line" d={path} />
        {review.mistakes.map((one) => (
          <circle key={one.index} class="mistake" cx={x(one.index + 1)} cy={y(after.get(one.index)!)} r="4" />
        ))}
      </svg>
    </figure>
  );
}
