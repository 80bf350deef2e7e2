// Gongzhu in the lobby, in English.

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "Gongzhu",
  line: "Two against two: take the sheep, leave the pig.",
  players: "4 players · 5 minutes",
  seats: () => ["South", "East", "North (partner of South)", "West (partner of East)"],
  options: {
    leader: { title: "First leader", values: { "0": "South", "1": "East", "2": "North", "3": "West" } },
    target: {
      title: "Length",
      values: { "0": "One deal", "500": "To −500", "1000": "To −1000" },
    },
    showing: {
      title: "Show cards before play",
      values: { off: "No", on: "Yes, they count double" },
    },
  },
  presets: {
    showing: {
      title: "Cards shown",
      line: "Before play, the pig, the sheep, the doubler and the ace of hearts may be shown. One deal.",
    },
    match: { title: "To −1000", line: "Cards may be shown; deals follow until a team is at −1000." },
    paper: { title: "Paper", line: "The rules of the research paper: one deal, nothing is shown." },
  },
  agents: {
    scrofazero: {
      title: "Scrofa",
      line: "Imagines nine deals of the hidden hands, weighed by what was played, and thinks ahead in each.",
    },
    "scrofazero-raw": {
      title: "Glance",
      line: "Imagines five deals of the hidden hands and looks one card ahead.",
    },
    "scrofazero-policy": {
      title: "Instinct",
      line: "Plays what looks best at first sight.",
    },
    best: {
      title: "Master",
      line: "Knows from forty million games what cards are worth, and plays its choices out.",
    },
    "best-raw": {
      title: "Adept",
      line: "Knows from forty million games what cards are worth, and plays the best at once.",
    },
  },
};
