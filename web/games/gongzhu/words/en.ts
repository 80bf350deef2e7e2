// English words of Gongzhu.

export const words = {
  special: { SQ: "the pig", DJ: "the sheep", C10: "the transformer" } as Record<string, string>,
  short: { SQ: "Pig ♠Q", DJ: "Sheep ♦J", C10: "Transformer ♣10" } as Record<string, string>,
  taken: (name: string) => `${name}: cards that count`,
  status: (trick: number) => `Trick ${trick} of 13`,
  points: "Points so far",
  team: { us: "We", them: "They" },
  partner: "partner",
  sides: ["South–North", "East–West"],
  seats: ["S", "E", "N", "W"],
  nobody: "not taken yet",
  hearts: (count: number) => `${count} of 13 hearts`,
  doubled: "doubled",
  claim: (us: string, them: string) => `Claim the rest: we ${us}, they ${them}`,
  unit: "Figures are the points of the mover's side minus those of the other side at the end, as the agent expects.",
  result: "Result",
  total: "Team",
  who: "Player",
  cards: "Cards that count",
  rules: {
    aim: "Two against two, partners opposite. Most cards that score cost points, so mostly you do not want to win tricks. The team with more points wins.",
    steps: [
      {
        title: "Follow suit",
        text: "The leader plays any card. The others must play the same suit if they have it; otherwise any card. The highest card of the suit led takes the trick and leads the next. There are no trumps.",
        cards: ["C7", "CJ", "C3", "H9"],
      },
      { title: "The pig", text: "The queen of spades costs 100 points.", cards: ["SQ"] },
      { title: "The sheep", text: "The jack of diamonds brings 100 points.", cards: ["DJ"] },
      {
        title: "The transformer",
        text: "The ten of clubs doubles all points of whoever takes it. Alone it is worth 50.",
        cards: ["C10"],
      },
      {
        title: "Hearts",
        text: "Ace −50, king −40, queen −30, jack −20, ten to five −10 each, four to two nothing. Who takes all thirteen gets +200 instead of −200.",
        cards: ["HA", "HK", "HQ", "HJ", "H10"],
      },
    ],
    sheetTitle: "Points",
    sheet: [
      ["♥A ♥K ♥Q ♥J", "−50 −40 −30 −20"],
      ["♥10 … ♥5", "−10"],
      ["♥4 ♥3 ♥2", "0"],
      ["♠Q", "−100"],
      ["♦J", "+100"],
      ["♣10", "× 2 (+50)"],
      ["♥ × 13", "+200"],
    ],
    notes: [
      "Each player's pile is counted alone; the team's points are the sum of both.",
      "All hearts do not turn the pig: the queen of spades still costs 100.",
      "A game is one deal of thirteen tricks.",
      "When nothing can change the points any more, or you lead with only the highest cards, you may claim the rest: it is played for you.",
    ],
    differs: [
      "Declaring the pig, the sheep, the transformer or the ace of hearts before play, which doubles them.",
      "The two of spades leads, or whoever took the pig last time.",
      "All hearts turn the pig to +100.",
      "A match over many deals until somebody reaches −1000.",
      "Each for oneself; three or five players; two decks.",
    ],
  },
};

export type GongzhuWords = typeof words;
