// The hanafuda deck. The kinds are for names and for sorting piles; what they are worth only the server knows.

import type { Deck } from "./deck";

const files = import.meta.glob<string>("../generated/hanafuda/*.svg", {
  query: "?url",
  import: "default",
  eager: true,
});

export const hanafuda: Deck = {
  aspect: 100 / 164,
  corner: 0,
  picture: (face) => files[`../generated/hanafuda/${face ?? "back"}.svg`],
};

export type Kind = "light" | "seed" | "ribbon" | "dross";
export const kinds: Kind[] = ["light", "seed", "ribbon", "dross"];

const others: Record<string, Kind> = { "11-2": "seed", "11-3": "ribbon", "8-2": "seed", "12-2": "dross" };
const lights = new Set(["1-1", "3-1", "8-1", "11-1", "12-1"]);

export const month = (card: string): number => Number(card.split("-")[0]);

export function kind(card: string): Kind {
  if (others[card]) return others[card];
  if (lights.has(card)) return "light";
  return card.endsWith("-1") ? "seed" : card.endsWith("-2") ? "ribbon" : "dross";
}

export const allCards: string[] = Array.from(
  { length: 48 },
  (_, index) => `${Math.floor(index / 4) + 1}-${(index % 4) + 1}`,
);

/** By month, then from the best card down. */
export const byMonth = (a: string, b: string): number => allCards.indexOf(a) - allCards.indexOf(b);
