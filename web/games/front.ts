// What the lobby shows of a game before its code is loaded: each game's folder has a front.ts.

import type { OptionValue } from "../net/protocol";

export interface Front {
  /** The language of the game's native name. */
  lang: string;
  /** A few cards, as pictures. */
  art: string[];
  /** A result in figures, that of a seat or its side first. */
  result(scores: number[], seat: number): string;
  /** Under which key the words have the names of its seats. */
  seatNames(options: Record<string, OptionValue>): string;
}
