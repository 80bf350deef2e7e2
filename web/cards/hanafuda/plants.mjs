// Twelve plants. Each has two arrangements: `low` leaves the upper part free, `full` fills the card.

import { circle, ellipse, fill, group, line, polar, range, shape, symbol, use } from "./draw.mjs";
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

/** Petals around a centre, the first one up. */
const rosette = (count, petal) =>
  range(count)
    .map((index) => `<g transform="rotate(${(360 / count) * index})">${petal}</g>`)
    .join("");

// 1 Pine: fans of needles on a red-brown trunk.
const needles = range(15).map((index) => polar(180 + (180 / 14) * index, index % 2 ? 17 : 21).join(" "));
symbol(
  "pine-fan",
  fill(`M-3 4L${needles.join("L")}L3 4Z`, pine) +
    line(
      range(7)
        .map(
          (index) =>
            `M${polar(193 + 25.6 * index, 6).join(" ")}L${polar(193 + 25.6 * index, 15.5).join(" ")}`,
        )
        .join(""),
      "#7fae7a",
      1.5,
    ) +
    circle(0, 1, 3.4, red),
);
const fan = (x, y, scale, turn = 0) => use("pine-fan", x, y, { scale, turn });
const pinePlant = {
  low: () =>
    line("M100 132C80 128 66 140 50 142C34 144 18 140 0 150", brown, 7) +
    line("M74 132C72 122 80 112 88 108M30 144C26 136 24 132 20 128", brown, 4) +
    fan(20, 132, 1.05, -8) +
    fan(82, 112, 1.05, 8) +
    fan(52, 146, 1.2) +
    fan(12, 162, 0.95) +
    fan(90, 154, 1.05),
  full: () =>
    line("M62 170C66 140 44 120 54 92C62 70 50 48 54 30", brown, 8) +
    line("M52 100C40 96 34 88 28 84M56 66C68 62 74 56 78 52M56 128C68 124 76 118 80 112", brown, 4) +
    fan(52, 36, 1.15) +
    fan(26, 74, 1.15, -6) +
    fan(78, 62, 1.05, 6) +
    fan(76, 112, 1.15, 6) +
    fan(26, 128, 1.15, -6) +
    fan(68, 152, 1.15),
};

// 2 Plum: round red petals on dark, bare, angular wood.
symbol(
  "plum-blossom",
  rosette(5, circle(0, -6.6, 5.6, red)) + circle(0, 0, 4, gold) + rosette(5, line("M0 -3L0 -6.5", gold, 1.4)),
);
symbol("plum-bud", circle(0, 0, 4, red) + fill("M-3.4 2.4A4 4 0 0 0 3.4 2.4L0 6Z", ink));
const plum = (x, y, scale = 1, turn = 0) => use("plum-blossom", x, y, { scale, turn });
const plumBud = (x, y, turn = 0) => use("plum-bud", x, y, { turn });
const plumPlant = {
  low: () =>
    line("M-4 158L24 136L46 140L74 112L104 100", ink, 7) +
    line("M24 136L18 108L28 92M46 140L58 156M74 112L92 126", ink, 4) +
    plum(20, 106, 1.15) +
    plum(46, 138, 1.3, 30) +
    plum(80, 106, 1.25, 12) +
    plum(78, 146, 1.15, 40) +
    plum(16, 148, 1.1, 20) +
    plumBud(29, 90, 200) +
    plumBud(58, 156),
  full: () =>
    line("M102 166L70 130L74 98L40 70L44 38L24 6", ink, 7) +
    line("M70 130L36 132L20 148M74 98L92 78L88 52M40 70L18 76M44 38L68 22", ink, 4) +
    plum(30, 24, 1.3) +
    plum(68, 24, 1.15, 20) +
    plum(46, 66, 1.4, 10) +
    plum(86, 60, 1.25, 30) +
    plum(22, 90, 1.15, 15) +
    plum(70, 104, 1.35, 25) +
    plum(30, 132, 1.3, 5) +
    plum(72, 144, 1.15, 45) +
    plumBud(12, 60, 90) +
    plumBud(88, 40, 180) +
    plumBud(14, 152, 30),
};

