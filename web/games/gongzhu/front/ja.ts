// ロビーでの拱猪。

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "拱猪",
  line: "二人対二人。羊を取り、豚を避ける。",
  players: "4人 · 5分",
  seats: () => ["南", "東", "北（南の味方）", "西（東の味方）"],
  options: {
    leader: { title: "最初に出す席", values: { "0": "南", "1": "東", "2": "北", "3": "西" } },
    target: { title: "長さ", values: { "0": "一局", "500": "−500まで", "1000": "−1000まで" } },
    showing: { title: "始める前の公開", values: { off: "なし", on: "あり（倍になる）" } },
  },
  presets: {
    showing: { title: "公開あり", line: "始める前に豚・羊・倍札・ハートのAを公開できる。一局。" },
    match: { title: "−1000まで", line: "公開あり。一方のチームが−1000になるまで続ける。" },
    paper: { title: "論文のルール", line: "研究論文のルール。一局だけ、公開はなし。" },
  },
  agents: {
    if: { title: "定石", line: "手札と場だけを見て、定石どおりに出す。" },
    greed: { title: "よくばり", line: "見えない手札を二十通り想定し、そのトリックを読む。" },
    scrofazero: {
      title: "Scrofa",
      line: "見えない手札を九通り想定し、これまでの出し方と照らして先を読む。",
    },
    "scrofazero-raw": {
      title: "早読み",
      line: "見えない手札を五通り想定し、一枚先を見る。",
    },
    "scrofazero-policy": { title: "直感", line: "一目で良いと思った札を出す。" },
    best: {
      title: "名人",
      line: "四千万回のゲームから札の値打ちを学び、よい手は終わりまで読んで比べる。",
    },
    "best-raw": { title: "達人", line: "四千万回のゲームから札の値打ちを学び、一番良い札をすぐに出す。" },
  },
};
