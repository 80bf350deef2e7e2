// From zones and their items to places in pixels.

import type { Item, Scene } from "./scene";

export interface Size {
  width: number;
  height: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Zone {
  id: string;
  box: Box;
  /** grid: rows and columns as large as fit; row, column: one after the other, overlapping if need be; stack: on one place. */
  arrange: "grid" | "row" | "column" | "stack";
  /** The largest width of a card here. */
  card: number;
  align?: "start" | "centre" | "end";
  /** A grid is laid out for at least so many cards, so that its cards do not change size all the time. */
  room?: number;
  gap?: number;
  /** In a row or column: how much of each covered card is to be seen at most, as a share of its size. */
  overlap?: number;
  /** A row may be broken into so many; the lower ones cover the upper by half. */
  rows?: number;
  label?: string;
}

export interface Spot {
  x: number;
  y: number;
  width: number;
  height: number;
  z: number;
}

const GAP = 6;

/** The widest card of which `count` fit into the box in rows and columns. */
function fit(
  box: Box,
  count: number,
  aspect: number,
  most: number,
  gap: number,
): { width: number; columns: number } {
  let best = { width: 0, columns: count };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const width = Math.min(
      (box.width - gap * (columns - 1)) / columns,
      ((box.height - gap * (rows - 1)) / rows) * aspect,
      most,
    );
    if (width > best.width + 0.01) best = { width, columns };
  }
  return best;
}

const shift = (free: number, align: Zone["align"]): number =>
  align === "start" ? 0 : align === "end" ? free : free / 2;

function grid(zone: Zone, items: Item[], aspect: number): Spot[] {
  const gap = zone.gap ?? GAP;
  const slots = items.map((item, index) => item.slot ?? index);
  const { width, columns } = fit(
    zone.box,
    Math.max(...slots.map((slot) => slot + 1), zone.room ?? 1),
    aspect,
    zone.card,
    gap,
  );
  const height = width / aspect;
  const rows = Math.ceil(Math.max(...slots.map((slot) => slot + 1), zone.room ?? 1) / columns);
  const top = zone.box.y + (zone.box.height - rows * height - (rows - 1) * gap) / 2;
  const left = zone.box.x + shift(zone.box.width - columns * (width + gap) + gap, zone.align);
  return slots.map((slot) => ({
    x: left + (slot % columns) * (width + gap),
    y: top + Math.floor(slot / columns) * (height + gap),
    width,
    height,
    z: slot,
  }));
}

/** What a row shows of the row above it that it covers. */
const ROW_STEP = 0.52;

function row(zone: Zone, items: Item[], aspect: number): Spot[] {
  const rows = zone.rows ?? 1;
  const width = Math.min(zone.card, (zone.box.height / (1 + (rows - 1) * ROW_STEP)) * aspect, zone.box.width);
  const height = width / aspect;
  const perRow = Math.ceil(items.length / rows);
  const widest = zone.overlap === undefined ? width + (zone.gap ?? GAP) : width * zone.overlap;
  const top = zone.box.y + (zone.box.height - height * (1 + (rows - 1) * ROW_STEP)) / 2;
  return items.map((_, index) => {
    const line = Math.floor(index / Math.max(1, perRow));
    const inLine = Math.min(perRow, items.length - line * perRow);
    const step = perRow > 1 ? Math.min(widest, (zone.box.width - width) / (perRow - 1)) : 0;
    const left = zone.box.x + shift(zone.box.width - step * (inLine - 1) - width, zone.align);
    return {
      x: left + (index % Math.max(1, perRow)) * step,
      y: top + line * height * ROW_STEP,
      width,
      height,
      z: index,
    };
  });
}

function column(zone: Zone, items: Item[], aspect: number): Spot[] {
  const width = Math.min(zone.card, zone.box.width);
  const height = width / aspect;
  const step =
    items.length > 1
      ? Math.min(height * (zone.overlap ?? 1), (zone.box.height - height) / (items.length - 1))
      : 0;
  const left = zone.box.x + shift(zone.box.width - width, zone.align);
  const top = zone.box.y + (zone.box.height - step * (items.length - 1) - height) / 2;
  return items.map((_, index) => ({ x: left, y: top + index * step, width, height, z: index }));
}

function stack(zone: Zone, items: Item[], aspect: number): Spot[] {
  const count = items.length;
  const width = Math.min(zone.card, zone.box.height * aspect, zone.box.width);
  const height = width / aspect;
  const left = zone.box.x + shift(zone.box.width - width, zone.align);
  const top = zone.box.y + (zone.box.height - height) / 2;
  return Array.from({ length: count }, (_, index) => {
    const lift = Math.min(index, 6) * 0.7;
    return { x: left - lift, y: top - lift, width, height, z: index };
  });
}

const arrangers = { grid, row, column, stack };

/** The place of every item of the scene. Items that lie on another get its place, a little aside. */
export function places(zones: readonly Zone[], scene: Scene, aspect: number): Map<string, Spot> {
  const all = new Map<string, Spot>();
  for (const [order, zone] of zones.entries()) {
    if (zone.box.height <= 0) continue; // no room for it on this screen
    const items: Item[] = scene[zone.id] ?? [];
    const flat = items.filter((item) => !item.on);
    const spots = arrangers[zone.arrange](zone, flat, aspect);
    flat.forEach((item, index) => all.set(item.id, { ...spots[index], z: order * 60 + index }));
    for (const item of items) {
      const base = item.on === undefined ? undefined : all.get(item.on);
      if (base)
        all.set(item.id, { ...base, x: base.x + base.width * 0.2, y: base.y + base.height * 0.12, z: 2000 });
    }
  }
  return all;
}
