// ロビーでの拱猪。

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "拱猪",
  line: "二人対二人。羊を取り、豚を避ける。",
  players: "4人 · 5分",
  seats: () => ["南", "東", "北（南の味方）", "西（東の味方）"],
  options: { leader: { title: "最初に出す席", values: { "0": "南", "1": "東", "2": "北", "3": "西" } } },
  agents: {
    if: { title: "きまり", line: "手札と場だけを見て、決まりどおりに出す。" },
    greed: { title: "よくばり", line: "隠れた手札を二十通り想定し、その一巡を読む。" },
    scrofazero: {
      title: "Scrofa",
      line: "隠れた手札を九通り想定し、これまでの出し方で重みをつけて先を読む。",
    },
    "scrofazero-raw": {
      title: "早読み",
      line: "ScrofaZeroの網が、手札を五通り想定して一枚先を見る。",
    },
    "scrofazero-policy": { title: "直感", line: "ScrofaZeroの網が一目で選ぶ札を出す。" },
    best: {
      title: "名人",
      line: "四千万局から札の値打ちを学び、よい手は終わりまで読んで比べる。",
    },
    "best-raw": { title: "達人", line: "四千万局から札の値打ちを学び、一番高い札をすぐに出す。" },
  },
};
