// 大厅里的花札·来来。

import type { FrontWords } from "../../game";

export const words: FrontWords = {
  title: "花札·来来",
  line: "配花成役，见好就收还是再来一手？",
  players: "2人 · 20分钟",
  seats: () => ["一号位", "二号位"],
  options: { rounds: { title: "局数" }, points: { title: "起始点数" } },
  agents: {
    classical: { title: "古典派", line: "记牌，估量双方成役的机会，划算时才叫“来来”。" },
    best: { title: "大师", line: "自我对弈最久，算遍可能摸到的牌，追求整盘的胜利。" },
    "best-point": { title: "求分高手", line: "自我对弈最久，算遍可能摸到的牌，追求得分。" },
    search: { title: "思考者", line: "求胜者的网络，算遍可能摸到的牌再出手。" },
    "rl-wp": { title: "求胜者", line: "自我对弈训练，追求整盘的胜率。" },
    "rl-point": { title: "求分者", line: "自我对弈训练，追求每局的得分。" },
    sl: { title: "模仿者", line: "从真人对局中学习。" },
    "sl-heldout": {
      title: "模仿者（验证）",
      line: "同样的学法，另一次训练。没有智能体和它练过，只用来测量。",
    },
  },
};
