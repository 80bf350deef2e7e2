// What lies where, without places: zones with items in order. Places are the layout's business (zones.ts).

import type { Sound } from "./sound";

/** A card on the table. The id stays while the card moves, so that it can be seen moving. */
export interface Item {
  id: string;
  face: string | null; // null: face down
  on?: string; // lies on this other item of its zone, a little aside
  slot?: number; // its place in a grid, where that is not simply its place in the list
}

export type Scene = Record<string, Item[]>;

/** Something to say large over the table for a moment. */
export interface Cue {
  tone: "good" | "call" | "plain";
  title: string;
  lines?: string[];
  seat?: number;
}

/** One picture of an animation: the scene, how long to look at it, and where new cards come from. */
export interface Frame {
  scene: Scene;
  hold: number; // milliseconds at normal speed
  from?: Record<string, string>; // new item -> the item in whose place it starts
  cue?: Cue;
  sound?: Sound;
  keep?: boolean; // to be seen even without animations: a finished trick, a call
}

export const shown = (face: string): Item => ({ id: face, face });

export const hidden = (prefix: string, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}`, face: null }));

/** A hand, face down where it is not known: for who looks on. */
export const hand = (cards: readonly string[], size: number, prefix: string): Item[] =>
  cards.length ? cards.map(shown) : hidden(prefix, size);

/** The scene with some items taken out, wherever they are. */
export function without(scene: Scene, ids: readonly string[]): Scene {
  const gone = new Set(ids);
  return Object.fromEntries(
    Object.entries(scene).map(([zone, items]) => [zone, items.filter((item) => !gone.has(item.id))]),
  );
}

/** The scene with items added to the end of a zone (taken out of where they were). */
export function put(scene: Scene, zone: string, items: Item[]): Scene {
  const rest = without(
    scene,
    items.map((item) => item.id),
  );
  return { ...rest, [zone]: [...(rest[zone] ?? []), ...items] };
}
