// A seat's view of Dou Dizhu: src/fuda/games/doudizhu/RULES.md, 8.

import type { View } from "../../net/protocol";

export interface DoudizhuView extends View {
  phase: "bid" | "show" | "play" | "over";
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
  /** With robbing or showing: how often these have doubled the points. */
  doublings?: number;
  /** Where it may be shown: the landlord's hand, or null. */
  shown?: string | null;
  /** Where it counts: whether the deal ended with a spring or its opposite. */
  spring?: boolean;
}

export type Side = "me" | "right" | "left";
export const sides: Side[] = ["me", "right", "left"];

/** The next to play sits at the right. */
export const sideOf = (view: DoudizhuView, seat: number): Side => sides[(seat - view.seat + 3) % 3];

export const RANKS = "3456789TJQKA2BR";

export const byRank = (a: string, b: string): number => RANKS.indexOf(a) - RANKS.indexOf(b);

/** Cards as the server writes them: in rising order. */
export const written = (ranks: string[]): string => [...ranks].sort(byRank).join("");

/** The order in which people lay a move down: the ranks that there are most of first, then what goes with them. */
export function laidDown(cards: string): string[] {
  const counts = countRanks(cards);
  return [...cards].sort((a, b) => counts.get(b)! - counts.get(a)! || byRank(a, b));
}

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

/** What is said before play: bids, calls and robs, and whether a hand is shown. */
const BEFORE_PLAY = /^(bid\d|(no)?(call|rob|show))$/;

/** The moves so far, in order; what is said before play is left out. */
export const plays = (view: DoudizhuView): [number, string][] =>
  view.history.filter(([, move]) => !BEFORE_PLAY.test(move));

/** What a seat has last said of this deal before play, if something. */
export const lastSaid = (view: DoudizhuView, seat: number): string | undefined => {
  if (view.bids[seat] === null) return undefined;
  return view.history.findLast(([mover, move]) => mover === seat && BEFORE_PLAY.test(move))?.[1];
};
