// A seat's view of Gongzhu: src/fuda/games/gongzhu/RULES.md, 6.3.

import type { View } from "../../net/protocol";
import type { GongzhuWords } from "./words/en";

export interface Trick {
  leader: number;
  cards: string[];
  winner: number;
}

export interface GongzhuView extends View {
  phase: "play" | "over";
  trick: number;
  first_leader: number;
  leader: number | null;
  hand: string[];
  hand_sizes: number[];
  table: [number, string][];
  piles: string[][];
  points: number[];
  voids: string[][];
  tricks: Trick[];
  /** What each seat will end with, once nothing can change it. */
  settled: number[] | null;
}

export type Side = "me" | "right" | "top" | "left";
export const sides: Side[] = ["me", "right", "top", "left"];

/** Where a seat sits, seen from the own one: the next to play is at the right, the partner opposite. */
export const sideOf = (view: GongzhuView, seat: number): Side => sides[(seat - view.seat + 4) % 4];

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
