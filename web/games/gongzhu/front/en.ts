// Gongzhu in the lobby, in English.

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "Gongzhu",
  line: "Two against two: take the sheep, leave the pig.",
  players: "4 players · 5 minutes",
  seats: () => ["South", "East", "North (partner of South)", "West (partner of East)"],
  options: {
    leader: { title: "First leader", values: { "0": "South", "1": "East", "2": "North", "3": "West" } },
  },
  agents: {
    scrofazero: {
      title: "Scrofa",
      line: "Searches in nine deals of the hidden hands, weighed by what was played.",
    },
    "scrofazero-raw": {
      title: "Glance",
      line: "ScrofaZero's network, one card deep in five deals of the hidden hands.",
    },
    "scrofazero-policy": {
      title: "Instinct",
      line: "Plays what ScrofaZero's network prefers at first sight.",
    },
    best: {
      title: "Oracle",
      line: "Knows from forty million games what cards are worth, and plays its choices out.",
    },
    "best-raw": {
      title: "Adept",
      line: "Knows from forty million games what cards are worth, and plays the best at once.",
    },
  },
};
