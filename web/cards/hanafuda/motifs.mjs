// The fourteen motifs, drawn in card coordinates (100 by 164). A pale edge sets them apart from the plant behind.

import { circle, ellipse, fill, group, line, range, shape } from "./draw.mjs";
import {
  blue,
  brown,
  cream,
  gold,
  green,
  ink,
  mist,
  orange,
  pine,
  red,
  rose,
  violet,
  white,
} from "./palette.mjs";

/** Lines first in a wide pale stroke, then in their own: limbs that stay apart from the ground. */
const limb = (d, colour, width, edge = cream) => line(d, edge, width + 3) + line(d, colour, width);

const sun = circle(34, 44, 23, red);

const crane =
  // legs
  line("M56 112L54 146M66 112L70 146M54 146L47 149M54 146L60 149M70 146L63 149M70 146L77 149", ink, 2.4) +
  // black tail feathers
  shape(
    "M76 90C88 90 96 98 97 112C90 106 86 106 82 108C86 112 87 118 86 122C80 114 74 110 68 108Z",
    ink,
    cream,
    1.6,
  ) +
  // body
  shape(
    "M40 92C40 80 54 76 68 80C80 84 88 94 90 102C80 100 76 108 66 113C52 118 40 108 40 92Z",
    white,
    ink,
    2,
  ) +
  line("M56 92C64 90 72 92 80 98M54 99C62 98 68 100 74 105", mist, 2) +
  // neck and head
  line("M46 92C34 78 40 66 50 58C57 52 57 44 50 41", ink, 11) +
  line("M46 93C34 79 40 66 50 58C57 52 57 44 50 41", white, 7) +
  line("M51 57C57 52 57 45 51 42", ink, 5) +
  circle(48, 40, 5.6, ink) +
  fill("M43 37C45 32 53 32 54 38C50 36 47 36 43 37Z", red) +
  shape("M44 38L24 43L44 44Z", gold, ink, 1) +
  circle(47, 39.5, 1.3, white);

const warbler =
  line("M96 106C76 102 60 98 34 100", ink, 4.4) +
  group(
    shape(
      "M-30 14L-8 4C-4 -8 6 -16 18 -14C26 -13 30 -6 28 2C26 14 12 20 -2 17C-12 16 -22 18 -30 14Z",
      "#8aa33a",
      cream,
      3,
    ) +
      fill("M28 2C26 14 12 20 -2 17C8 15 16 10 18 0Z", "#f3e3a1") +
      fill("M14 2C8 14 -8 16 -22 13C-14 8 -8 -2 4 -3C10 -4 14 -2 14 2Z", "#52661f") +
      fill("M27 -8L38 -4L27 -2Z", ink) +
      circle(20, -6, 2.6, ink) +
      circle(20.8, -6.8, 0.9, white) +
      line("M4 18L2 27M10 17L11 26", ink, 2),
    52,
    70,
    { flip: true, scale: 1.1 },
  );

const curtain =
  shape("M-2 92C20 100 80 100 102 92L102 166L-2 166Z", red, ink, 2.4) +
  range(4)
    .map((index) =>
      fill(
        `M${4 + index * 26} 97L${16 + index * 26} 98.4L${16 + index * 26} 164L${4 + index * 26} 164Z`,
        index % 2 ? white : violet,
      ),
    )
    .join("") +
  line("M-2 96C20 104 80 104 102 96", gold, 7) +
  line("M-2 92C20 100 80 100 102 92M-2 100.6C20 108.6 80 108.6 102 100.6", ink, 1.6) +
  [26, 74]
    .map(
      (x) =>
        circle(x, 134, 10.4, gold) +
        range(5)
          .map((index) => group(circle(0, -5.2, 3.4, red), x, 134, { turn: index * 72 }))
          .join(""),
    )
    .join("");

