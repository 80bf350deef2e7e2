// Where the cards lie, and how a move looks.

import type { GameEvent } from "../../net/protocol";
import { byMonth, kind, kinds } from "../../decks/hanafuda";
import { hand, hidden, put, shown, without, type Frame, type Scene } from "../../table/scene";
import { yakuName } from "./cards";
import { rival, type KoikoiView, type Yaku } from "./view";
import type { KoikoiWords } from "./words/en";

export const pileZone = (mine: boolean, what: string): string => `${mine ? "mine" : "theirs"}-${what}`;
const STOCK = "s";
const BACKS = "b";
const OWN_BACKS = "o";

export function scene(view: KoikoiView, open: KoikoiView[] | null): Scene {
  const other = rival(view);
  const theirs = view.shown_hands[other] ?? open?.[other].hand;
  const all: Scene = {
    stock: hidden(STOCK, view.stock_size),
    field: view.field.map(shown),
    shown: view.shown ? [shown(view.shown)] : [],
    hand: hand(
      [...(open?.[view.seat].hand ?? view.hand)].sort(byMonth),
      view.hand_sizes[view.seat],
      OWN_BACKS,
    ),
    theirs: theirs ? [...theirs].sort(byMonth).map(shown) : hidden(BACKS, view.hand_sizes[other]),
  };
  for (const seat of [view.seat, other])
    for (const what of kinds)
      all[pileZone(seat === view.seat, what)] = view.piles[seat]
        .filter((card) => kind(card) === what)
        .sort(byMonth)
        .map(shown);
  return all;
}

interface CardEvent extends GameEvent {
  seat: number;
  card: string;
  cards: string[];
  points: number;
  yaku: Yaku[];
}

/** The pictures of a move, the last of which is the view after it. */
export function frames(
  words: KoikoiWords,
  before: KoikoiView,
  events: GameEvent[],
  after: KoikoiView,
  names: string[],
  open: KoikoiView[] | null,
): Frame[] {
  const end = scene(after, open);
  const made: Frame[] = [];
  let now = scene(
    before,
    open && before.hand_sizes[rival(before)]
      ? open.map((view, seat) => ({ ...view, hand: seat === before.seat ? before.hand : view.hand }))
      : null,
  );
  if (open)
    now = {
      ...now,
      theirs: now.theirs.filter(
        (item) =>
          !Object.values(now).some(
            (items) => items !== now.theirs && items.some((other) => other.id === item.id),
          ),
      ),
    };
  const show = (frame: Frame) => {
    made.push(frame);
    now = frame.scene;
  };
  (events as CardEvent[]).forEach((event, index) => {
    const mine = event.seat === after.seat;
    const next = events[index + 1] as CardEvent | undefined;
    const target = next?.type === "take" ? next.cards[1] : undefined;
    switch (event.type) {
      case "deal":
        show({
          scene: {
            stock: hidden(STOCK, end.stock.length),
            dealt: [...end.hand, ...end.theirs, ...end.field],
          },
          hold: 60,
        });
        break;
      case "discard":
      case "draw": {
        const drawn = event.type === "draw";
        const from = drawn ? now.stock : mine ? now.hand : now.theirs;
        const back = from.some(({ id }) => id === event.card) ? undefined : from.at(-1);
        if (back) now = without(now, [back.id]);
        if (drawn)
          show({
            scene: put(now, "shown", [shown(event.card)]),
            sound: "card",
            hold: 520,
            from: back && { [event.card]: back.id },
          });
        if (!drawn || target || next?.type === "stay") {
          if (next?.type === "choose")
            show({
              scene: put(now, "shown", [shown(event.card)]),
              hold: 420,
              from: back && !drawn ? { [event.card]: back.id } : undefined,
            });
          else
            show({
              scene: put(now, "field", [{ ...shown(event.card), on: target }]),
              hold: target ? 480 : 380,
              sound: drawn ? undefined : "card",
              from: back && !drawn ? { [event.card]: back.id } : undefined,
            });
        }
        break;
      }
      case "take":
        if (now.shown?.length && event.cards[1])
          show({ scene: put(now, "field", [{ ...shown(event.cards[0]), on: event.cards[1] }]), hold: 420 });
        for (const card of event.cards) now = put(now, pileZone(mine, kind(card)), [shown(card)]);
        show({ scene: now, hold: 420, sound: "take" });
        break;
      case "stay":
        show({ scene: put(now, "field", [shown(event.card)]), hold: 200 });
        break;
      case "yaku":
      case "hand_yaku":
        show({
          scene: now,
          hold: 1300,
          keep: true,
          sound: mine ? "good" : undefined,
          cue: {
            tone: mine ? "good" : "plain",
            seat: event.seat,
            title: names[event.seat],
            lines: event.yaku.map(([name, points]) => `${yakuName(words, name)} ${points}`),
          },
        });
        break;
      case "koikoi":
      case "stop":
        show({
          scene: now,
          hold: 1300,
          keep: true,
          sound: "call",
          cue: { tone: "call", seat: event.seat, title: words.calls[event.type], lines: [names[event.seat]] },
        });
        break;
    }
  });
  made.push({ scene: end, hold: 200 });
  return made;
}
