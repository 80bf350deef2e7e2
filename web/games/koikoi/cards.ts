// The names of the flower cards.

import { kind, month } from "../../decks/hanafuda";
import type { KoikoiWords } from "./words/en";

/** "Moon", "Pine red poetry ribbon", "Pine dross". */
export function shortName(words: KoikoiWords, card: string): string {
  const motif = words.motifs[card];
  if (motif) return motif;
  const flower = words.flowers[month(card) - 1];
  return kind(card) === "ribbon"
    ? `${flower} ${words.ribbons[card] ?? words.plainRibbon}`
    : `${flower} ${words.kinds.dross}`;
}

/** "August, Moon, light". */
export function fullName(words: KoikoiWords, card: string): string {
  const flower = words.flowers[month(card) - 1];
  const name =
    words.motifs[card] ??
    (kind(card) === "ribbon" ? `${flower}, ${words.ribbons[card] ?? words.plainRibbon}` : flower);
  const what = kind(card);
  return what === "ribbon"
    ? `${words.months[month(card) - 1]}, ${name}`
    : words.cardName(words.months[month(card) - 1], name, words.kinds[what]);
}

const marks = { light: "★", seed: "●", ribbon: "▮", dross: "·" };

/** For beginners: the month's number and a mark of the kind. */
export const label = (card: string): string => `${month(card)} ${marks[kind(card)]}`;

export const yakuName = (words: KoikoiWords, name: string): string => words.yaku[name] ?? name;
