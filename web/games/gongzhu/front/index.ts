// Gongzhu in the lobby.

import aceHearts from "../../../generated/french/HA.svg?url";
import pig from "../../../generated/french/SQ.svg?url";
import sheep from "../../../generated/french/DJ.svg?url";
import transformer from "../../../generated/french/C10.svg?url";
import { signed } from "../../../table/values";
import type { Front } from "../../game";

export const front: Front = {
  native: "拱猪",
  lang: "zh-Hans",
  deck: "french",
  art: [aceHearts, pig, sheep, transformer],
  levels: ["beginner", "casual", "skilled", "best"],
  result: (scores, seat) =>
    [seat, seat + 1].map((of) => signed(scores[of % 4] + scores[(of + 2) % 4])).join(" : "),
};
