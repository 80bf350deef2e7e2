// The 48 cards: which plant, ribbon and motif stands on each. The order within a month is that of the rules.

import { fill, file, group, line, use } from "./draw.mjs";
import { motifs } from "./motifs.mjs";
import { cream, gold, ink, pine } from "./palette.mjs";
import { plants } from "./plants.mjs";
import { ribbon } from "./ribbons.mjs";

export const WIDTH = 100;
export const HEIGHT = 164;

const mirrored = (content) => group(content, WIDTH, 0, { flip: true });

const low = (month) => plants[month].low();
const full = (month) => plants[month].full();

const redPoem = (word) => ribbon({ colour: "red", word });
const plainRed = () => ribbon({ colour: "red" });
const blueRibbon = () => ribbon({ colour: "blue" });

// What fills the upper part of a dross card whose plant stands low.
const tallIris = use("iris-flower", 50, 112, { scale: 1.1 });
const peonyBud =
  line("M50 104C46 80 40 64 36 54", pine, 4) +
  use("peony-leaf", 42, 78, { turn: 60, scale: 0.85 }) +
  use("peony-leaf", 40, 66, { turn: -70, scale: 0.75 }) +
  use("peony-flower", 34, 42, { scale: 0.7 });
const fallenMaple = [
  [30, 92, 1.2, 70, "orange"],
  [70, 112, 1.35, -30, "red"],
  [34, 140, 1.3, 10, "red"],
  [76, 148, 0.9, 60, "orange"],
]
  .map(([x, y, scale, turn, colour]) => use(`maple-${colour}`, x, y, { scale, turn }))
  .join("");

const storm = fill("M4 4H96V160H4Z", "#7d1f28") + fill("M4 120C24 108 60 132 96 112V160H4Z", ink);
const bolt = `<path d="M62 34L30 92L50 92L34 142L76 76L54 76L72 34Z" fill="${gold}" stroke="${ink}" stroke-width="2.4" stroke-linejoin="round"/>`;

export const pictures = {
  "1-1": () => motifs.sun + low(1) + motifs.crane,
  "1-2": () => full(1) + redPoem("good"),
  "1-3": () => full(1),
  "1-4": () => low(1) + group(mirrored(low(1)), 0, -74),
  "2-1": () => low(2) + motifs.warbler,
  "2-2": () => full(2) + redPoem("good"),
  "2-3": () => full(2),
  "2-4": () => mirrored(low(2)) + group(low(2), 0, -76),
  "3-1": () => low(3) + motifs.curtain,
  "3-2": () => full(3) + redPoem("yoshino"),
  "3-3": () => full(3),
  "3-4": () => group(mirrored(low(3)), 0, 86) + low(3),
  "4-1": () => low(4) + motifs.crescent + motifs.cuckoo,
  "4-2": () => full(4) + plainRed(),
  "4-3": () => full(4),
  "4-4": () => mirrored(low(4)) + group(low(4), 0, 66),
  "5-1": () => low(5) + motifs.bridge,
  "5-2": () => full(5) + plainRed(),
  "5-3": () => full(5),
  "5-4": () => mirrored(low(5)) + tallIris,
  "6-1": () => low(6) + motifs.butterflies,
  "6-2": () => full(6) + blueRibbon(),
  "6-3": () => full(6),
  "6-4": () => peonyBud + mirrored(low(6)),
  "7-1": () => low(7) + motifs.boar,
  "7-2": () => full(7) + plainRed(),
  "7-3": () => full(7),
  "7-4": () => mirrored(low(7)),
  "8-1": () => motifs.fullMoon + low(8),
  "8-2": () => low(8) + motifs.geese,
  "8-3": () => full(8),
  "8-4": () => mirrored(full(8)),
  "9-1": () => low(9) + motifs.cup,
  "9-2": () => full(9) + blueRibbon(),
  "9-3": () => full(9),
  "9-4": () => mirrored(low(9)) + group(low(9), 0, -72),
  "10-1": () => low(10) + motifs.deer,
  "10-2": () => full(10) + blueRibbon(),
  "10-3": () => full(10),
  "10-4": () => mirrored(low(10)) + fallenMaple,
  "11-1": () => low(11) + motifs.rainman,
  "11-2": () => low(11) + motifs.swallow,
  "11-3": () => full(11) + plainRed(),
  "11-4": () => storm + low(11) + bolt,
  "12-1": () => low(12) + motifs.phoenix,
  "12-2": () => fill("M4 128H96V160H4Z", gold) + full(12),
  "12-3": () => full(12),
  "12-4": () => plants[12].high(),
};

const frame = (content) =>
  `<rect width="${WIDTH}" height="${HEIGHT}" rx="7" fill="${ink}"/>` +
  `<g clip-path="url(#inside)"><rect width="${WIDTH}" height="${HEIGHT}" fill="${cream}"/>${content}</g>`;

/** One card as an SVG file. */
export const card = (name) => file(WIDTH, HEIGHT, frame(pictures[name]()));

/** The back: plain, with a quiet pattern of waves. */
export const back = () =>
  file(
    WIDTH,
    HEIGHT,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="7" fill="#5a1a22"/><g clip-path="url(#inside)">` +
      `<rect width="${WIDTH}" height="${HEIGHT}" fill="#8c2730"/>` +
      Array.from({ length: 9 }, (_, row) =>
        Array.from({ length: 6 }, (_, column) => {
          const x = column * 20 + (row % 2 ? 10 : 0);
          const y = 16 + row * 18.5;
          return [11, 7, 3]
            .map((r) => line(`M${x - r} ${y}A${r} ${r} 0 0 1 ${x + r} ${y}`, "#a8424a", 1.6))
            .join("");
        }).join(""),
      ).join("") +
      "</g>",
  );
