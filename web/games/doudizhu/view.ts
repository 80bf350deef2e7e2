// A seat's view of Dou Dizhu: src/fuda/games/doudizhu/RULES.md, 8.

import type { View } from "../../net/protocol";

export interface DoudizhuView extends View {
  phase: "bid" | "play" | "over";
  history: [seat: number, move: string][]; // every move is open
  landlord: number | null;
  hand: string;
  hand_sizes: number[];
  played: string[];
  bottom: string | null;
  beat: string | null;
  beat_seat: number | null;
  bombs: number;
  bids: (number | null)[];
  stake: number;
  deal: number;
}

export type Side = "me" | "right" | "left";
export const sides: Side[] = ["me", "right", "left"];

/** The next to play sits at the right. */
export const sideOf = (view: DoudizhuView, seat: number): Side => sides[(seat - view.seat + 3) % 3];

export const RANKS = "3456789TJQKA2BR";

export const byRank = (a: string, b: string): number => RANKS.indexOf(a) - RANKS.indexOf(b);

/** Cards as the server writes them: in rising order. */
export const written = (ranks: string[]): string => [...ranks].sort(byRank).join("");

export function countRanks(cards: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const rank of cards) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  return counts;
}

/** Whether all of `part` is in `whole`, as often as it is in `part`. */
export function contains(whole: string, part: string): boolean {
  const counts = countRanks(whole);
  for (const [rank, count] of countRanks(part)) if ((counts.get(rank) ?? 0) < count) return false;
  return true;
}

/** The moves so far, in order, bids left out. */
export const plays = (view: DoudizhuView): [number, string][] =>
  view.history.filter(([, move]) => !move.startsWith("bid"));
