// English words of Gongzhu.

export const words = {
  /** Kinds of decisions, in reviews. */
  decisions: {
    show: "showing cards",
    lead: "leads",
    follow: "following",
  } as Record<string, string>,
  special: { SQ: "the pig", DJ: "the sheep", C10: "the doubler" } as Record<string, string>,
  short: { SQ: "Pig ♠Q", DJ: "Sheep ♦J", C10: "Doubler ♣10" } as Record<string, string>,
  taken: (name: string) => `${name}: cards that count`,
  status: (trick: number) => `Trick ${trick} of 13`,
  showing: "Before play",
  show: (card: string) => `Show ${card}`,
  showNoMore: "Show no more",
  shown: "Shown",
  isShown: "shown",
  deal: (deal: number) => `Deal ${deal}`,
  thisDeal: "This deal",
  soFar: "So far",
  before: (name: string) => `${name}, before this deal`,
  points: "Points so far",
  team: { us: "Us", them: "Them" },
  partner: "partner",
  sides: ["South–North", "East–West"],
  seats: ["S", "E", "N", "W"],
  nobody: "not taken yet",
  hearts: (count: number) => `${count} of 13 hearts`,
  doubled: "doubled",
  claim: (us: string, them: string) => `Claim the rest: us ${us}, them ${them}`,
  unit: "Points of the side to move minus those of the other side at the end, as the adviser expects.",
  result: "Result",
  total: "Team",
  who: "Player",
  cards: "Cards that count",
  guide: {
    show: "Before play you may show the pig, the sheep, ♣10 or ♥A. What is shown counts double, for whoever takes it. Show what you can keep from yourself, or win.",
    lead: "You lead: any card. A low card seldom wins the trick, and mostly you do not want it. Low spades hunt the pig.",
    follow: "Follow the suit that was led. The highest card of it takes all the cards of the trick.",
    duck: "Look at what lies here: the pig ♠Q costs 100, hearts cost, the sheep ♦J brings 100, ♣10 doubles. Play low under what costs; play high for the sheep.",
    discard:
      "You have none of this suit, so you cannot win the trick. Throw away what hurts: the pig, or high hearts. Not on your partner's trick.",
    partner: "Your partner sits opposite. Your points are added up.",
    piles: "What the others have taken. Once pig and high hearts are gone, winning tricks does no harm.",
  },
  rules: {
    aim: "Two against two, partners opposite. Most scoring cards cost points, so you usually do not want to win tricks. The team with more points wins.",
    steps: [
      {
        title: "Follow suit",
        text: "The leader plays any card. The others must play the same suit if they have it; otherwise any card. The highest card of the suit led takes the trick and leads the next. There are no trumps.",
        cards: ["C7", "CJ", "C3", "H9"],
      },
      { title: "The pig", text: "The queen of spades costs 100 points.", cards: ["SQ"] },
      { title: "The sheep", text: "The jack of diamonds brings 100 points.", cards: ["DJ"] },
      {
        title: "The doubler",
        text: "The ten of clubs doubles all the points of whoever takes it. On its own it is worth 50.",
        cards: ["C10"],
      },
      {
        title: "Hearts",
        text: "Ace −50, king −40, queen −30, jack −20, ten to five −10 each, four to two nothing. Whoever takes all thirteen gets +200 instead of −200.",
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
      "Taking all hearts does not turn the pig: the queen of spades still costs 100.",
      "A game is one deal of thirteen tricks, or deals follow each other until a team has lost as many points as was agreed; whoever took the pig leads the next.",
      "Where it was agreed, the pig, the sheep, the doubler and the ace of hearts (for all hearts) may be shown before play. Shown cards count double, the doubler four times; they may not be played the first time that their suit is led, unless there is no other.",
      "When nothing can change the points any more, or you lead with only the highest cards, you may claim the rest: it is played for you.",
    ],
    differs: [
      "Taking all hearts turns the pig into +100.",
      "Each for oneself; three or five players; two decks.",
    ],
  },
};

export type GongzhuWords = typeof words;
