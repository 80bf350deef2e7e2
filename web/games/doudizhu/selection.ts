// Choosing cards: what a press or a sweep selects, so that it comes to a legal move where it can.

import { contains, written } from "./view";

/** Pressing a card: takes it in or out. When following, a first press takes in the smallest move that has the card. */
export function pressed(
  selected: string,
  rank: string,
  raised: boolean,
  legal: string[],
  following: boolean,
): string {
  if (raised) return selected.replace(rank, "");
  if (!selected && following) {
    const fitting = legal
      .filter((move) => move !== "pass" && move.includes(rank))
      .sort((a, b) => a.length - b.length || b.indexOf(rank) - a.indexOf(rank));
    const lowest = fitting.find((move) => move[0] === rank) ?? fitting[0];
    if (lowest) return lowest;
  }
  return written([...selected, rank]);
}

/** Sweeping over cards: the longest legal move within them, or just the cards. */
export function swept(cards: string, legal: string[]): string {
  const inside = legal
    .filter((move) => move !== "pass" && contains(cards, move))
    .sort((a, b) => b.length - a.length);
  return inside[0] ?? written([...cards]);
}
