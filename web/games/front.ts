// What the lobby shows of a game before its code is loaded: each game's folder has a front.ts.

import type { OptionValue } from "../net/protocol";

export interface Front {
  /** The language of the game's native name. */
  lang: string;
  /** A few cards, as pictures. */
  art: string[];
  /** Under which key the words have the names of its seats. */
  seatNames(options: Record<string, OptionValue>): string;
}
