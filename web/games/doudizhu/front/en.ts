// Dou Dizhu in the lobby, in English.

import type { FrontWords } from "../../game";
import type { front } from ".";

export const words: FrontWords<typeof front> = {
  title: "Dou Dizhu",
  line: "One landlord against two peasants: get rid of your cards.",
  players: "3 players · 5 minutes",
  seats: ({ bidding }) =>
    bidding !== "off"
      ? ["Bids first", "Bids second", "Bids third"]
      : ["Landlord", "Peasant after the landlord", "Peasant before the landlord"],
  options: {
    bidding: {
      title: "Bidding",
      values: { off: "Off: seat 1 is the landlord", on: "On: bid for landlord", robbing: "Call and rob" },
    },
    score: { title: "Points", values: { wp: "Win or lose only", adp: "Every bomb doubles" } },
    spring: { title: "Spring", values: { off: "Does not count", on: "Doubles the points" } },
    showing: { title: "The landlord's hand", values: { off: "Hidden", on: "May be shown, to double" } },
  },
  presets: {
    bidding: {
      title: "Bidding",
      line: "The highest bid is the landlord; bombs and spring double the points.",
    },
    robbing: {
      title: "Calling and robbing",
      line: "The landlord is called and robbed, and may show its hand; all that, bombs and spring double.",
    },
    paper: {
      title: "Papers",
      line: "The rules of the research papers: the first seat is the landlord, and only the win counts.",
    },
  },
  agents: {
    rhcp: { title: "Planner", line: "Splits its hand into few moves and plays them in order." },
    "rhcp-partner": {
      title: "Team planner",
      line: "Plans its hand and leaves its partner's cards alone.",
    },
    best: {
      title: "Master",
      line: "Plays as the Adept does, but looks a few moves further where it is close.",
    },
    "best-raw": {
      title: "Adept",
      line: "Taught itself to win, and plays the best move it sees at once.",
    },
    "best-point": {
      title: "Collector",
      line: "Taught itself to collect points: every bomb doubles them.",
    },
    cql: {
      title: "Sorter",
      line: "Sorts its hand in up to a thousand ways, and plays from the best of them.",
    },
    deeprocket: {
      title: "Pupil",
      line: "Learned from the Adept's games, and plays as the Adept most likely would.",
    },
  },
  switches: { counter: "Card counter", autoPass: "Pass automatically when nothing beats" },
};