const crescent = shape("M70 48A21 21 0 1 0 88 80A17 17 0 1 1 70 48Z", gold, cream, 2.5);
const cuckoo = group(
  // far wing, body, near wing
  shape("M-10 -2C-24 -12 -30 -28 -27 -44C-14 -36 -2 -20 2 -4Z", "#575064", cream, 2.6) +
    shape(
      "M-38 3C-33 -8 -16 -11 -1 -7C17 -3 31 7 46 22L31 20L36 30C23 27 14 22 8 18C-10 22 -29 17 -38 3Z",
      ink,
      cream,
      2.8,
    ) +
    fill("M-33 8C-24 16 -8 19 6 15C0 10 -16 8 -33 8Z", white) +
    line("M-16 11L-13 15M-8 11L-5 16M0 12L2 15", ink, 1.8) +
    shape(
      "M-8 -1C-12 -22 0 -40 25 -48C23 -41 25 -37 21 -32C23 -27 20 -22 16 -18C17 -11 13 -4 8 3Z",
      "#8b8398",
      cream,
      2.6,
    ) +
    line("M17 -40C6 -32 0 -20 0 -6M15 -25C8 -19 5 -12 4 -4", ink, 1.8) +
    fill("M-37 0L-48 5L-35 6Z", red) +
    circle(-28, -1.5, 3, gold) +
    circle(-28, -1.5, 1.5, ink),
  46,
  128,
  { scale: 0.88 },
);

const plank = (x, y, long) =>
  shape(`M${x} ${y}L${x + long} ${y + 9}L${x + long - 8} ${y + 21}L${x - 8} ${y + 12}Z`, gold, ink, 2.2) +
  line(`M${x - 4} ${y + 6}L${x + long - 4} ${y + 15}`, brown, 1.8);
const post = (x, y) => line(`M${x} ${y}L${x} ${y + 19}`, ink, 4.4);
const bridge =
  fill("M4 118H96V160H4Z", "#8fb8d6") +
  line("M8 152C18 148 24 156 34 152M62 124C70 120 78 128 88 124M58 156C66 152 74 160 84 156", white, 2) +
  post(16, 108) +
  post(46, 116) +
  post(30, 134) +
  post(92, 140) +
  post(64, 138) +
  plank(6, 92, 56) +
  plank(34, 116, 72) +
  plank(-18, 130, 74);

const butterflyWings = (upper, lower) =>
  shape("M0 0C-6 -18 -22 -26 -30 -18C-36 -8 -22 4 0 4Z", upper, ink, 2.4) +
  shape("M0 2C-14 2 -24 10 -20 20C-14 28 -2 18 0 4Z", lower, ink, 2.4) +
  circle(-20, -12, 4.4, red) +
  circle(-12, 14, 3, white);
const butterfly = (x, y, scale, turn, upper, lower) =>
  group(
    butterflyWings(upper, lower) +
      `<g transform="scale(-1 1)">${butterflyWings(upper, lower)}</g>` +
      ellipse(0, 3, 2.8, 12, ink) +
      line("M-1 -8C-3 -14 -6 -17 -10 -18M1 -8C3 -14 6 -17 10 -18", ink, 1.6),
    x,
    y,
    { scale, turn },
  );
const butterflies = butterfly(35, 38, 0.92, -16, gold, orange) + butterfly(72, 72, 0.66, 22, white, gold);

const boar = group(
  line("M-22 18L-24 30M-8 20L-8 31M20 20L22 31M32 14L36 28", ink, 6.4) +
    shape(
      "M-47 9C-46 2 -38 -6 -32 -10C-24 -24 -2 -30 18 -25C34 -21 44 -8 42 6C41 18 30 24 14 23C-4 25 -20 24 -28 18C-36 20 -44 18 -47 9Z",
      brown,
      cream,
      3,
    ) +
    line("M-22 -16L-16 -24M-11 -19L-6 -28M1 -20L6 -29M13 -18L19 -27M25 -13L32 -22M33 -5L41 -11", ink, 2.6) +
    fill("M-24 -9C-28 -18 -24 -22 -18 -24C-17 -18 -18 -12 -24 -9Z", ink) +
    ellipse(-44.5, 8.5, 3.4, 5.6, rose, -14) +
    fill("M-37 14C-36 8 -33 4 -32 2C-30 8 -32 13 -37 14Z", white) +
    circle(-31, -3, 2.4, white) +
    circle(-31.4, -3, 1.3, ink) +
    line("M42 2C47 0 48 -5 46 -8", ink, 2.4),
  50,
  118,
  { scale: 1.02 },
);

const fullMoon = fill("M4 4H96V160H4Z", red) + circle(50, 58, 35, white);

