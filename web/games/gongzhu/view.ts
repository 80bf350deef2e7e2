// A seat's view of Gongzhu: src/fuda/games/gongzhu/RULES.md, 6.3. The partner sits opposite.

import type { TrickView } from "../../tricks/view";
import type { GongzhuWords } from "./words/en";

export interface GongzhuView extends TrickView {
  phase: "show" | "play" | "over";
  trick: number;
  first_leader: number;
  leader: number | null;
  points: number[];
  voids: string[][];
  /** What each seat will end with, once nothing can change it. */
  settled: number[] | null;
  /** The cards that each seat showed before play, where that is played. */
  shown?: string[][];
  /** In a match of several deals: the number of this one, and the points of each seat before it. */
  deal?: number;
  totals?: number[];
}

/** Whether a card was shown before play, and so counts double. */
export const wasShown = (view: GongzhuView, card: string): boolean =>
  view.shown?.some((cards) => cards.includes(card)) ?? false;

/** What a seat has shown and still holds. */
export const heldShown = (view: GongzhuView, seat: number): string[] => {
  const gone = [...view.piles.flat(), ...view.table.map(([, card]) => card)];
  return view.shown?.[seat].filter((card) => !gone.includes(card)) ?? [];
};

/** The cards that count, in the order in which they are shown. */
export const counts = (card: string): boolean =>
  card[0] === "H" || card === "SQ" || card === "DJ" || card === "C10";

/** What the two teams are called, that of the own seat first; for who only watches, by where they sit. */
export const teamNames = (words: GongzhuWords, view: GongzhuView, watching: boolean): [string, string] =>
  watching
    ? [words.sides[view.seat % 2], words.sides[(view.seat + 1) % 2]]
    : [words.team.us, words.team.them];

/** What a team has of the points of all seats: the own one, or the other. */
export const teamPoints = (view: GongzhuView, points: number[], ours: boolean): number =>
  points.filter((_, seat) => ((seat - view.seat) % 2 === 0) === ours).reduce((a, b) => a + b, 0);
