// 大厅里的拱猪。

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "拱猪",
  line: "二对二：牵羊，躲猪。",
  players: "4人 · 5分钟",
  seats: () => ["南", "东", "北（南的搭档）", "西（东的搭档）"],
  options: {
    leader: { title: "首先出牌", values: { "0": "南", "1": "东", "2": "北", "3": "西" } },
    target: { title: "长度", values: { "0": "一副", "500": "打到−500", "1000": "打到−1000" } },
    showing: { title: "亮牌", values: { off: "不亮", on: "亮，加倍计分" } },
  },
  presets: {
    showing: { title: "亮牌", line: "开打前可亮猪、羊、变压器和红桃A，只打一副。" },
    match: { title: "打到−1000", line: "可亮牌，一副接一副，直到一方负满1000分。" },
    paper: { title: "论文规则", line: "研究论文的规则：只打一副，不亮牌。" },
  },
  agents: {
    if: { title: "老规矩", line: "只看手牌和桌面，照老规矩出。" },
    greed: { title: "贪心", line: "设想二十种暗牌，算清这一圈。" },
    scrofazero: {
      title: "Scrofa",
      line: "设想九种暗牌，对照各家出过的牌，再往后推演。",
    },
    "scrofazero-raw": { title: "快手", line: "设想五种暗牌，只往后看一张。" },
    "scrofazero-policy": { title: "直觉", line: "第一眼觉得好的牌就出。" },
    best: { title: "大师", line: "从四千万局里学会每张牌的价值，把好牌推演到底再选。" },
    "best-raw": { title: "高手", line: "从四千万局里学会每张牌的价值，立刻出最好的一张。" },
  },
};
