// ロビーでのこいこい。

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "こいこい",
  line: "花を合わせて役を作り、続けるか、勝負するか。",
  players: "2人 · 20分",
  seats: () => ["第一席", "第二席"],
  options: {
    rounds: { title: "回戦数" },
    points: { title: "初めの持ち点" },
    viewing: {
      title: "花見・月見で一杯",
      values: { rising: "1点、こいこい後は3点", off: "なし", "1": "1点", "3": "3点", "5": "5点" },
    },
    rain: { title: "雨流れ", values: { off: "なし", on: "あり" } },
    bonus: {
      title: "こいこい一回ごと",
      values: { rising: "回数で増える", off: "加点なし", "1": "1点", "2": "2点", "3": "3点" },
    },
    seven: { title: "七文以上", values: { off: "そのまま", on: "倍" } },
    against: { title: "こいこい返し", values: { off: "そのまま", on: "倍" } },
    hand_yaku: { title: "手四・くっつき", values: { off: "なし", on: "あり" } },
    draw: { title: "だれも上がらない回戦", values: { dealer: "親に1点", nobody: "点なし" } },
  },
  presets: {
    paper: { title: "論文のルール", line: "研究論文のルール。こいこいで点が増え、倍はない。" },
    app: {
      title: "アプリのルール",
      line: "よくあるアプリのルール。花見・月見は5点、七文以上とこいこい返しは倍、手四・くっつきあり。",
    },
  },
  agents: {
    classical: {
      title: "古典派",
      line: "出た札を覚え、互いの役の見込みを比べて、得なときだけこいこいする。",
    },
    best: {
      title: "名人",
      line: "自分との対戦で最も長く学び、めくる札をすべて考えて勝ちを目指す。",
    },
    "best-point": {
      title: "点取り名人",
      line: "自分との対戦で最も長く学び、めくる札をすべて考えて点を集める。",
    },
    search: { title: "長考派", line: "勝負師と同じ眼で、めくる札をすべて考えて選ぶ。" },
    "rl-wp": { title: "勝負師", line: "自分との対戦で学び、ゲーム全体の勝ちを目指す。" },
    "rl-point": { title: "点取り屋", line: "自分との対戦で学び、一回戦ごとの点を集める。" },
    sl: { title: "ものまね", line: "人のゲームから学んだ。" },
    "sl-heldout": {
      title: "ものまね（検証用）",
      line: "同じように学んだ別の一人。強さを測るためにいる。",
    },
  },
};
