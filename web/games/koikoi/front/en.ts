// Koi-Koi in the lobby, in English.

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "Koi-Koi",
  line: "Match flowers, collect, and dare to go on.",
  players: "2 players · 20 minutes",
  seats: () => ["First seat", "Second seat"],
  options: {
    rounds: { title: "Rounds" },
    points: { title: "Points at the start" },
    viewing: {
      title: "Viewing Sake",
      values: { rising: "1, after koi-koi 3", off: "Off", "1": "1 point", "3": "3 points", "5": "5 points" },
    },
    rain: { title: "Rain spoils Viewing Sake", values: { off: "No", on: "Yes" } },
    bonus: {
      title: "For each koi-koi",
      values: { rising: "Rising", off: "Nothing", "1": "1 point", "2": "2 points", "3": "3 points" },
    },
    seven: { title: "Seven points or more", values: { off: "As they are", on: "Double" } },
    against: { title: "Against koi-koi", values: { off: "As it is", on: "Double" } },
    hand_yaku: { title: "Hands that win at once", values: { off: "No", on: "Yes" } },
    draw: { title: "If nobody stops", values: { dealer: "1 point for the dealer", nobody: "No points" } },
  },
  presets: {
    paper: {
      title: "Paper",
      line: "The rules of the research paper: koi-koi itself pays, nothing is doubled.",
    },
    app: {
      title: "Japanese app",
      line: "As most apps play: Viewing Sake for 5, doubling from seven and against koi-koi, hands that win at once.",
    },
  },
  agents: {
    best: {
      title: "Master",
      line: "Taught itself longest to win the whole game, and weighs each card it may draw.",
    },
    "best-point": {
      title: "Great collector",
      line: "Taught itself longest to collect points, and weighs each card it may draw.",
    },
    search: { title: "Thinker", line: "Plays as Victor does, and weighs each card it may draw." },
    "rl-wp": {
      title: "Victor",
      line: "Taught itself to win the whole game.",
    },
    "rl-point": {
      title: "Collector",
      line: "Taught itself to collect the most points.",
    },
    sl: { title: "Imitator", line: "Learned from the games of people." },
    "sl-heldout": {
      title: "Imitator (for tests)",
      line: "The same with another start. No agent trained against it: for measuring.",
    },
  },
};
