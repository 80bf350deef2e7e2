// A seat's view of Koi-Koi: src/fuda/games/koikoi/RULES.md, 7.3.

import type { View } from "../../net/protocol";

export type Yaku = [name: string, points: number];
export type Progress = [name: string, had: number, needed: number, possible: boolean];

export interface Turn {
  seat: number;
  discard: string | null;
  discard_took: string[];
  draw: string | null;
  draw_took: string[];
  koikoi: boolean | null;
}

export interface KoikoiView extends View {
  phase: "discard" | "pick" | "koikoi" | "hand yaku" | "over";
  round: number;
  turn: number;
  dealer: number;
  points: number[];
  hand: string[];
  hand_sizes: number[];
  stock_size: number;
  field: string[];
  piles: string[][];
  shown: string | null;
  koikoi: number[];
  yaku: Yaku[][];
  /** Of both seats: a hand that wins at once, in the round that it has ended. */
  shown_hands: (string[] | null)[];
  progress: Progress[][];
  turns: Turn[];
  round_points: number[];
  /** In the phase `koikoi`: what stopping scores, and what the same cards will score after the claim. */
  stakes: { stop: number; koikoi: number } | null;
}

export const rival = (view: KoikoiView): number => 1 - view.seat;

export const sum = (yaku: Yaku[]): number => yaku.reduce((total, [, points]) => total + points, 0);
