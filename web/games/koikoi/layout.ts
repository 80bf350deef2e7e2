// Where the zones sit: piles at the left on wide screens, above and below the field on narrow and upright ones.
// The koi-koi question has a place between field and hand, whose cards are smaller meanwhile: nothing is covered.

import { kinds } from "../../decks/hanafuda";
import type { Box, Size, Zone } from "../../table/zones";
import { pileZone } from "./scene";
import type { KoikoiWords } from "./words/en";

const ASPECT = 100 / 164;
const PAD = 10;
const ADVICE = 88;

export interface KoikoiLayout {
  zones: Zone[];
  plates: { mine: Box; theirs: Box };
  stockLabel: Box;
  /** Of a line about what to do, over the own plate or above the hand. */
  prompt: Box;
  question: Box;
  /** The button that suggests a move. */
  advice: Box;
}

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

/** Four piles in a frame: two by two, or in one line. */
function piles(mine: boolean, frame: Box, inLine: boolean, words: KoikoiWords): Zone[] {
  const shares = inLine ? [0.2, 0.25, 0.25, 0.3] : [0.5, 0.5, 0.5, 0.5];
  let left = frame.x;
  return kinds.map((what, index) => {
    const width = frame.width * shares[index] - 4;
    const height = inLine ? frame.height : frame.height / 2 - 3;
    const place = inLine
      ? box(left, frame.y, width, height)
      : box(
          frame.x + (index % 2) * (frame.width / 2),
          frame.y + Math.floor(index / 2) * (frame.height / 2),
          width,
          height,
        );
    left += width + 4;
    return {
      id: pileZone(mine, what),
      box: place,
      arrange: "row",
      card: 64,
      align: "start",
      overlap: 0.42,
      label: words.piles[what],
    };
  });
}

export function layout(size: Size, words: KoikoiWords, asked: boolean): KoikoiLayout {
  const upright = size.width < 600 || size.height > size.width;
  return upright ? narrow(size, words, asked) : wide(size, words, asked);
}

function wide({ width, height }: Size, words: KoikoiWords, asked: boolean): KoikoiLayout {
  const side = Math.min(330, Math.max(190, width * 0.27));
  const plate = 40;
  const half = height / 2;
  const left = side + 2 * PAD;
  const centre = width - left - PAD;
  const short = height < 420;
  const fullHand = Math.min(height * (short ? 0.27 : 0.3), 190, (centre - 7 * 6) / 8 / ASPECT);
  const lift = fullHand * 0.14;
  const question = short ? 62 : 118;
  const handHeight = asked ? Math.max(short ? 46 : 76, fullHand + lift - question - PAD) : fullHand;
  const bottom = asked ? question + PAD + handHeight : fullHand + lift;
  const backs = short ? 24 : Math.min(64, height * 0.11);
  const fieldTop = PAD + backs + PAD;
  const fieldHeight = height - fieldTop - bottom - 3 * PAD;
  const stock = Math.min(110, (fieldHeight / 2) * ASPECT, centre * 0.14);
  const stockHeight = stock / ASPECT;
  const stockTop = fieldTop + (fieldHeight - 2 * stockHeight - 22) / 2;
  const fieldLeft = left + stock + 3 * PAD;
  return {
    plates: { theirs: box(PAD, PAD, side, plate), mine: box(PAD, height - PAD - plate, side, plate) },
    stockLabel: box(left, stockTop + stockHeight, stock, 20),
    prompt: box(left, height - bottom - PAD - 34, centre, 28),
    question: box(left, height - bottom - PAD, centre, question),
    advice: box(width - ADVICE - PAD, 4, ADVICE, 38),
    zones: [
      ...piles(false, box(PAD, PAD + plate + 4, side, half - plate - 2 * PAD - 4), false, words),
      ...piles(true, box(PAD, half + PAD - 2, side, half - plate - 2 * PAD - 4), false, words),
      {
        id: "theirs",
        box: box(left, PAD, centre, backs),
        arrange: "row",
        card: 90,
        align: "centre",
        overlap: 0.7,
      },
      { id: "stock", box: box(left, stockTop, stock, stockHeight), arrange: "stack", card: stock },
      {
        id: "field",
        box: box(fieldLeft, fieldTop, width - fieldLeft - PAD, fieldHeight),
        arrange: "grid",
        card: 118,
        room: 10,
        label: words.field,
      },
      {
        id: "hand",
        box: box(left, height - handHeight - PAD, centre, handHeight),
        arrange: "row",
        card: 118,
        align: "centre",
        label: words.hand,
      },
      {
        id: "shown",
        box: box(left, stockTop + stockHeight + 22, stock, stockHeight),
        arrange: "stack",
        card: stock,
        label: words.drawn,
      },
      { id: "dealt", box: box(left, stockTop, stock, stockHeight), arrange: "stack", card: stock },
    ],
  };
}