// 3 Cherry: pale notched petals in clouds.
symbol(
  "cherry-blossom",
  rosette(5, shape("M0 0C-7 -4 -6 -11 -3 -12.6L0 -10L3 -12.6C6 -11 7 -4 0 0Z", rose, white, 1.2)) +
    rosette(5, line("M0 -2L0 -5.5", red, 1.2)) +
    circle(0, 0, 2.2, red),
);
symbol("cherry-leaf", fill("M0 0C6 -5 9 -12 8 -18C1 -15 -2 -8 0 0Z", green));
const cherry = (x, y, scale = 1, turn = 0) => use("cherry-blossom", x, y, { scale, turn });
const cherryLeaf = (x, y, turn) => use("cherry-leaf", x, y, { turn });
const cherryPlant = {
  low: () =>
    line("M104 24C80 30 60 20 40 30C26 36 12 34 -4 42", brown, 5) +
    cherryLeaf(30, 64, 150) +
    cherryLeaf(84, 62, 190) +
    cherryLeaf(58, 68, 175) +
    cherry(14, 20, 1.1) +
    cherry(42, 16, 1.15, 20) +
    cherry(72, 18, 1.15, 40) +
    cherry(92, 34, 1.05, 10) +
    cherry(12, 48, 1.1, 30) +
    cherry(36, 43, 1.25, 5) +
    cherry(64, 44, 1.25, 25) +
    cherry(88, 58, 1, 50),
  full: () =>
    line("M-4 150C22 140 34 116 54 108C70 100 84 84 104 80", brown, 6) +
    line("M54 108C48 84 30 72 26 48M70 100C74 76 70 60 76 40", brown, 4) +
    cherryLeaf(18, 122, -40) +
    cherryLeaf(84, 122, 120) +
    cherryLeaf(52, 70, 10) +
    cherryLeaf(48, 146, 160) +
    cherryLeaf(90, 30, 20) +
    cherry(26, 30, 1.4) +
    cherry(66, 26, 1.45, 20) +
    cherry(84, 58, 1.2, 40) +
    cherry(44, 60, 1.35, 10) +
    cherry(18, 78, 1.3, 30) +
    cherry(62, 92, 1.45, 5) +
    cherry(32, 112, 1.4, 25) +
    cherry(86, 100, 1.2, 12) +
    cherry(68, 134, 1.4, 35) +
    cherry(22, 144, 1.2, 0),
};

// 4 Wisteria: violet racemes that hang and taper.
const racemeRows = [
  [-8, 0, 8],
  [-9, -3, 3, 9],
  [-8, -1, 6],
  [-7, 0, 7],
  [-5, 2, 5],
  [-4, 2],
  [-2, 3],
  [1],
  [0],
];
symbol(
  "wisteria-raceme",
  line("M0 -6L0 66", green, 1.6) +
    racemeRows
      .map((row, index) =>
        row
          .map((x, place) =>
            ellipse(
              x,
              2 + index * 8,
              4.6 - index * 0.22,
              5 - index * 0.2,
              (index + place) % 3 ? violet : "#a58ad0",
              x * 2,
            ),
          )
          .join(""),
      )
      .join(""),
);
symbol(
  "wisteria-leaf",
  line("M0 0L0 24", green, 1.4) +
    [6, 14, 22].map((y) => ellipse(-5, y, 2.6, 6, green, 50) + ellipse(5, y, 2.6, 6, green, -50)).join("") +
    ellipse(0, 30, 2.6, 6, green),
);
const raceme = (x, y, scale = 1, turn = 0) => use("wisteria-raceme", x, y, { scale, turn });
const wisteriaLeaf = (x, y, turn, scale = 1) => use("wisteria-leaf", x, y, { turn, scale });
const wisteriaPlant = {
  low: () =>
    line("M-4 14C22 6 40 22 62 12C80 6 92 12 104 8", brown, 5) +
    raceme(14, 24, 1.15) +
    raceme(36, 24, 0.9) +
    raceme(60, 20, 0.55) +
    raceme(84, 18, 0.62) +
    wisteriaLeaf(26, 12, 20) +
    wisteriaLeaf(50, 14, -10) +
    wisteriaLeaf(74, 10, 10),
  full: () =>
    line("M-4 20C20 4 44 24 66 12C84 4 94 16 104 12", brown, 5) +
    raceme(16, 30, 1.5) +
    raceme(40, 26, 1.75) +
    raceme(64, 28, 1.45) +
    raceme(86, 24, 1.7) +
    wisteriaLeaf(28, 14, 25, 1.1) +
    wisteriaLeaf(53, 18, -8, 1.1) +
    wisteriaLeaf(76, 10, 6, 1.1) +
    wisteriaLeaf(8, 16, 20, 1),
};

