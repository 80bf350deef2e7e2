// Where the cards of a trick-taking game lie, and how a card that is played looks.

import { sortHand } from "../decks/french";
import type { GameEvent } from "../net/protocol";
import { hand, hidden, put, shown, without, type Frame, type Scene } from "../table/scene";
import { sideOf, type TrickView } from "./view";

/** `counts`: which of the cards taken are to be seen. */
export function trickScene<V extends TrickView>(
  view: V,
  open: V[] | null,
  counts: (card: string) => boolean,
): Scene {
  const all: Scene = {};
  for (let seat = 0; seat < 4; seat++) {
    const side = sideOf(view, seat);
    all[`hand-${side}`] =
      side === "me"
        ? hand(sortHand(open?.[seat].hand ?? view.hand), view.hand_sizes[seat], `${side} `)
        : open
          ? sortHand(open[seat].hand).map(shown)
          : hidden(`${side} `, view.hand_sizes[seat]);
    all[`trick-${side}`] = view.table.filter(([player]) => player === seat).map(([, card]) => shown(card));
    all[`pile-${side}`] = sortHand(view.piles[seat].filter(counts)).map(shown);
  }
  return all;
}

/** The events that are shown: a card is played, a trick is taken. */
interface Played extends GameEvent {
  seat: number;
  card: string;
  winner: number;
  cards: string[];
}

/** `scene`: the game's own. */
export function trickFrames<V extends TrickView>(
  scene: (view: V, open: V[] | null) => Scene,
  before: V,
  events: GameEvent[],
  after: V,
  open: V[] | null,
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
      const last = now[`hand-${side}`].at(-1);
      const back = last?.face === null ? last : undefined;
      if (back) now = without(now, [back.id]);
      show({
        scene: put(now, `trick-${side}`, [shown(event.card)]),
        hold: 340,
        sound: "card",
        from: back && { [event.card]: back.id },
      });
    } else if (event.type === "trick") {
      // Held until seen, then over to the winner.
      show({ scene: now, hold: 1100, keep: true });
      const winner = sideOf(after, event.winner);
      show({ scene: put(now, `trick-${winner}`, event.cards.map(shown)), hold: 340, sound: "take" });
    }
  }
  made.push({ scene: end, hold: 120 });
  return made;
}
