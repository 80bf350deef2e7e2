// Cards of a grid keep their places while others come and go.

import { useRef } from "preact/hooks";
import type { Item, Scene } from "./scene";

/** The scene with a lasting slot for each card of the zone; a new card takes the first free one. */
export function useSlots(scene: Scene, zone: string): Scene {
  const known = useRef(new Map<string, number>());
  const items = scene[zone] ?? [];
  const flat = items.filter((item) => !item.on);
  const kept = new Map<string, number>();
  for (const item of flat) {
    const slot = known.current.get(item.id);
    if (slot !== undefined) kept.set(item.id, slot);
  }
  const taken = new Set(kept.values());
  for (const item of flat) {
    if (kept.has(item.id)) continue;
    let slot = 0;
    while (taken.has(slot)) slot++;
    taken.add(slot);
    kept.set(item.id, slot);
  }
  known.current = kept;
  const placed: Item[] = items.map((item) => (item.on ? item : { ...item, slot: kept.get(item.id) }));
  return { ...scene, [zone]: placed };
}