const goose = (x, y, scale) =>
  group(
    shape("M-22 4C-18 0 -12 -1 -6 0C2 -2 10 0 20 8C10 9 2 9 -6 6C-12 6 -18 6 -22 4Z", ink, cream, 1.4) +
      shape("M-4 2C-2 -10 6 -18 18 -20C18 -10 12 -2 4 4Z", "#575064", cream, 1.4) +
      shape("M-6 3C-12 10 -12 18 -8 26C0 20 4 12 3 4Z", ink, cream, 1.4) +
      fill("M-21 2L-29 4.5L-21 6Z", orange),
    x,
    y,
    { scale },
  );
const geese = goose(32, 34, 1) + goose(66, 56, 0.95) + goose(30, 80, 0.8);

const cup =
  shape("M38 74C40 84 36 88 30 90L70 90C64 88 60 84 62 74Z", red, cream, 3) +
  line("M30 90L70 90", gold, 3) +
  shape("M10 44C12 66 28 78 50 78C72 78 88 66 90 44Z", red, cream, 3) +
  ellipse(50, 44, 40, 12, "#8f1f24") +
  ellipse(50, 45, 34, 8.6, gold) +
  // long life, in a few strokes
  line("M41 55L59 55M43 60L57 60M50 51L50 66M38 66L62 66M54 63L44 73M50 70L58 73", gold, 2.6);

const deer = group(
  // antlers
  limb(
    "M-12 -40C-20 -48 -20 -56 -16 -64M-18 -52L-26 -56M-18 -57L-10 -62M-4 -41C2 -48 8 -54 6 -64M3 -51L12 -54M6 -57L0 -63",
    ink,
    2.8,
  ) +
    // legs
    limb("M-18 18L-20 46M-8 20L-6 46M22 18L20 46M30 12L34 46", brown, 5) +
    line("M-20.2 43L-20 47M-6 43L-6 47M20 43L20 47M34 43L34 47", ink, 5.4) +
    // body, with the neck turned back
    shape(
      "M-26 8C-28 -4 -22 -12 -18 -18C-20 -26 -18 -34 -12 -38L0 -38C2 -32 -1 -26 -1 -20C8 -14 24 -14 34 -6C40 2 36 16 28 20C10 26 -14 26 -20 20C-24 18 -26 14 -26 8Z",
      orange,
      cream,
      2.8,
    ) +
    // head, looking over its back
    shape(
      "M-13 -40C-8 -46 2 -44 6 -40L20 -32C22 -28 19 -26 15 -26C8 -24 0 -22 -6 -26C-13 -28 -16 -34 -13 -40Z",
      orange,
      cream,
      2,
    ) +
    fill("M-12 -38L-24 -36C-22 -30 -16 -30 -10 -32Z", brown) +
    circle(5, -35, 2, ink) +
    circle(19.4, -29.6, 2.2, ink) +
    [
      [-8, 0],
      [4, -4],
      [16, -2],
      [-2, 10],
      [12, 9],
      [26, 4],
      [-16, 4],
    ]
      .map(([x, y]) => circle(x, y, 2.7, white))
      .join("") +
    fill("M36 -2C42 -4 44 2 40 8C38 6 36 2 36 -2Z", white),
  50,
  112,
);

const umbrellaRibs = [-24, -12, 0, 12, 24]
  .map((x) => line(`M0 -26C${x * 0.5} -20 ${x * 0.9} -8 ${x} 4`, brown, 1.6))
  .join("");
const umbrella = group(
  line("M0 -30L0 50", brown, 3) +
    shape(
      "M-36 6C-34 -16 -16 -28 0 -28C16 -28 34 -16 36 6C24 0 12 0 0 4C-12 0 -24 0 -36 6Z",
      gold,
      ink,
      2.2,
    ) +
    umbrellaRibs +
    circle(0, -28, 3, ink),
  45,
  44,
  { turn: -10 },
);
const frog = group(
  shape("M-13 4C-14 -4 -6 -8 2 -8C12 -8 15 0 12 5C6 9 -8 9 -13 4Z", "#7fae4a", ink, 1.8) +
    circle(-7, -8, 3.6, "#7fae4a") +
    circle(-7, -8.4, 1.6, ink) +
    line("M10 5L16 8M-8 6L-13 9", ink, 2.2),
  26,
  142,
  { scale: 1.05 },
);
const stream =
  fill("M96 118C76 122 78 136 60 140C44 144 40 152 40 164L96 164Z", blue) +
  line("M92 128C82 132 82 142 70 146C62 150 58 154 56 160M94 144C86 146 84 152 78 158", "#8fb8d6", 2.4);
