// Cards in words and signs.

import type { DoudizhuWords } from "./words/en";

export const rankName = (words: DoudizhuWords, rank: string): string => words.ranks[rank] ?? rank;

/** "33344" -> "3 3 3 4 4" */
export const cardsText = (words: DoudizhuWords, cards: string): string =>
  [...cards].map((rank) => words.signs[rank] ?? rank).join(" ");