function narrow({ width, height }: Size, words: KoikoiWords, asked: boolean): KoikoiLayout {
  const inner = width - 2 * PAD;
  const large = width >= 600;
  const plate = large ? 42 : 30;
  const pile = Math.min(large ? 105 : 64, height * 0.095);
  const handCard = Math.min(large ? 130 : 100, (inner - 3 * 6) / 4, height * 0.165 * ASPECT);
  const handHeight = (handCard / ASPECT) * 2 + 10;
  const top = 4 + plate + pile + 4;
  const bottom = height - 6 - handHeight - plate - pile - 8;
  const fieldHeight = bottom - top - 8;
  const handTop = height - 6 - handHeight;
  const question = Math.min(large ? 130 : 120, handHeight * 0.58);
  const hand = asked
    ? box(PAD, handTop + question + 6, inner, handHeight - question - 6)
    : box(PAD, handTop, inner, handHeight);
  const stock = Math.min(large ? 110 : 64, (fieldHeight / 2 - 14) * ASPECT, inner * 0.17);
  const stockHeight = stock / ASPECT;
  const stockTop = top + (fieldHeight - 2 * stockHeight - 20) / 2 + 4;
  return {
    plates: {
      theirs: box(PAD, 4, inner * 0.78 - 6, plate - 3),
      mine: box(PAD, bottom + pile + 4, inner - ADVICE - 6, plate - 2),
    },
    stockLabel: box(PAD, stockTop + stockHeight, stock, 18),
    prompt: box(PAD, bottom + pile + 4, inner - ADVICE - 6, plate - 2),
    question: box(PAD, handTop, inner, question),
    advice: box(PAD + inner - ADVICE, bottom + pile + 3, ADVICE, plate),
    zones: [
      ...piles(false, box(PAD, 4 + plate, inner, pile), true, words),
      ...piles(true, box(PAD, bottom, inner, pile), true, words),
      {
        id: "theirs",
        box: box(PAD + inner * 0.78, 4, inner * 0.22, plate - 3),
        arrange: "row",
        card: 40,
        align: "end",
        overlap: 0.8,
      },
      { id: "stock", box: box(PAD, stockTop, stock, stockHeight), arrange: "stack", card: stock },
      {
        id: "field",
        box: box(PAD + stock + 10, top + 4, inner - stock - 10, fieldHeight),
        arrange: "grid",
        card: large ? 140 : 100,
        room: 10,
        gap: 5,
        label: words.field,
      },
      {
        id: "hand",
        box: hand,
        arrange: asked ? "row" : "grid",
        card: handCard,
        room: 8,
        gap: 6,
        label: words.hand,
      },
      {
        id: "shown",
        box: box(PAD, stockTop + stockHeight + 20, stock, stockHeight),
        arrange: "stack",
        card: stock,
        label: words.drawn,
      },
      { id: "dealt", box: box(PAD, stockTop, stock, stockHeight), arrange: "stack", card: stock },
    ],
  };
}
