// ロビーでの闘地主。

import type { FrontWords } from "../../game";
import type { front } from ".";

export const words: FrontWords<typeof front> = {
  title: "闘地主",
  line: "地主一人と農民二人。先に手札を出し切った側の勝ち。",
  players: "3人 · 5分",
  seats: ({ bidding }) =>
    bidding !== "off"
      ? ["一番目に入札", "二番目に入札", "三番目に入札"]
      : ["地主", "地主の次の農民", "地主の前の農民"],
  options: {
    bidding: {
      title: "入札",
      values: { off: "なし：1番の席が地主", on: "あり：入札で地主を決める", robbing: "名乗りと横取り" },
    },
    score: { title: "得点", values: { wp: "勝ち負けのみ", adp: "爆弾で倍" } },
    spring: { title: "春天", values: { off: "数えない", on: "点が倍" } },
    showing: { title: "地主の手札", values: { off: "隠す", on: "見せて倍にできる" } },
  },
  presets: {
    bidding: { title: "入札", line: "一番高く入札した人が地主。爆弾と春天で点が倍。" },
    robbing: {
      title: "名乗りと横取り",
      line: "地主を名乗り、横取りし、手札を見せることもできる。そのたびに、爆弾や春天と同じく倍。",
    },
    paper: { title: "論文のルール", line: "研究論文のルール。最初の席が地主で、勝ち負けだけを数える。" },
  },
  agents: {
    random: { title: "運まかせ", line: "出せる組み合わせから適当に選ぶ。" },
    rhcp: { title: "手札計算", line: "手札をうまく分け、少ない回数で出し切る。" },
    "rhcp-partner": { title: "味方思い", line: "手札計算に加え、味方の邪魔をしない。" },
    best: { title: "名人", line: "達人と同じ眼で、迷う手は数手先まで読み比べる。" },
    "best-raw": { title: "達人", line: "自分との対戦で学び、一番勝てそうな手をすぐに出す。" },
    "best-point": { title: "点取り名人", line: "自分との対戦で学び、爆弾の倍も数えて得点を狙う。" },
    cql: { title: "組み分け", line: "手札の分け方を千通りまで考え、一番よい分け方から出す。" },
    deeprocket: { title: "愛弟子", line: "達人の対局から学び、達人ならこう出すという手を選ぶ。" },
    mcts: { title: "先読み", line: "見えない札を五十通り想定し、終わりまで読む。" },
  },
  switches: { counter: "カードカウンター", autoPass: "出せないとき自動でパス" },
};
