// ロビーでの闘地主。

import type { FrontWords } from "../../game";
import type { front } from ".";

export const words: FrontWords<typeof front> = {
  title: "闘地主",
  line: "地主一人と農民二人。先に手札を出し切った側の勝ち。",
  players: "3人 · 5分",
  seats: ({ bidding }) =>
    bidding === "on"
      ? ["一番に競る", "二番に競る", "三番に競る"]
      : ["地主", "地主の次の農民", "地主の前の農民"],
  options: {
    bidding: { title: "競り", values: { off: "1番の席が地主", on: "地主を競る" } },
    score: { title: "得点", values: { wp: "勝ち負けのみ", adp: "爆弾で倍" } },
  },
  agents: {
    random: { title: "でたらめ", line: "出せる手からでたらめに選ぶ。" },
    rhcp: { title: "手札計算", line: "手札を組に分け、残りの手数を少なくする。" },
    "rhcp-partner": { title: "味方計算", line: "手札計算に加え、味方の邪魔をしない。" },
    mcts: { title: "木探索", line: "隠れた札を五十回配り直し、終わりまで読む。" },
  },
  switches: { counter: "札の数え", autoPass: "出せないとき自動でパス" },
};
