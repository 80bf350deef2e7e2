// 大厅里的花札·来来。

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "花札·来来",
  line: "配花成役，见好就收，还是再来？",
  players: "2人 · 20分钟",
  seats: () => ["一号位", "二号位"],
  options: {
    rounds: { title: "局数" },
    points: { title: "起始点数" },
    viewing: {
      title: "赏花酒、赏月酒",
      values: { rising: "1分，来来后3分", off: "不计", "1": "1分", "3": "3分", "5": "5分" },
    },
    rain: { title: "雨人冲掉赏酒", values: { off: "否", on: "是" } },
    bonus: {
      title: "每次来来",
      values: { rising: "逐次增加", off: "不加分", "1": "1分", "2": "2分", "3": "3分" },
    },
    seven: { title: "七分以上", values: { off: "照算", on: "加倍" } },
    against: { title: "对手叫过来来", values: { off: "照算", on: "加倍" } },
    hand_yaku: { title: "起手役", values: { off: "没有", on: "有" } },
    draw: { title: "无人收局", values: { dealer: "庄家得1分", nobody: "不得分" } },
  },
  presets: {
    paper: { title: "论文规则", line: "研究论文的规则：来来本身加分，没有加倍。" },
    app: {
      title: "日本应用规则",
      line: "常见应用的规则：赏酒5分，七分以上和对手叫过来来时加倍，有起手役。",
    },
  },
  agents: {
    classical: { title: "古典派", line: "记牌，估量双方成役的机会，划算时才叫“来来”。" },
    best: { title: "大师", line: "自己跟自己练得最久，算遍可能翻出的牌，追求整场胜利。" },
    "best-point": { title: "求分高手", line: "自己跟自己练得最久，算遍可能翻出的牌，追求得分。" },
    search: { title: "思考者", line: "和求胜者一样的眼力，算遍可能翻出的牌再出。" },
    "rl-wp": { title: "求胜者", line: "自己跟自己练成，追求整场胜利。" },
    "rl-point": { title: "求分者", line: "自己跟自己练成，追求每局得分。" },
    sl: { title: "模仿者", line: "从真人对局中学习。" },
    "sl-heldout": {
      title: "模仿者（验证）",
      line: "同样的学法，另一次训练，只用来测量。",
    },
  },
};
