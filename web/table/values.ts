// Values of moves as text.

import type { Hint, Unit } from "../net/protocol";

/** 0.634 -> "63.4%", since good moves are often within one percent; points 3.21 -> "+3.2", as a whole number "+3". */
export const valueText = (value: number, unit: Unit, whole = false): string =>
  unit !== "points"
    ? percent(value, 1)
    : whole
      ? signed(Math.round(value))
      : `${value < -0.05 ? "−" : value > 0.05 ? "+" : ""}${Math.abs(value).toFixed(Math.abs(value) >= 9.95 ? 0 : 1)}`;

/** The same where there is room for little: 0.634 -> "63%". */
export const badgeText = (value: number, unit: Unit): string =>
  unit !== "points" ? percent(value, 0) : valueText(value, unit);

interface FigureStyle {
  losses: boolean; // of all but the best move it is told what they give away
  whole?: boolean; // points have no decimals
  brief?: boolean; // there is room for little
}

/** What a hint tells of a move. How likely a move is to be played is no value, of which something could be lost. */
export function figureText(hint: Hint, move: string, { losses, whole, brief }: FigureStyle): string {
  const value = hint.values[move];
  const best = hint.values[hint.best];
  if (!losses || move === hint.best || hint.unit === "policy" || best === undefined)
    return brief ? badgeText(value, hint.unit) : valueText(value, hint.unit, whole);
  const given = Math.max(0, best - value);
  const fine = hint.unit === "points" || !brief || given < FINE;
  const text = fine ? costText(given, hint.unit, whole ?? false) : percent(given, 0);
  return Number.parseFloat(text) ? `−${text}` : text;
}

const FINE = 0.0095; // a loss that would be none, or 1%, without decimals

/** A chance by few samples may come out a little below none, or above all. */
const percent = (value: number, digits: number): string =>
  `${(Math.min(1, Math.max(0, value)) * 100).toFixed(digits)}%`;

/** -40 -> "−40", 100 -> "+100" */
export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";

/** A change with its sign: 0.09 -> "+9.0%", -3.21 -> "−3.2". */
export const signedText = (change: number, unit: Unit, whole: boolean): string => {
  const text = costText(Math.abs(change), unit, whole);
  return text === costText(0, unit, whole) ? text : `${change < 0 ? "−" : "+"}${text}`;
};

/** What was given away: over a whole game it may be more than the chance that one can have. */
export const costText = (cost: number, unit: Unit, whole: boolean): string =>
  unit !== "points" ? `${(cost * 100).toFixed(1)}%` : cost.toFixed(whole ? 0 : 1);
