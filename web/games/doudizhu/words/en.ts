// English words of Dou Dizhu.

export const words = {
  /** Kinds of decisions, in reviews. */
  decisions: {
    bid: "bids",
    lead: "leads",
    follow: "following",
  } as Record<string, string>,
  /** Why a move may be right or wrong, by the types of reasons.py. */
  because: {
    out: () => "plays all your cards",
    blocks: ({ name }) => `${name} holds one card: lead no single`,
    leaves: ({ kind }) => `leaves one ${kind}`,
    unbeaten: () => "nobody can beat it",
    rounds: ({ count }) => `${count} more moves, and you are out`,
    breaks: () => "breaks up other cards",
    partner: ({ name }) => `leaves the trick to ${name}, your partner`,
    spares: ({ cards }) => `keeps ${cards} for later`,
    strength: ({ cards }) => `strong cards: ${cards}`,
    weak: () => "no joker, no two, no bomb",
  } as Record<string, (about: { cards: string; name: string; kind: string; count: number }) => string>,
  /** The kinds of moves, by the names that RULES.md has. */
  kinds: {
    solo: "single",
    pair: "pair",
    trio: "trio",
    "solo chain": "chain",
    "pair chain": "chain of pairs",
    "trio chain": "chain of trios",
    "trio and solo": "trio with a single",
    "trio and pair": "trio with a pair",
    "trio chain and solos": "chain of trios with singles",
    "trio chain and pairs": "chain of trios with pairs",
    "quad and two solos": "quad with two singles",
    "quad and two pairs": "quad with two pairs",
    bomb: "bomb",
    rocket: "rocket",
  } as Record<string, string>,
  ranks: { T: "10", J: "jack", Q: "queen", K: "king", A: "ace", B: "black joker", R: "red joker" } as Record<
    string,
    string
  >,
  signs: { T: "10", B: "joker", R: "JOKER" } as Record<string, string>,
  hand: "Your hand",
  played: (name: string) => `${name}: last cards`,
  bottom: "Bottom cards",
  landlord: "landlord",
  peasant: "peasant",
  pass: "Pass",
  passed: "Pass",
  play: "Play",
  bids: ["No bid", "Bid 1", "Bid 2", "Bid 3"],
  bid: (bid: number) => (bid ? `Bid ${bid}` : "No bid"),
  /** Buttons before play, and what was said. */
  says: {
    nocall: "Don't call",
    call: "Call",
    norob: "Don't rob",
    rob: "Rob ×2",
    noshow: "Hide the hand",
    show: "Show the hand ×2",
  } as Record<string, string>,
  said: {
    nocall: "No call",
    call: "Call",
    norob: "No rob",
    rob: "Rob ×2",
    noshow: "Hand hidden",
    show: "Hand shown ×2",
  } as Record<string, string>,
  spring: "Spring!",
  antiSpring: "Anti-spring!",
  shownHand: "The landlord's open hand",
  left: (count: number) => `${count} left`,
  alarm: (count: number): string => (count === 1 ? "last card!" : "two cards!"),
  times: (times: number) => `× ${times}`,
  why: {
    choose: "Choose cards",
    none: "Not a valid combination",
    beat: (cards: string) => `Does not beat ${cards}`,
    nothing: "Nothing beats this: pass",
    lead: "Your lead: play anything",
    follow: (cards: string) => `Beat ${cards}, or pass`,
  },
  counter: "Cards still out",
  seats: "Players",
  becomes: (name: string) => `Landlord: ${name}`,
  bomb: "Bomb!",
  rocket: "Rocket!",
  dealtAgain: "Nobody bid: new deal",
  sideWins: { landlord: "The landlord wins", peasants: "The peasants win" },
  who: "Player",
  points: "Points",
  cardsLeft: "Cards left",
  guide: {
    bid: "With a strong hand become the landlord: jokers, twos, bombs, few low single cards. The landlord plays alone against two.",
    landlord:
      "You are the landlord: these three cards came into your hand. You play alone, and win if you are out first.",
    peasant:
      "You are a peasant. These three cards are the landlord's. You win if you or the other peasant is out first.",
    lead: "Your lead: any combination. Get rid of low cards first, many at a time: chains, trios with a kicker. Tap cards, or Suggest.",
    follow: "Beat these with the same kind, higher, or pass. Keep bombs and jokers for when they decide.",
    partner: "Your partner played these. Let them stand, unless you can then get rid of all your cards.",
    nearlyOut:
      "Hardly any cards left here. Against such a player do not lead single cards: play pairs, trios or your highest.",
  },
  rules: {
    aim: "One landlord with twenty cards plays against two peasants with seventeen each. Whoever gets rid of all cards first wins for their side.",
    steps: [
      {
        title: "Lead and follow",
        text: "The leader plays any combination. The next players beat it with a higher one of the same kind and length, or pass. After two passes the last player leads again.",
        cards: ["S7", "H7", "D9", "C9"],
      },
      {
        title: "Order",
        text: "From low to high: 3 4 5 6 7 8 9 10 J Q K A 2, black joker, red joker. Suits do not matter.",
        cards: ["H3", "SK", "DA", "C2", "B", "R"],
      },
      {
        title: "Bombs",
        text: "Four of a rank beat everything but a higher bomb. Both jokers together are the rocket, which beats everything.",
        cards: ["S8", "H8", "D8", "C8"],
      },
      {
        title: "Peasants are partners",
        text: "The peasants win or lose together. Let your partner's cards stand when that helps.",
        cards: [],
      },
    ],
    sheetTitle: "Combinations",
    sheet: [
      { name: "Solo, pair, trio", text: "One, two, three of a rank", cards: ["S9", "H9", "D9"] },
      {
        name: "Trio with a kicker",
        text: "Three of a rank and a single card or a pair",
        cards: ["SQ", "HQ", "DQ", "C5"],
      },
      {
        name: "Chain",
        text: "Five or more singles in a row, up to the ace",
        cards: ["S5", "H6", "D7", "C8", "S9"],
      },
      {
        name: "Pair chain",
        text: "Three or more pairs in a row",
        cards: ["S4", "H4", "D5", "C5", "S6", "H6"],
      },
      {
        name: "Trio chain",
        text: "Two or more trios in a row, alone or with as many singles or pairs",
        cards: ["S6", "H6", "D6", "C7", "S7", "H7"],
      },
      {
        name: "Quad with two",
        text: "Four of a rank with two singles or two pairs; no bomb",
        cards: ["SJ", "HJ", "DJ", "CJ", "S3", "H5"],
      },
      { name: "Bomb", text: "Four of a rank", cards: ["SK", "HK", "DK", "CK"] },
      { name: "Rocket", text: "Both jokers", cards: ["B", "R"] },
    ],
    notes: [
      "2 and the jokers never stand in a chain.",
      "With bidding each player bids once, from 1 to 3; the highest becomes the landlord and the bid multiplies the points. If nobody bids, the cards are dealt again; after a hundred times the game ends without points.",
      "With “bombs double” every bomb and the rocket double the points.",
      "Opponents that only learned to play cards bid by a fixed rule: the better their hand, the higher.",
    ],
    differs: ["Doubling before the play; more rounds of bidding.", "Quads with one kicker or with three."],
  },
};

export type DoudizhuWords = typeof words;
