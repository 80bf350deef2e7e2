// Where the cards lie, and how a move looks.

import type { GameEvent } from "../../net/protocol";
import { allCards } from "../../decks/french";
import { hidden, put, shown, without, type Frame, type Scene } from "../../table/scene";
import { settings } from "../../settings";
import { counts, sideOf, type GongzhuView } from "./view";
import type { GongzhuWords } from "./words/en";

/** By suit, black and red in turn; within a suit as the settings say. */
const suitOrder = "SHCD";
export function sortHand(cards: string[]): string[] {
  const sign = settings().sort === "high" ? -1 : 1;
  return [...cards].sort(
    (a, b) =>
      suitOrder.indexOf(a[0]) - suitOrder.indexOf(b[0]) || sign * (allCards.indexOf(a) - allCards.indexOf(b)),
  );
}

export function scene(view: GongzhuView, open: GongzhuView[] | null): Scene {
  const all: Scene = {};
  for (let seat = 0; seat < 4; seat++) {
    const side = sideOf(view, seat);
    all[`hand-${side}`] =
      side === "me"
        ? sortHand(view.hand).map(shown)
        : open
          ? sortHand(open[seat].hand).map(shown)
          : hidden(`${side} `, view.hand_sizes[seat]);
    all[`trick-${side}`] = view.table.filter(([player]) => player === seat).map(([, card]) => shown(card));
    all[`pile-${side}`] = sortHand(view.piles[seat].filter(counts)).map(shown);
  }
  return all;
}

interface Played extends GameEvent {
  seat: number;
  card: string;
  winner: number;
  cards: string[];
}

export function frames(
  _: GongzhuWords,
  before: GongzhuView,
  events: GameEvent[],
  after: GongzhuView,
  _names: string[],
  open: GongzhuView[] | null,
): Frame[] {
  const end = scene(after, open);
  let now = scene(before, null);
  // With all cards open the hands before the move are those after it, and the card played.
  if (open) for (const side of ["right", "top", "left"]) now[`hand-${side}`] = end[`hand-${side}`];
  const made: Frame[] = [];
  const show = (frame: Frame) => {
    made.push(frame);
    now = frame.scene;
  };
  for (const event of events as Played[]) {
    if (event.type === "play") {
      const side = sideOf(after, event.seat);
      const back = side === "me" || open ? undefined : now[`hand-${side}`].at(-1);
      if (back) now = without(now, [back.id]);
      show({
        scene: put(now, `trick-${side}`, [shown(event.card)]),
        hold: 340,
        from: back && { [event.card]: back.id },
      });
    } else if (event.type === "trick") {
      // Held until seen, then over to the winner.
      show({ scene: now, hold: 1100, keep: true });
      const winner = sideOf(after, event.winner);
      show({ scene: put(now, `trick-${winner}`, event.cards.map(shown)), hold: 340 });
    }
  }
  made.push({ scene: end, hold: 120 });
  return made;
}
