// Values of moves as text.

import type { Unit } from "../net/protocol";

/** 0.634 -> "63.4%", since good moves are often within one percent; 3.21 -> "+3.2", as a whole number "+3". */
export const valueText = (value: number, unit: Unit, whole = false): string =>
  unit === "probability"
    ? percent(value, 1)
    : whole
      ? signed(Math.round(value))
      : `${value < -0.05 ? "−" : value > 0.05 ? "+" : ""}${Math.abs(value).toFixed(Math.abs(value) >= 9.95 ? 0 : 1)}`;

/** The same where there is room for little: 0.634 -> "63%". */
export const badgeText = (value: number, unit: Unit): string =>
  unit === "probability" ? percent(value, 0) : valueText(value, unit);

const percent = (value: number, digits: number): string => `${(value * 100).toFixed(digits)}%`;

/** -40 -> "−40", 100 -> "+100" */
export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";

export const costText = (cost: number, unit: Unit, whole: boolean): string =>
  unit === "probability" ? percent(cost, 1) : cost.toFixed(whole ? 0 : 1);
