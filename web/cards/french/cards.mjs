// The French deck: own indices, pips, aces, jokers and back; court pictures from courts.mjs.

import { courtPicture } from "./courts.mjs";

const WIDTH = 100;
const HEIGHT = 140;
const paper = "#fffdf8";
const edge = "#5a5560";
const ink = "#23202b";
const red = "#c9302c";
const blue = "#2a52a3";
const green = "#22744a";
const gold = "#e9b13b";

export const suits = ["S", "H", "D", "C"];
export const ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

const twoColours = { S: ink, H: red, D: red, C: ink };
const fourColours = { S: ink, H: red, D: blue, C: green };

// Suits in a box of 20 around the origin.
const pipPaths = {
  S: "M0 -9.6C3 -5 9 -1.6 9 3C9 7 4.2 8.4 1.4 5C1.6 7.4 2.4 8.8 4 9.8H-4C-2.4 8.8 -1.6 7.4 -1.4 5C-4.2 8.4 -9 7 -9 3C-9 -1.6 -3 -5 0 -9.6Z",
  H: "M0 9.6C-2.6 4.8 -9.4 1 -9.4 -4C-9.4 -9 -2.8 -10.4 0 -4.8C2.8 -10.4 9.4 -9 9.4 -4C9.4 1 2.6 4.8 0 9.6Z",
  D: "M0 -10C2 -6 4.6 -2.6 7.6 0C4.6 2.6 2 6 0 10C-2 6 -4.6 2.6 -7.6 0C-4.6 -2.6 -2 -6 0 -10Z",
  C: "M0 -9.6A4.5 4.5 0 0 1 3.4 -2.2A4.6 4.6 0 1 1 1.2 4.4C1.4 7 2.2 8.8 4 9.8H-4C-2.2 8.8 -1.4 7 -1.2 4.4A4.6 4.6 0 1 1 -3.4 -2.2A4.5 4.5 0 0 1 0 -9.6Z",
};

// Ranks as strokes in a box of 10 by 14: no font is needed.
const rankStrokes = {
  2: "M1 3.6C1.2 -0.6 9 -0.6 8.8 4C8.6 7.4 2 10 0.9 13.4H9.2",
  3: "M1.2 0.6H8.8L4.4 5.6C10.6 5.4 10.4 13.4 4.6 13.4C2.6 13.4 1 12.2 0.6 10.4",
  4: "M7 13.4V0.6L0.6 9.8H9.6",
  5: "M8.6 0.6H2L1.4 6.2C4 4 9.2 5 9.2 9.2C9.2 14 2.4 14.6 0.8 10.8",
  6: "M8.4 2.6C7 -0.4 1 -0.6 0.9 7.2C0.8 15.2 9.3 14.8 9.3 9.4C9.3 4.4 2.2 4.2 0.9 8.6",
  7: "M0.8 0.6H9.2C6.4 4.4 4.4 8.4 4 13.4",
  8: "M5 6.4C0.4 6.4 0.4 0.6 5 0.6C9.6 0.6 9.6 6.4 5 6.4C-0.6 6.4 -0.6 13.4 5 13.4C10.6 13.4 10.6 6.4 5 6.4Z",
  9: "M1.6 11.4C3 14.4 9 14.6 9.1 6.8C9.2 -1.2 0.7 -0.8 0.7 4.6C0.7 9.6 7.8 9.8 9.1 5.4",
  10: "M0 2.6L2 0.6V13.4M8.6 0.6C5.4 0.6 5.4 13.4 8.6 13.4C11.8 13.4 11.8 0.6 8.6 0.6Z",
  J: "M4 0.6H9.2M7 0.6V9.6C7 14.4 1 14.6 0.9 10",
  Q: "M5 0.6C-1 0.6 -1 13.4 5 13.4C11 13.4 11 0.6 5 0.6ZM5.6 9.4L9.4 14",
  K: "M1.4 0.6V13.4M9.2 0.6L1.4 8.4M4.2 6L9.4 13.4",
  A: "M0.4 13.4L5 0.6L9.6 13.4M2.2 9.2H7.8",
};

