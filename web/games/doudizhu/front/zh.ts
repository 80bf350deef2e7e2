// 大厅里的斗地主。

import type { FrontWords } from "../../game";
import type { front } from ".";

export const words: FrontWords<typeof front> = {
  title: "斗地主",
  line: "一个地主对两个农民，先出完牌的一方获胜。",
  players: "3人 · 5分钟",
  seats: ({ bidding }) =>
    bidding !== "off"
      ? ["第一个叫分", "第二个叫分", "第三个叫分"]
      : ["地主", "地主下家（农民）", "地主上家（农民）"],
  options: {
    bidding: { title: "定地主", values: { off: "一号位当地主", on: "叫分", robbing: "叫地主、抢地主" } },
    score: { title: "计分", values: { wp: "只计输赢", adp: "炸弹翻倍" } },
    spring: { title: "春天", values: { off: "不计", on: "春天、反春翻倍" } },
    showing: { title: "明牌", values: { off: "不明牌", on: "地主可明牌翻倍" } },
  },
  presets: {
    bidding: { title: "叫分", line: "叫分最高的当地主，炸弹、春天翻倍。" },
    robbing: { title: "叫地主、抢地主", line: "叫地主、抢地主，地主可明牌；抢、明牌、炸弹、春天都翻倍。" },
    paper: { title: "论文规则", line: "研究论文的规则：一号位当地主，只计输赢。" },
  },
  agents: {
    rhcp: { title: "理牌手", line: "把手牌理成牌型，尽量少出几次就走完。" },
    "rhcp-partner": { title: "好队友", line: "会理牌，也不乱压队友。" },
    best: { title: "大师", line: "和高手一样的眼力，拿不准时多推演几手再出。" },
    "best-raw": { title: "高手", line: "自己跟自己练成，立刻打出最可能取胜的牌。" },
    "best-point": { title: "求分高手", line: "自己跟自己练成，算上炸弹翻倍，争取多得分。" },
    cql: { title: "拆牌手", line: "设想上千种拆法，从最好的一种里出牌。" },
    deeprocket: { title: "高徒", line: "看高手的牌局学成，照高手最可能的打法出牌。" },
    mcts: { title: "推演手", line: "设想五十种暗牌，一直推演到底。" },
  },
  switches: { counter: "记牌器", autoPass: "要不起时自动过" },
};
