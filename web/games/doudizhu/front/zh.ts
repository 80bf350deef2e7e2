// 大厅里的斗地主。

import type { FrontWords } from "../../game";
import type { front } from ".";

export const words: FrontWords<typeof front> = {
  title: "斗地主",
  line: "一个地主对两个农民，先出完牌的一方获胜。",
  players: "3人 · 5分钟",
  seats: ({ bidding }) =>
    bidding === "on"
      ? ["第一个叫分", "第二个叫分", "第三个叫分"]
      : ["地主", "地主下家（农民）", "地主上家（农民）"],
  options: {
    bidding: { title: "叫分", values: { off: "一号位当地主", on: "叫分抢地主" } },
    score: { title: "计分", values: { wp: "只计输赢", adp: "炸弹翻倍" } },
  },
  agents: {
    rhcp: { title: "拆牌手", line: "把手牌拆成牌组，尽量少出几手。" },
    "rhcp-partner": { title: "顾友拆牌", line: "会拆牌，也不压队友。" },
    mcts: { title: "树搜索", line: "把暗牌重发五十次，一直推演到底。" },
  },
  switches: { counter: "记牌器", autoPass: "要不起时自动过" },
};