const pip = (suit, x, y, scale, colour, turned = false) =>
  `<path d="${pipPaths[suit]}" fill="${colour}" transform="translate(${x} ${y}) scale(${turned ? -scale : scale})"/>`;

const corner = (suit, rank, colour) =>
  `<path d="${rankStrokes[rank]}" fill="none" stroke="${colour}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" transform="translate(${rank === "10" ? 5 : 6} 7) scale(1.32)"/>` +
  pip(suit, 12.4, 37, 0.72, colour);

const sheet = (content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">` +
  `<rect x="0.7" y="0.7" width="98.6" height="138.6" rx="7" fill="${paper}" stroke="${edge}" stroke-width="1.4"/>${content}</svg>\n`;

const bothWays = (content) => content + `<g transform="rotate(180 50 70)">${content}</g>`;

const left = 33;
const middle = 50;
const right = 67;
const rows = {
  top: 28,
  high: 49,
  centre: 70,
  low: 91,
  bottom: 112,
  upper: 42,
  upperThird: 56,
  lowerThird: 84,
  under: 98,
};
const pips = {
  2: [
    [middle, rows.top],
    [middle, rows.bottom],
  ],
  3: [
    [middle, rows.top],
    [middle, rows.centre],
    [middle, rows.bottom],
  ],
  4: [
    [left, rows.top],
    [right, rows.top],
    [left, rows.bottom],
    [right, rows.bottom],
  ],
  5: [
    [left, rows.top],
    [right, rows.top],
    [middle, rows.centre],
    [left, rows.bottom],
    [right, rows.bottom],
  ],
  6: [
    [left, rows.top],
    [right, rows.top],
    [left, rows.centre],
    [right, rows.centre],
    [left, rows.bottom],
    [right, rows.bottom],
  ],
  7: [
    [left, rows.top],
    [right, rows.top],
    [middle, rows.high],
    [left, rows.centre],
    [right, rows.centre],
    [left, rows.bottom],
    [right, rows.bottom],
  ],
  8: [
    [left, rows.top],
    [right, rows.top],
    [middle, rows.high],
    [left, rows.centre],
    [right, rows.centre],
    [middle, rows.low],
    [left, rows.bottom],
    [right, rows.bottom],
  ],
  9: [
    [left, rows.top],
    [right, rows.top],
    [left, rows.upperThird],
    [right, rows.upperThird],
    [middle, rows.centre],
    [left, rows.lowerThird],
    [right, rows.lowerThird],
    [left, rows.bottom],
    [right, rows.bottom],
  ],
  10: [
    [left, rows.top],
    [right, rows.top],
    [middle, rows.upper],
    [left, rows.upperThird],
    [right, rows.upperThird],
    [left, rows.lowerThird],
    [right, rows.lowerThird],
    [middle, rows.under],
    [left, rows.bottom],
    [right, rows.bottom],
  ],
};

function face(suit, rank, colours) {
  const colour = colours[suit];
  const corners = bothWays(corner(suit, rank, colour));
  if (rank === "A")
    return sheet(
      corners +
        `<circle cx="50" cy="70" r="29" fill="none" stroke="${colour}" stroke-width="1.4"/><circle cx="50" cy="70" r="26" fill="none" stroke="${gold}" stroke-width="1.4"/>` +
        pip(suit, 50, 70, 2, colour),
    );
  if (pips[rank])
    return sheet(corners + pips[rank].map(([x, y]) => pip(suit, x, y, 0.86, colour, y > 70)).join(""));
  const picture = courtPicture(suit, rank, colour, { red, blue, gold, ink });
  return sheet(
    `<rect x="20.6" y="23.4" width="58.8" height="93.2" rx="2" fill="#fdf6e6" stroke="${blue}" stroke-width="0.9"/>` +
      `<g transform="translate(50 70) scale(0.354)">${picture}</g>` +
      bothWays(corner(suit, rank, colour)),
  );
}

// Jokers: a crown of bells over a big star (red) or a moon (black), and the corner in the same shape.
const starPath = (() => {
  const points = Array.from({ length: 10 }, (_, index) => {
    const angle = (Math.PI / 5) * index - Math.PI / 2;
    const radius = index % 2 ? 4.2 : 10;
    return `${Math.round(radius * Math.cos(angle) * 100) / 100} ${Math.round(radius * Math.sin(angle) * 100) / 100}`;
  });
  return `M${points.join("L")}Z`;
})();
const moonPath = "M5.6 -8.6A10 10 0 1 0 5.6 8.6A8.4 8.4 0 1 1 5.6 -8.6Z";
const jesterCap = (main, second) =>
  `<path d="M26 84C20 60 26 44 14 40C26 30 40 38 50 56C60 38 74 30 86 40C74 44 80 60 74 84Z" fill="${main}"/>` +
  `<path d="M50 56C60 38 74 30 86 40C74 44 80 60 74 84H50Z" fill="${second}"/>` +
  `<path d="M42 62C36 40 44 24 50 20C56 24 64 40 58 62Z" fill="${gold}"/>` +
  `<path d="M24 84H76V92H24Z" fill="${gold}"/>` +
  `<g fill="${gold}" stroke="${paper}" stroke-width="1.4"><circle cx="14" cy="41" r="5"/><circle cx="86" cy="41" r="5"/><circle cx="50" cy="19" r="5"/></g>`;
function joker(colour, second, emblem) {
  const mark = (x, y, scale) =>
    `<path d="${emblem}" fill="${colour}" transform="translate(${x} ${y}) scale(${scale})"/>`;
  const letters = [
    ["M4 0.6H9.2M7 0.6V9.6C7 14.4 1 14.6 0.9 10", 0],
    ["M5 0.6C-1 0.6 -1 13.4 5 13.4C11 13.4 11 0.6 5 0.6Z", 17],
    ["M1.4 0.6V13.4M9.2 0.6L1.4 8.4M4.2 6L9.4 13.4", 34],
    ["M9 0.6H1.4V13.4H9M1.4 7H7.6", 51],
    ["M1.4 13.4V0.6H5.6C10.4 0.6 10.4 7.4 5.6 7.4H1.4M5.6 7.4L9.4 13.4", 68],
  ];
  const word = letters
    .map(
      ([d, y]) =>
        `<path d="${d}" fill="none" stroke="${colour}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" transform="translate(7 ${9 + y}) scale(0.9)"/>`,
    )
    .join("");
  return sheet(
    bothWays(word) +
      `<g transform="translate(13 12) scale(0.74)">${jesterCap(colour, second)}</g>` +
      mark(50, 104, 1.7),
  );
}

export const back = () => {
  const lattice = Array.from({ length: 12 }, (_, row) =>
    Array.from({ length: 9 }, (_, column) => {
      const x = 6 + column * 11;
      const y = 4 + row * 12;
      return `M${x} ${y}L${x + 5.5} ${y + 6}L${x} ${y + 12}L${x - 5.5} ${y + 6}Z`;
    }).join(""),
  ).join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><defs><clipPath id="c"><rect x="6" y="6" width="88" height="128" rx="4"/></clipPath></defs>` +
    `<rect x="0.7" y="0.7" width="98.6" height="138.6" rx="7" fill="${paper}" stroke="${edge}" stroke-width="1.4"/><g clip-path="url(#c)"><rect width="100" height="140" fill="#2f4b6e"/>` +
    `<path d="${lattice}" fill="none" stroke="#5d7ba1" stroke-width="1.3"/></g></svg>\n`
  );
};

/** All files of the deck: name (without .svg) to content. Diamonds and clubs also in the four-colour version. */
export function files() {
  const all = { back: back(), B: joker(ink, "#6d6878", moonPath), R: joker(red, "#e8837c", starPath) };
  for (const suit of suits)
    for (const rank of ranks) {
      all[suit + rank] = face(suit, rank, twoColours);
      if (suit === "D" || suit === "C") all[`${suit}${rank}-four`] = face(suit, rank, fourColours);
    }
  return all;
}
