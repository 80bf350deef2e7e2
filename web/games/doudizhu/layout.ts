// Where the zones sit: the own hand below, the next player at the right, the one before at the left.

import type { Box, Size, Zone } from "../../table/zones";
import type { Side } from "./view";
import type { DoudizhuWords } from "./words/en";

const ASPECT = 100 / 140;
const PAD = 8;

export interface DoudizhuLayout {
  zones: Zone[];
  plates: Record<Side, Box>;
  says: Record<Side, Box>;
  /** The best moves, where there is no panel for them: what was played here last is gone by then. */
  ideas: Box;
  controls: Box;
  counter: Box;
}

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

export function layout(
  { width, height }: Size,
  open: boolean,
  counting: boolean,
  words: DoudizhuWords,
): DoudizhuLayout {
  const narrow = width < 600;
  const tight = narrow && height < 400; // a replay on a phone: no buttons, and the moves side by side
  const stacked = narrow && !tight;
  const handCard = narrow
    ? Math.min(80, (width - 2 * PAD) / 4.6, height * 0.19 * ASPECT)
    : Math.min(112, height * 0.29 * ASPECT);
  const rows = narrow ? 2 : 1;
  const handHeight = (handCard / ASPECT) * (rows === 2 ? 1.52 : 1);
  const lift = (handCard / ASPECT) * 0.14;
  const handTop = height - handHeight - PAD;
  const controlHeight = stacked ? 76 : tight ? 34 : 48;
  const controls = box(PAD, handTop - lift - controlHeight - 4, width - 2 * PAD, controlHeight);
  const plate = 32;
  const tall = narrow ? 44 : plate; // the others' plates have two lines on narrow screens
  const short = height < 420;
  const side = narrow ? (width - 4 * PAD) * 0.36 : Math.min(210, width * 0.22);
  const backs = open ? (narrow ? 40 : 52) : short ? 0 : narrow ? 26 : 36;
  const bottomCard = narrow ? 27 : Math.min(46, height * 0.1 * ASPECT);
  const bottomWidth = bottomCard * 3 + 8;
  const top = PAD;
  const counter = box(PAD, top + tall + backs + 8, width - 2 * PAD, 36);
  const playsTop = counter.y + (counting ? counter.height + 4 : 0);
  const space = controls.y - playsTop - 6;
  // On narrow screens the others' cards lie above the own ones, on wide ones at their sides.
  const playCard = Math.min(84, (stacked ? space / 2.15 : space * 0.9) * ASPECT);
  const playHeight = playCard / ASPECT;
  const half = width / 2 - 1.5 * PAD;
  const sideTop = stacked ? playsTop : playsTop + (space - playHeight) / 2 - space * 0.08;
  const third = (width - 4 * PAD) / 3;
  const left = stacked ? box(PAD, sideTop, half, playHeight) : box(PAD, sideTop, third, playHeight);
  const right = stacked
    ? box(width - PAD - half, sideTop, half, playHeight)
    : box(width - PAD - third, sideTop, third, playHeight);
  const me = stacked
    ? box(PAD, controls.y - playHeight - 4, width - 2 * PAD, playHeight)
    : box(2 * PAD + third, controls.y - playHeight - 4, third, playHeight);
  return {
    plates: {
      left: box(PAD, top, side, tall),
      right: box(width - PAD - side, top, side, tall),
      me: box(PAD, controls.y, narrow ? width * 0.46 : Math.max(172, side * 0.9), plate),
    },
    says: { left, right, me },
    ideas: box(PAD, me.y, width - 2 * PAD, me.height),
    controls,
    counter,
    zones: [
      {
        id: "bottom",
        box: box(width / 2 - bottomWidth / 2, top, bottomWidth, bottomCard / ASPECT),
        arrange: "row",
        card: bottomCard,
        gap: 4,
        label: words.bottom,
      },
      {
        id: "hand-left",
        box: box(PAD, top + tall + 4, open ? half : side, backs),
        arrange: "row",
        card: 60,
        align: "start",
        overlap: open ? 0.45 : 0.2,
      },
      {
        id: "hand-right",
        box: box(width - PAD - (open ? half : side), top + tall + 4, open ? half : side, backs),
        arrange: "row",
        card: 60,
        align: "end",
        overlap: open ? 0.45 : 0.2,
      },
      {
        id: "play-left",
        box: left,
        arrange: "row",
        card: playCard,
        align: "start",
        overlap: 0.42,
        label: words.played("←"),
      },
      {
        id: "play-right",
        box: right,
        arrange: "row",
        card: playCard,
        align: "end",
        overlap: 0.42,
        label: words.played("→"),
      },
      { id: "play-me", box: me, arrange: "row", card: playCard, overlap: 0.42 },
      {
        id: "hand-me",
        box: box(PAD, handTop, width - 2 * PAD, handHeight),
        arrange: "row",
        card: handCard,
        overlap: narrow ? 0.7 : 0.55,
        rows,
        label: words.hand,
      },
    ],
  };
}