// 5 Iris: swords of green, three falls and two standards.
symbol(
  "iris-flower",
  fill("M-2 2C-10 -8 -8 -20 -1 -24C5 -18 5 -6 2 2Z", "#a58ad0") +
    fill("M-1 0C-14 -8 -22 -2 -22 9C-14 10 -6 8 0 2Z", blue) +
    fill("M1 0C14 -8 22 -2 22 9C14 10 6 8 0 2Z", blue) +
    fill("M-1 0C-9 6 -10 18 0 24C10 18 9 6 1 0Z", blue) +
    line("M0 4L0 13M-4 3L-12 4M4 3L12 4", gold, 2.6),
);
symbol(
  "iris-blade",
  fill("M-5 0C-6 -30 -3 -60 2 -84C6 -60 7 -30 5 0Z", green) + line("M0 -2C0 -26 1 -48 2 -66", pine, 1.4),
);
const iris = (x, y, scale = 1, turn = 0) => use("iris-flower", x, y, { scale, turn });
const blade = (x, y, scale = 1, turn = 0) => use("iris-blade", x, y, { scale, turn });
const irisPlant = {
  low: () =>
    blade(14, 168, 1.0, -6) +
    blade(34, 168, 0.85, -2) +
    blade(60, 168, 0.9, 4) +
    blade(88, 168, 1.1, 4) +
    blade(76, 168, 0.8, -6) +
    line("M26 160L28 76M74 164L72 60", green, 3) +
    iris(28, 66, 1.1, -6) +
    iris(72, 46, 1.15, 6),
  full: () =>
    blade(10, 168, 1.15, -4) +
    blade(28, 168, 1.35, -5) +
    blade(46, 168, 1.05, 2) +
    blade(70, 168, 1.3, 4) +
    blade(90, 168, 1.1, 6) +
    line("M34 160L32 50M58 164L60 100M76 164L76 56", green, 3) +
    iris(30, 40, 1.25, -8) +
    iris(74, 52, 1.15, 8) +
    iris(56, 102, 1.25, 0),
};

// 6 Peony: one great ruffled flower, broad lobed leaves.
const ruffle = (radius, count, colour, offset) =>
  range(count)
    .map((index) => {
      const [x, y] = polar((360 / count) * index + offset, radius);
      return circle(x, y, radius * 0.62, colour);
    })
    .join("");
symbol(
  "peony-flower",
  `<g stroke="${white}" stroke-width="1.3">${ruffle(16, 8, red, 0)}${ruffle(10, 6, "#e0605c", 20)}${ruffle(5, 4, rose, 10)}</g>` +
    circle(0, 0, 4.6, gold),
);
symbol(
  "peony-leaf",
  fill(
    "M0 0C-10 -4 -18 -12 -16 -22C-12 -20 -9 -19 -7 -17C-9 -26 -5 -34 0 -40C5 -34 9 -26 7 -17C9 -19 12 -20 16 -22C18 -12 10 -4 0 0Z",
    green,
  ) + line("M0 -2L0 -30M0 -8L-9 -16M0 -8L9 -16", pine, 1.6),
);
const peony = (x, y, scale = 1, turn = 0) => use("peony-flower", x, y, { scale, turn });
const peonyLeaf = (x, y, turn, scale = 1) => use("peony-leaf", x, y, { turn, scale });
const peonyPlant = {
  low: () =>
    line("M50 168L52 130M52 150L24 132M52 150L84 136", pine, 4) +
    peonyLeaf(26, 134, -70, 0.95) +
    peonyLeaf(76, 134, 65, 0.95) +
    peonyLeaf(30, 158, -40, 0.8) +
    peonyLeaf(74, 160, 50, 0.8) +
    peony(50, 116, 1.25),
  full: () =>
    line("M50 168L50 120L30 60M50 120L76 90", pine, 4) +
    peonyLeaf(20, 82, -60, 0.95) +
    peonyLeaf(84, 76, 20, 0.9) +
    peonyLeaf(28, 140, -70, 0.95) +
    peonyLeaf(52, 78, 30, 0.9) +
    peonyLeaf(84, 152, 70, 0.95) +
    peonyLeaf(14, 112, -30, 0.8) +
    peony(36, 42, 1.2, 10) +
    peony(62, 116, 1.35),
};

