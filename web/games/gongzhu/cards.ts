// The names of the cards.

import type { GongzhuWords } from "./words/en";

const signs: Record<string, string> = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** "queen of spades, the pig" */
export function fullName(words: GongzhuWords, card: string): string {
  const rank = card.slice(1);
  const name = words.card(words.ranks[rank] ?? rank, words.suits[card[0]]);
  return words.special[card] ? `${name}, ${words.special[card]}` : name;
}

/** "♠Q" */
export const sign = (card: string): string => signs[card[0]] + card.slice(1);
