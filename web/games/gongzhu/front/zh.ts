// 大厅里的拱猪。

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "拱猪",
  line: "二对二：牵羊，躲猪。",
  players: "4人 · 5分钟",
  seats: () => ["南", "东", "北（南的搭档）", "西（东的搭档）"],
  options: { leader: { title: "首先出牌", values: { "0": "南", "1": "东", "2": "北", "3": "西" } } },
  agents: {
    if: { title: "规矩", line: "只看手牌和桌面，照规矩出。" },
    greed: { title: "贪心", line: "设想二十种暗牌，算清这一圈。" },
    scrofazero: {
      title: "Scrofa",
      line: "设想九种暗牌，按各家出过的牌加权，再向前推演。",
    },
    "scrofazero-raw": { title: "快手", line: "ScrofaZero的网络，设想五种暗牌，只看一张。" },
    "scrofazero-policy": { title: "直觉", line: "照ScrofaZero的网络第一眼的选择出牌。" },
    best: { title: "宗师", line: "从四千万局里学会每张牌的价值，把好牌推演到底再选。" },
    "best-raw": { title: "高手", line: "从四千万局里学会每张牌的价值，立刻出最好的一张。" },
  },
};
