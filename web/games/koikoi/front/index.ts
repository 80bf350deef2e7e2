// Koi-Koi in the lobby.

import crane from "../../../generated/hanafuda/1-1.svg?url";
import curtain from "../../../generated/hanafuda/3-1.svg?url";
import moon from "../../../generated/hanafuda/8-1.svg?url";
import rainman from "../../../generated/hanafuda/11-1.svg?url";
import phoenix from "../../../generated/hanafuda/12-1.svg?url";
import type { Front } from "../../game";

export const front: Front = {
  native: "こいこい",
  lang: "ja",
  deck: "hanafuda",
  art: [crane, curtain, moon, rainman, phoenix],
  unlisted: ["sl-heldout"],
  levels: ["beginner", "casual", "skilled", "best"],
  result: (scores, seat) => `${scores[seat]} : ${scores[1 - seat]}`,
};
