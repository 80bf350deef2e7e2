// Koi-Koi in the lobby, in English.

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "Koi-Koi",
  line: "Match flowers, collect, and dare to go on.",
  players: "2 players · 20 minutes",
  seats: () => ["First seat", "Second seat"],
  options: { rounds: { title: "Rounds" }, points: { title: "Points at the start" } },
  agents: {
    best: {
      title: "Master",
      line: "Taught itself longest to win the whole game, and weighs each card it may draw.",
    },
    "best-point": {
      title: "Great collector",
      line: "Taught itself longest to collect points, and weighs each card it may draw.",
    },
    search: { title: "Thinker", line: "Victor's network, which weighs each card it may draw." },
    "rl-wp": {
      title: "Victor",
      line: "A network that taught itself to win the whole game.",
    },
    "rl-point": {
      title: "Collector",
      line: "A network that taught itself to collect the most points.",
    },
    sl: { title: "Imitator", line: "A network that learned from the games of people." },
    "sl-heldout": {
      title: "Imitator (for tests)",
      line: "The same with another start. No agent trained against it: for measuring.",
    },
  },
};
