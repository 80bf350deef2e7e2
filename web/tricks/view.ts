// Four at a table who play tricks with a French deck: what a view of such a game has, and who sits where.

import type { View } from "../net/protocol";

export interface Trick {
  leader: number;
  cards: string[]; // in the order in which they were played
  winner: number;
}

export interface TrickView extends View {
  hand: string[];
  hand_sizes: number[];
  table: [seat: number, card: string][]; // the trick that is being played
  piles: string[][]; // what each seat has taken
  tricks: Trick[]; // those that are finished
}

export type Side = "me" | "right" | "top" | "left";
export const sides: Side[] = ["me", "right", "top", "left"];

/** Where a seat sits, seen from the own one: the next to play is at the right. */
export const sideOf = (view: View, seat: number): Side => sides[(seat - view.seat + 4) % 4];
