// The names of the flower cards.

import { byMonth, kind, kinds, month, type Kind } from "../../decks/hanafuda";
import type { KoikoiWords } from "./words/en";

/** "Moon", "Pine red poetry ribbon", "Pine chaff". */
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

export const RAINMAN = "11-1";
const SAKE_CUP = "9-1"; // chaff, too

const marks = { light: "★", seed: "●", ribbon: "▮", dross: "·" };

/** For beginners: the month's number and a mark of the kind. */
export const label = (card: string): string => `${month(card)} ${marks[kind(card)]}`;

/** What the marks mean: "★ Lights  ● Animals  ▮ Ribbons  · Chaff". */
export const legend = (words: KoikoiWords): string =>
  kinds.map((what) => `${marks[what]}\u00a0${words.piles[what]}`).join("  ");

const OF_KIND: Record<string, Kind> = {
  "Five Lights": "light",
  "Four Lights": "light",
  "Rainy Four Lights": "light",
  "Three Lights": "light",
  Tane: "seed",
  Tan: "ribbon",
  Kasu: "dross",
};

/** The cards of a pile that make a yaku: all of their kind, or those that the sheet of yaku shows. */
export function cardsOf(words: KoikoiWords, name: string, pile: string[]): string[] {
  const what = OF_KIND[name];
  const counts = (card: string): boolean => {
    if (!what) return words.rules.yaku.some((yaku) => yaku.name === name && yaku.cards.includes(card));
    if (card === RAINMAN) return name === "Five Lights" || name === "Rainy Four Lights";
    return kind(card) === what || (what === "dross" && card === SAKE_CUP);
  };
  return pile.filter(counts).sort(byMonth);
}

export const isViewing = (name: string): boolean => name.endsWith("Viewing Sake");

export const yakuName = (words: KoikoiWords, name: string): string => words.yaku[name] ?? name;