// 7 Bush clover: arching sprays of small oval leaves with magenta flowers.
const magenta = "#b8327a";
symbol(
  "clover-leaf",
  ellipse(0, -5, 3.3, 6, green) + ellipse(-5, 1, 3.1, 5.6, green, -65) + ellipse(5, 1, 3.1, 5.6, green, 65),
);
symbol(
  "clover-flower",
  ellipse(-2.4, 0, 2.5, 4.6, magenta, -22) +
    ellipse(2.4, 0, 2.5, 4.6, magenta, 22) +
    circle(0, 2.6, 1.6, rose),
);
const cloverSpray = (points) =>
  line(
    `M${points[0].join(" ")}` +
      points
        .slice(1)
        .map((p) => `L${p.join(" ")}`)
        .join(""),
    brown,
    2.2,
  ) +
  points
    .slice(1)
    .map(([x, y], index) =>
      index % 2
        ? use("clover-flower", x - 5, y - 5, { scale: 1.25, turn: -20 }) +
          use("clover-flower", x + 5, y + 5, { scale: 1.1, turn: 25 })
        : use("clover-leaf", x, y, { scale: 1.1, turn: index * 40 }),
    )
    .join("");
const arch = (x0, y0, x1, y1, x2, y2, count) =>
  range(count + 1).map((index) => {
    const t = index / count;
    const at = (a, b, c) => Math.round(((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c) * 10) / 10;
    return [at(x0, x1, x2), at(y0, y1, y2)];
  });
const cloverPlant = {
  low: () =>
    cloverSpray(arch(72, 168, 60, 20, 8, 54, 8)) +
    cloverSpray(arch(78, 168, 92, 30, 52, 24, 7)) +
    cloverSpray(arch(80, 168, 104, 90, 88, 60, 6)),
  full: () =>
    cloverSpray(arch(50, 170, 40, 10, 6, 70, 9)) +
    cloverSpray(arch(52, 170, 58, 10, 30, 16, 8)) +
    cloverSpray(arch(54, 170, 70, -6, 94, 70, 9)) +
    cloverSpray(arch(48, 170, 30, 90, 10, 130, 5)) +
    cloverSpray(arch(56, 170, 80, 90, 94, 126, 5)),
};

// 8 Susuki: a great dark hill of pampas grass.
symbol(
  "susuki-plume",
  line("M0 0C0 -18 2 -32 10 -40", ink, 1.8) +
    line(
      "M10 -40C16 -43 21 -40 23 -35M9 -38C14 -40 18 -37 20 -31M7 -36C12 -37 15 -33 17 -27M5 -33C10 -33 12 -29 14 -23M4 -29C8 -28 10 -25 11 -19M3 -25C6 -24 7 -21 8 -16",
      brown,
      2.3,
    ),
);
const hill = (top) =>
  fill(`M0 ${top + 34}C22 ${top - 6} 62 ${top - 14} 100 ${top + 26}L100 164L0 164Z`, pine) +
  line(
    `M20 164C20 ${top + 60} 24 ${top + 40} 34 ${top + 22}M34 164C36 ${top + 60} 40 ${top + 34} 50 ${top + 16}` +
      `M50 164C52 ${top + 60} 56 ${top + 34} 66 ${top + 18}M68 164C70 ${top + 64} 74 ${top + 44} 84 ${top + 32}M8 164C8 ${top + 78} 10 ${top + 64} 16 ${top + 48}M84 164C86 ${top + 84} 88 ${top + 66} 94 ${top + 54}`,
    "#9dbb7f",
    1.8,
  );
const plume = (x, y, scale = 1, turn = 0) => use("susuki-plume", x, y, { scale, turn });
const susukiPlant = {
  low: () =>
    hill(98) +
    [
      [12, 124, -12],
      [28, 108, -8],
      [44, 98, -6],
      [61, 98, -2],
      [78, 108, 2],
    ]
      .map(([x, y, turn]) => plume(x, y, 0.62, turn))
      .join(""),
  full: () =>
    hill(80) +
    [
      [10, 108, -10],
      [24, 94, -8],
      [39, 84, -6],
      [54, 79, -4],
      [69, 84, -2],
    ]
      .map(([x, y, turn]) => plume(x, y, 1.2, turn))
      .join(""),
};

// 9 Chrysanthemum: many narrow golden petals, notched leaves.
symbol(
  "kiku-flower",
  rosette(16, shape("M0 0C-4 -8 -4 -16 0 -19.5C4 -16 4 -8 0 0Z", gold, brown, 0.9)) +
    rosette(10, shape("M0 0C-3 -5 -3 -9 0 -11.5C3 -9 3 -5 0 0Z", "#f7d377", brown, 0.8)) +
    circle(0, 0, 3.6, orange),
);
symbol(
  "kiku-leaf",
  fill(
    "M0 0C-3 -4 -9 -4 -12 -9C-8 -10 -10 -14 -11 -19C-6 -18 -4 -21 0 -28C4 -21 6 -18 11 -19C10 -14 8 -10 12 -9C9 -4 3 -4 0 0Z",
    green,
  ) + line("M0 -1L0 -20M0 -6L-6 -11M0 -6L6 -11", pine, 1.4),
);
const kiku = (x, y, scale = 1, turn = 0) => use("kiku-flower", x, y, { scale, turn });
const kikuLeaf = (x, y, turn, scale = 1) => use("kiku-leaf", x, y, { turn, scale });
const kikuPlant = {
  low: () =>
    line("M46 168C48 150 40 140 28 128M46 168C52 146 64 132 74 122M46 168C56 160 70 158 80 156", green, 3.4) +
    kikuLeaf(50, 146, 0, 1.05) +
    kikuLeaf(16, 150, -100, 0.9) +
    kikuLeaf(52, 118, -10, 0.9) +
    kikuLeaf(90, 134, 90, 0.8) +
    kiku(26, 122, 1.1) +
    kiku(76, 114, 1.1, 10) +
    kiku(78, 152, 0.95, 5) +
    kikuLeaf(36, 164, -30, 0.9),
  full: () =>
    line("M50 168C52 130 46 100 34 52M50 150C60 120 66 100 72 84M48 160C40 140 30 130 26 122", green, 3.4) +
    kikuLeaf(52, 66, 50, 1.1) +
    kikuLeaf(36, 88, -60, 1.1) +
    kikuLeaf(84, 118, 120, 1) +
    kikuLeaf(58, 126, -20, 1.05) +
    kikuLeaf(62, 160, 60, 1.1) +
    kikuLeaf(16, 150, -150, 0.95) +
    kikuLeaf(70, 36, 40, 0.9) +
    kiku(34, 40, 1.4) +
    kiku(72, 88, 1.35, 10) +
    kiku(28, 122, 1.3, 5) +
    kiku(80, 140, 0.9, 12),
};

// 10 Maple: red and orange leaves of seven points.
const mapleTips = [
  [0, 21],
  [45, 19],
  [90, 15],
  [138, 10],
  [222, 10],
  [270, 15],
  [315, 19],
];
const maplePath = (() => {
  const outline = [];
  mapleTips.forEach(([angle, radius], index) => {
    const next = mapleTips[(index + 1) % mapleTips.length];
    const half = index === 3 ? 180 : (angle + (next[0] < angle ? next[0] + 360 : next[0])) / 2;
    outline.push(polar(angle - 90, radius), polar(half - 90, index === 3 ? 3 : 7));
  });
  return `M${outline.map((p) => p.join(" ")).join("L")}Z`;
})();
for (const [name, colour, vein] of [
  ["red", red, gold],
  ["orange", orange, cream],
])
  symbol(
    `maple-${name}`,
    shape(maplePath, colour, colour, 2) +
      line("M0 2L0 14M0 0L0 -13M0 0L9 -9M0 0L-9 -9M0 0L9 0M0 0L-9 0", vein, 1.1),
  );
const maple = (x, y, scale = 1, turn = 0, colour = "red") => use(`maple-${colour}`, x, y, { scale, turn });
const maplePlant = {
  low: () =>
    line("M-4 12C24 16 50 8 72 22C86 30 94 34 104 52", brown, 4) +
    maple(16, 26, 1.15, -20) +
    maple(44, 22, 1.15, 10, "orange") +
    maple(72, 30, 1.2, 30) +
    maple(88, 62, 1.1, 60, "orange") +
    maple(24, 58, 0.95, -40, "orange") +
    maple(10, 90, 0.8, -10),
  full: () =>
    line("M104 8C84 30 70 50 56 70C40 92 20 110 -4 122", brown, 5) +
    line("M56 70C66 92 74 104 78 120M70 50C50 44 36 40 22 30", brown, 3.2) +
    maple(28, 32, 1.5, -20) +
    maple(72, 36, 1.45, 30, "orange") +
    maple(48, 78, 1.5, 5) +
    maple(82, 86, 1.2, 50) +
    maple(20, 96, 1.15, -40, "orange") +
    maple(34, 134, 1.45, -15) +
    maple(76, 130, 1.45, 25, "orange"),
};

// 11 Willow: long hanging strands with slender leaves.
const strandLeaves = (length) =>
  range(Math.floor(length / 9))
    .map((index) => {
      const y = 8 + index * 9;
      const side = index % 2 ? 1 : -1;
      return ellipse(side * 3.6, y, 1.9, 6.4, index % 3 === 1 ? "#7fae4a" : green, side * -28);
    })
    .join("");
for (const length of [64, 92, 126])
  symbol(`willow-${length}`, line(`M0 0L0 ${length}`, green, 1.6) + strandLeaves(length + 4));
const strand = (x, y, length, turn = 0) => use(`willow-${length}`, x, y, { turn });
const willowPlant = {
  low: () =>
    line("M-4 10C20 4 36 14 60 8C78 4 92 8 104 4", brown, 5) +
    strand(12, 8, 92, 2) +
    strand(24, 8, 64, 0) +
    strand(38, 10, 64, -2) +
    strand(64, 8, 64, 2) +
    strand(78, 6, 64, -1) +
    strand(90, 6, 126, -1),
  full: () =>
    line("M104 40C84 34 78 14 58 10C40 6 20 16 -4 8", brown, 6) +
    strand(11, 10, 126, 2) +
    strand(25, 12, 92, 1) +
    strand(39, 10, 126, 0) +
    strand(54, 10, 92, -1) +
    strand(68, 12, 126, -1) +
    strand(81, 22, 92, -1) +
    strand(92, 28, 126, 0),
};

// 12 Paulownia: three broad leaves under three upright spikes of bells.
symbol(
  "paulownia-leaf",
  fill(
    "M0 0C-8 4 -20 -2 -22 -14C-25 -26 -16 -34 -12 -30C-10 -42 -3 -48 0 -54C3 -48 10 -42 12 -30C16 -34 25 -26 22 -14C20 -2 8 4 0 0Z",
    pine,
  ) + line("M0 -2L0 -42M0 -10L-13 -22M0 -10L13 -22M0 -24L-6 -34M0 -24L6 -34", "#7fae7a", 1.6),
);
symbol("paulownia-bell", fill("M-4 0C-6 -5 -4 -9 0 -9C4 -9 6 -5 4 0L2 -1.6L0 0.6L-2 -1.6Z", violet));
const spikeRows = [[-7, 0, 7], [-7, 0, 7], [-4, 4], [0]];
symbol(
  "paulownia-spike",
  line("M0 6L0 -36", pine, 2) +
    spikeRows
      .map((row, index) =>
        row.map((x) => use("paulownia-bell", x, -2 - index * 10, { scale: 1 - index * 0.05 })).join(""),
      )
      .join(""),
);
const spike = (x, y, scale = 1, turn = 0) => use("paulownia-spike", x, y, { scale, turn });
const kiriLeaf = (x, y, turn, scale = 1) => use("paulownia-leaf", x, y, { turn, scale });
const kiri = (x, y, scale) =>
  group(
    spike(0, -36, 1.05) +
      spike(-21, -26, 0.85, -16) +
      spike(21, -26, 0.85, 16) +
      kiriLeaf(-8, -10, -78, 0.8) +
      kiriLeaf(8, -10, 78, 0.8) +
      kiriLeaf(0, 26, 0, 1),
    x,
    y,
    { scale },
  );
const kiriPlant = {
  low: () => kiri(50, 134, 1.02),
  full: () => kiri(50, 118, 1.2),
  high: () => kiri(26, 66, 0.72) + kiri(74, 142, 0.78) + kiri(72, 62, 0.6) + kiri(24, 146, 0.6),
};

export const plants = {
  1: pinePlant,
  2: plumPlant,
  3: cherryPlant,
  4: wisteriaPlant,
  5: irisPlant,
  6: peonyPlant,
  7: cloverPlant,
  8: susukiPlant,
  9: kikuPlant,
  10: maplePlant,
  11: willowPlant,
  12: kiriPlant,
};
