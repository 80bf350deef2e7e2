// Ribbons: a paper strip, red or blue, with a brushed inscription or without.

import { fill, group, line, shape } from "./draw.mjs";
import { blue, cream, gold, ink, red } from "./palette.mjs";

// Syllables as brush strokes in a box of 10 by 10: no font is needed.
const strokes = {
  a: "M1.5 2.5L8 2M4.5 0.5C4.2 4 4.4 7 5.4 9M7.2 3.6C6.2 7 3.4 9.2 2 8.2C0.6 7 3.4 4.6 6.4 5.2C9.6 6 9 9.2 6.2 9.6",
  ka: "M1 3.4L6 2.6C7.2 3.4 6.6 8.4 4.6 9.2M4 0.8C3.8 4 2.8 7.4 1.4 9M7.6 1.6C8.8 2.8 9.4 4 9.4 5",
  yo: "M5.2 2.8L8.6 2.4M5 0.6L5.2 7.6C4.6 9.6 1.4 9.2 2 7.8C3 6.2 6.6 7.4 8.8 9.4",
  ro: "M2 1.4L7.4 1.2L1.8 6.4C4 4.2 8.6 4.4 8.4 7C8.2 9 5.6 9.6 4 9.4",
  shi: "M3.2 0.6C2.8 4 2.6 7.4 3.6 8.8C5 10 7.4 8.4 8.4 6.4",
  mi: "M2 1.2L5.6 1C4.4 4.6 3 8.4 1.6 8C0.4 7 3 5 9.2 7.2M7.6 3.8C7.4 6.4 6.4 8.6 5.2 9.6",
  no: "M5.2 1.8C4.6 5.4 3.2 8.8 1.8 8C0 6.6 2.4 1.6 5.8 1.6C9.8 1.8 9.8 8.2 5.6 9.2",
};
const words = { good: ["a", "ka", "yo", "ro", "shi"], yoshino: ["mi", "yo", "shi", "no"] };

function inscription(word) {
  const syllables = words[word];
  const step = 74 / syllables.length;
  return syllables
    .map((name, index) => group(line(strokes[name], cream, 1.5), -6.6, -36 + index * step, { scale: 1.28 }))
    .join("");
}

/** A strip that hangs a little aslant, its middle at the middle of the card. */
export function ribbon({ colour, word }) {
  const paper = colour === "blue" ? blue : red;
  const strip =
    shape("M-12.5 -46L12.5 -46L12.5 46L-12.5 46Z", paper, cream, 4) +
    line("M-12.5 -46L12.5 -46L12.5 46L-12.5 46Z", ink, 1.6);
  const ends = fill("M-11.7 -45.2H11.7V-41H-11.7ZM-11.7 45.2H11.7V41H-11.7Z", gold);
  return group(strip + (colour === "blue" ? waves : "") + (word ? inscription(word) : "") + ends, 50, 80, {
    turn: 9,
  });
}

const waves = [-24, -8, 8, 24]
  .map((y) =>
    line(`M-8 ${y}C-5.4 ${y - 5} -2.6 ${y - 5} 0 ${y}C2.6 ${y + 5} 5.4 ${y + 5} 8 ${y}`, "#8fb0e6", 2),
  )
  .join("");
