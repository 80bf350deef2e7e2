// Dou Dizhu in the lobby.

import tenDiamonds from "../../../generated/french/D10.svg?url";
import aceSpades from "../../../generated/french/SA.svg?url";
import twoHearts from "../../../generated/french/H2.svg?url";
import blackJoker from "../../../generated/french/B.svg?url";
import redJoker from "../../../generated/french/R.svg?url";
import { signed } from "../../../table/values";
import type { Front } from "../../game";

export const front = {
  native: "斗地主",
  lang: "zh-Hans",
  deck: "french",
  art: [tenDiamonds, aceSpades, twoHearts, blackJoker, redJoker],
  levels: ["beginner", "casual", "skilled", "best"],
  result: (scores, seat) => [0, 1, 2].map((step) => signed(scores[(seat + step) % 3])).join(" : "),
  switches: { counter: false, autoPass: true },
} satisfies Front;
