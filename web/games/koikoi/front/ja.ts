// ロビーでのこいこい。

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "こいこい",
  line: "花を合わせて役を作り、続けるか、勝負するか。",
  players: "2人 · 20分",
  seats: () => ["第一席", "第二席"],
  options: { rounds: { title: "回数" }, points: { title: "初めの持ち点" } },
  agents: {
    classical: {
      title: "古典派",
      line: "札を数え、両者の役の見込みを量り、得なときにこいこいする。",
    },
    best: {
      title: "名人",
      line: "自己対局で最も長く学び、引くかもしれない札をすべて考えて勝ちを目指す。",
    },
    "best-point": {
      title: "大収集家",
      line: "自己対局で最も長く学び、引くかもしれない札をすべて考えて点を集める。",
    },
    search: { title: "長考派", line: "勝負師の網が、引くかもしれない札をすべて考えて選ぶ。" },
    "rl-wp": { title: "勝負師", line: "自己対局で学び、対局全体の勝率を高める。" },
    "rl-point": { title: "収集家", line: "自己対局で学び、一回ごとの点数を高める。" },
    sl: { title: "人まね", line: "人の対局から学んだ。" },
    "sl-heldout": {
      title: "人まね（検証用）",
      line: "同じ学び方の別の一回。誰の練習相手にもならず、測るためにある。",
    },
  },
};
