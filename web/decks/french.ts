// The French deck, with two colours or four.

import { settings } from "../settings";
import { words } from "../words";
import type { Deck } from "./deck";

const files = import.meta.glob<string>("../generated/french/*.svg", {
  query: "?url",
  import: "default",
  eager: true,
});

export const french: Deck = {
  aspect: 100 / 140,
  corner: 0.32,
  picture: (face) => {
    const name = face ?? "back";
    const four = settings().fourColours && (name[0] === "D" || name[0] === "C");
    return files[`../generated/french/${name}${four ? "-four" : ""}.svg`];
  },
};

export const suits = ["S", "H", "D", "C"] as const;
export const ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"] as const;
export const allCards: string[] = suits.flatMap((suit) => ranks.map((rank) => suit + rank));

const suitOrder = "SHCD"; // black and red in turn

/** By suit, and within a suit as the settings say. */
export function sortHand(cards: string[]): string[] {
  const up = settings().sort === "high" ? -1 : 1;
  return [...cards].sort(
    (a, b) =>
      suitOrder.indexOf(a[0]) - suitOrder.indexOf(b[0]) || up * (allCards.indexOf(a) - allCards.indexOf(b)),
  );
}

/** "queen of spades" */
export function cardName(card: string): string {
  const text = words().french;
  const rank = card.slice(1);
  return text.card(text.ranks[rank] ?? rank, text.suits[card[0]]);
}

const signs: Record<string, string> = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** "♠Q" */
export const sign = (card: string): string => signs[card[0]] + card.slice(1);
