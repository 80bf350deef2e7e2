// Dou Dizhu in the lobby, in English.

import type { FrontWords } from "../../game";
import type { front } from ".";

export const words: FrontWords<typeof front> = {
  title: "Dou Dizhu",
  line: "One landlord against two peasants: get rid of your cards.",
  players: "3 players · 5 minutes",
  seats: ({ bidding }) =>
    bidding === "on"
      ? ["Bids first", "Bids second", "Bids third"]
      : ["Landlord", "Peasant after the landlord", "Peasant before the landlord"],
  options: {
    bidding: { title: "Bidding", values: { off: "Seat 1 is the landlord", on: "Bid for landlord" } },
    score: { title: "Points", values: { wp: "Win or lose", adp: "Bombs double" } },
  },
  agents: {
    rhcp: { title: "Planner", line: "Splits its hand into few moves and plays them in order." },
    "rhcp-partner": {
      title: "Team planner",
      line: "Plans its hand and leaves its partner's cards alone.",
    },
  },
  switches: { counter: "Card counter", autoPass: "Pass by itself when nothing beats" },
};
