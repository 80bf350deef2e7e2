// The French deck, with two colours or four.

import { settings } from "../settings";
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
