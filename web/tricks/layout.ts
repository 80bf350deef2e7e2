// Where the zones sit: the own hand below, the others around, the trick in the middle.

import { french } from "../decks/french";
import type { Box, Size, Zone } from "../table/zones";
import { words } from "../words";
import { sides, type Side } from "./view";

const ASPECT = french.aspect;
const PAD = 8;
const ADVICE = 76;

export interface TrickLayout {
  zones: Zone[];
  plates: Record<Side, Box>;
  prompt: Box;
  /** The button that suggests a card. */
  advice: Box;
}

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

export function layout(
  { width, height }: Size,
  open: boolean,
  pileLabel: (side: Side) => string,
): TrickLayout {
  const text = words().tricks;
  const narrow = width < 600;
  const handCard = narrow
    ? Math.min(78, (width - 2 * PAD) / 4.6, height * 0.2 * ASPECT)
    : Math.min(112, (width - 2 * PAD) / 7, height * 0.27 * ASPECT);
  const rows = narrow ? 2 : 1;
  const handHeight = (handCard / ASPECT) * (rows === 2 ? 1.52 : 1);
  const lift = (handCard / ASPECT) * 0.14;
  const handTop = height - handHeight - PAD;
  const plate = narrow ? 44 : 32;
  const short = height < 420;
  const pile = narrow ? Math.min(44, height * 0.08) : Math.min(58, height * 0.1);
  const mineTop = handTop - lift - plate - PAD;
  const third = (width - 4 * PAD) / 3;
  const side = narrow ? third : Math.min(210, width * 0.22);
  const topWidth = Math.min(270, width * 0.3); // it may also say that this is the partner
  const openHand = open ? (narrow ? 34 : 46) : narrow || short ? 0 : 30;

  const top = PAD;
  const middleTop = narrow ? top + plate + pile + openHand + 10 : top + plate + openHand + 6;
  // On wide screens the own card may lie between the own plate and what is said beside it.
  const middleBottom = narrow ? mineTop - 24 : handTop - lift - PAD;
  const middleHeight = middleBottom - middleTop;
  const centre = { x: width / 2, y: middleTop + middleHeight / 2 };
  const trick = Math.min(104, (middleHeight / 2.15) * ASPECT, width * 0.19);
  const trickHeight = trick / ASPECT;
  const at = (dx: number, dy: number): Box =>
    box(centre.x + dx * trick - trick / 2, centre.y + dy * trickHeight - trickHeight / 2, trick, trickHeight);
  const spread = narrow ? 1.08 : 1.2;

  const plates: Record<Side, Box> = narrow
    ? {
        me: box(PAD, mineTop, third * 1.2, plate),
        left: box(PAD, top, third, plate),
        top: box(2 * PAD + third, top, third, plate),
        right: box(3 * PAD + 2 * third, top, third, plate),
      }
    : {
        me: box(PAD, mineTop, side, plate),
        left: box(PAD, centre.y - plate - pile / 2, side, plate),
        right: box(width - side - PAD, centre.y - plate - pile / 2, side, plate),
        top: box((width - topWidth) / 2, top, topWidth, plate),
      };
  const piles: Record<Side, Box> = {
    me: box(plates.me.x + plates.me.width + PAD, mineTop + plate - pile, Math.max(90, side), pile),
    left: box(plates.left.x, plates.left.y + plate + 4, plates.left.width, pile),
    right: box(plates.right.x, plates.right.y + plate + 4, plates.right.width, pile),
    top: narrow
      ? box(plates.top.x, plates.top.y + plate + 4, plates.top.width, pile)
      : box(plates.top.x + topWidth + PAD, top - 4, side, Math.min(pile, plate + 8)),
  };
  const promptWidth = Math.min(320, width - piles.me.x - piles.me.width - ADVICE - 3 * PAD);
  const others: Record<Exclude<Side, "me">, Box> = narrow
    ? {
        left: under(piles.left, openHand),
        top: under(piles.top, openHand),
        right: under(piles.right, openHand),
      }
    : {
        left: box(PAD, plates.left.y - openHand - 6, side, openHand),
        right: box(width - side - PAD, plates.right.y - openHand - 6, side, openHand),
        top: box(width / 2 - side / 2, top + plate + 4, side, openHand),
      };
  return {
    plates,
    prompt: narrow
      ? box(PAD, mineTop - 24, width - 2 * PAD, 22)
      : box(width - promptWidth - PAD, mineTop, promptWidth, plate),
    advice: narrow
      ? box(width - PAD - ADVICE, mineTop, ADVICE, plate)
      : box(width - promptWidth - ADVICE - 2 * PAD, mineTop - 8, ADVICE, plate + 8),
    zones: [
      ...sides.map((where): Zone => ({
        id: `pile-${where}`,
        box: piles[where],
        arrange: "row",
        card: 60,
        align: where === "right" && !narrow ? "end" : "start",
        overlap: 0.34,
        label: pileLabel(where),
      })),
      ...(["left", "top", "right"] as const)
        .filter(() => openHand > 0)
        .map((where): Zone => ({
          id: `hand-${where}`,
          box: others[where],
          arrange: "row",
          card: 60,
          align: narrow || where === "top" ? "centre" : where === "left" ? "start" : "end",
          overlap: open ? 0.5 : 0.3,
        })),
      { id: "trick-left", box: at(-spread, 0), arrange: "stack", card: trick, label: text.onTable },
      { id: "trick-top", box: at(0, -0.5), arrange: "stack", card: trick, label: text.onTable },
      { id: "trick-right", box: at(spread, 0), arrange: "stack", card: trick, label: text.onTable },
      { id: "trick-me", box: at(0, 0.54), arrange: "stack", card: trick, label: text.onTable },
      {
        id: "hand-me",
        box: box(PAD, handTop, width - 2 * PAD, handHeight),
        arrange: "row",
        card: handCard,
        overlap: narrow ? 0.84 : 0.72,
        rows,
        label: text.hand,
      },
    ],
  };
}

const under = (above: Box, height: number): Box =>
  box(above.x, above.y + above.height + 3, above.width, height);
