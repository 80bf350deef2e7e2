// Dou Dizhu in the lobby.

import tenDiamonds from "../../generated/french/D10.svg?url";
import aceSpades from "../../generated/french/SA.svg?url";
import twoHearts from "../../generated/french/H2.svg?url";
import blackJoker from "../../generated/french/B.svg?url";
import redJoker from "../../generated/french/R.svg?url";
import type { Front } from "../front";

export const front: Front = {
  lang: "zh-Hans",
  art: [tenDiamonds, aceSpades, twoHearts, blackJoker, redJoker],
  seatNames: ({ bidding }) => (bidding === "on" ? "doudizhuBidding" : "doudizhu"),
};