const rainman =
  stream +
  umbrella +
  // robe
  shape("M40 72C34 84 28 106 30 122L44 126L64 122C68 106 64 84 58 72Z", red, cream, 2.8) +
  fill("M40 72C36 80 32 92 31 104C38 108 46 104 52 92C58 84 60 78 58 72Z", violet) +
  shape("M56 80C68 82 72 88 70 94C62 96 56 92 54 88Z", violet, cream, 1.6) +
  // head and tall hat
  circle(49, 65, 7.4, "#f3d3b3") +
  fill("M41 64C41 56 45 52 47 46L56 46C55 52 57 58 57 63C52 59 46 59 41 64Z", ink) +
  circle(46.4, 66, 1.1, ink) +
  line("M38 124L36 132M56 124L58 131", ink, 5) +
  frog;

const swallow = group(
  shape("M8 -4C22 -12 34 -26 38 -44C20 -38 4 -26 -6 -10Z", ink, cream, 2.6) +
    shape("M-8 -4C-22 -2 -38 6 -46 22C-28 20 -10 14 2 4Z", ink, cream, 2.6) +
    shape(
      "M-18 -22C-12 -24 -6 -20 0 -12C8 -4 14 4 18 12L40 26L24 20L32 40L12 18C2 14 -8 4 -14 -6C-20 -8 -22 -18 -18 -22Z",
      ink,
      cream,
      2.6,
    ) +
    fill("M-10 -8C-4 4 6 12 12 14C6 6 0 -4 -8 -14Z", white) +
    fill("M-20 -16C-16 -12 -12 -9 -9 -9C-10 -14 -13 -18 -18 -20Z", red) +
    fill("M-19 -20L-27 -23L-21 -15Z", gold) +
    circle(-15, -19, 1.5, white),
  52,
  92,
  { scale: 1.1 },
);

const plumage = (d, colour) => limb(d, colour, 6);
const eye = (x, y) =>
  circle(x, y, 6.8, cream) + circle(x, y, 5.6, red) + circle(x, y, 3.3, gold) + circle(x, y, 1.4, ink);
const phoenix = group(
  plumage("M8 10C34 6 54 20 54 52", green) +
    plumage("M8 14C28 16 40 32 36 60", gold) +
    plumage("M4 16C18 24 22 42 15 62", red) +
    eye(54, 54) +
    eye(35, 62) +
    eye(14, 64) +
    // wings
    shape(
      "M-4 0C-20 -8 -38 -4 -48 12C-41 10 -38 14 -33 10C-31 18 -25 16 -21 12C-17 19 -9 16 -2 10Z",
      orange,
      cream,
      2.4,
    ) +
    shape(
      "M-6 -2C-6 -28 12 -48 46 -54C41 -46 45 -41 37 -37C41 -30 34 -26 28 -24C30 -17 24 -13 18 -11C16 -3 10 3 4 6Z",
      red,
      cream,
      2.6,
    ) +
    line("M34 -44C16 -38 4 -22 1 -4M26 -30C14 -24 8 -14 5 -4", gold, 2.4) +
    // body, neck and head
    shape(
      "M-27 -33C-18 -36 -14 -28 -16 -20C-17 -12 -10 -8 0 -6C10 -2 15 8 10 16C0 22 -14 16 -20 6C-26 -4 -24 -14 -28 -22Z",
      gold,
      cream,
      2.4,
    ) +
    line("M-10 -2L-6 2M-12 6L-8 10M-2 2L2 6M-3 10L1 14", red, 2.4) +
    limb("M-20 -36C-18 -44 -22 -50 -28 -51M-17 -34C-10 -42 -11 -49 -16 -53", red, 2.6) +
    fill("M-30 -32L-40 -25L-27 -24Z", ink) +
    circle(-24, -29, 2, ink),
  44,
  62,
  { scale: 0.86 },
);

export const motifs = {
  sun,
  crane,
  warbler,
  curtain,
  crescent,
  cuckoo,
  bridge,
  butterflies,
  boar,
  fullMoon,
  geese,
  cup,
  deer,
  rainman,
  swallow,
  phoenix,
};
