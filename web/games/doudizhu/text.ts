// Cards in words and signs.

import { laidDown } from "./view";
import type { DoudizhuWords } from "./words/en";

export const rankName = (words: DoudizhuWords, rank: string): string => words.ranks[rank] ?? rank;

/** "33344" -> "3 3 3 4 4", "3AAA" -> "A A A 3" */
export const cardsText = (words: DoudizhuWords, cards: string): string =>
  laidDown(cards)
    .map((rank) => words.signs[rank] ?? rank)
    .join(" ");
