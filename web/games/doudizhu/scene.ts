// Where the cards lie, and how a move looks.

import type { GameEvent } from "../../net/protocol";
import { settings } from "../../settings";
import {
  hand,
  hidden,
  put,
  shown,
  without,
  type Cue,
  type Frame,
  type Item,
  type Scene,
} from "../../table/scene";
import type { Sound } from "../../table/sound";
import { faces, rankOf } from "./cards";
import { cardsText } from "./text";
import { byRank, plays, sideOf, type DoudizhuView } from "./view";
import type { DoudizhuWords } from "./words/en";

/** The hand in the order that the settings ask for; cards of a rank stay together, the next to be played last. */
export function sortFaces(cards: string[]): string[] {
  const sign = settings().sort === "high" ? -1 : 1;
  return cards
    .map((face, index) => ({ face, index }))
    .sort((a, b) => sign * byRank(rankOf(a.face), rankOf(b.face)) || a.index - b.index)
    .map(({ face }) => face);
}

export type Said = { seat: number; cards: string[] | null };

/** What the seats did last: cards, or null for a pass. Cleared for whoever is to move. */
export function lastPlays(view: DoudizhuView): Said[] {
  const told = plays(view);
  const { played } = faces(view);
  const said: Said[] = [];
  let card = played.length;
  for (let index = told.length - 1; index >= 0 && said.length < 3; index--) {
    const [seat, move] = told[index];
    const passed = move === "pass";
    if (!passed) card--;
    if (seat === view.to_move || said.some((entry) => entry.seat === seat)) continue;
    said.push({ seat, cards: passed ? null : played[card][1] });
  }
  return said;
}

export function scene(view: DoudizhuView, open: DoudizhuView[] | null): Scene {
  const own = open ? faces(view, open).hands[view.seat] : faces(view).hand;
  const all: Scene = { "hand-me": hand(sortFaces(own), view.hand_sizes[view.seat], "me ") };
  for (let seat = 0; seat < 3; seat++) {
    const side = sideOf(view, seat);
    all[`play-${side}`] = [];
    if (side !== "me")
      all[`hand-${side}`] = open
        ? sortFaces(faces(view, open).hands[seat]).map(shown)
        : hidden(`${side} `, view.hand_sizes[seat]);
  }
  for (const { seat, cards } of lastPlays(view)) all[`play-${sideOf(view, seat)}`] = (cards ?? []).map(shown);
  all.bottom = view.bottom
    ? faces(view).bottom.map((face, index): Item => ({ id: `bottom${index}`, face }))
    : hidden("bottom", 3);
  return all;
}

interface Told extends GameEvent {
  seat: number;
  cards: string;
  bid: number;
  does: boolean;
  landlord: boolean;
}

export function frames(
  words: DoudizhuWords,
  before: DoudizhuView,
  events: GameEvent[],
  after: DoudizhuView,
  names: string[],
  open: DoudizhuView[] | null,
): Frame[] {
  const end = scene(after, open);
  let now = scene(before, null);
  if (open) for (const side of ["left", "right"]) now[`hand-${side}`] = end[`hand-${side}`];
  const made: Frame[] = [];
  const say = (cue: Cue, hold: number, sound?: Sound) =>
    made.push({ scene: now, hold, cue, keep: true, sound });
  for (const event of events as Told[]) {
    switch (event.type) {
      case "play": {
        const side = sideOf(after, event.seat);
        const cards = end[`play-${side}`].length
          ? end[`play-${side}`]
          : (faces(after).played.at(-1)?.[1] ?? []).map(shown);
        const backs = now[`hand-${side}`].slice(-cards.length).filter(({ face }) => face === null);
        now = without(
          now,
          backs.map((item) => item.id),
        );
        now = put({ ...now, [`play-${side}`]: [] }, `play-${side}`, cards);
        made.push({
          scene: now,
          hold: 520,
          sound: "card",
          from: Object.fromEntries(backs.map((back, index) => [cards[index]?.id, back.id])),
        });
        break;
      }
      case "pass":
        now = { ...now, [`play-${sideOf(after, event.seat)}`]: [] };
        made.push({ scene: now, hold: 380 });
        break;
      case "bomb":
        say({ tone: "call", title: event.cards === "BR" ? words.rocket : words.bomb }, 900, "bomb");
        break;
      case "bid":
        say({ tone: "plain", title: names[event.seat], lines: [words.bid(event.bid)] }, 800);
        break;
      case "call":
      case "rob": {
        const told = words.said[event.does ? event.type : `no${event.type}`];
        say({ tone: "plain", title: names[event.seat], lines: [told] }, 800, event.does ? "call" : undefined);
        break;
      }
      case "show":
        if (event.cards)
          say(
            {
              tone: "call",
              title: names[event.seat],
              lines: [words.said.show, cardsText(words, event.cards)],
            },
            1300,
            "call",
          );
        break;
      case "spring":
        say({ tone: "call", title: event.landlord ? words.spring : words.antiSpring }, 900, "bomb");
        break;
      case "landlord":
        now = { ...now, bottom: end.bottom };
        say({ tone: "plain", title: words.becomes(names[event.seat]) }, 1300, "good");
        break;
      case "nobody_bid":
        say({ tone: "plain", title: words.dealtAgain }, 1000);
        break;
    }
  }
  made.push({ scene: end, hold: 120 });
  return made;
}
