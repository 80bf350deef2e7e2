// The tricks so far: the last one with its cards, all of them in the log.

import { french, sign } from "../decks/french";
import type { LogLine } from "../games/game";
import { Fan } from "../table/Fan";
import { words } from "../words";
import type { TrickView } from "./view";

export function LastTrick({ view, names }: { view: TrickView; names: string[] }) {
  const last = view.tricks.at(-1);
  return (
    <section class="last-trick">
      <h2>{words().tricks.lastTrick}</h2>
      {last && (
        <>
          <Fan deck={french} cards={last.cards} small />
          <p class="note">{words().tricks.takes(names[last.winner])}</p>
        </>
      )}
    </section>
  );
}

/** A line for each trick: who played what, and who took it. */
export const trickLog = (view: TrickView, names: string[]): LogLine[] =>
  view.tricks.map((trick, index) => {
    const played = trick.cards.map((card, place) => `${names[(trick.leader + place) % 4]} ${sign(card)}`);
    return {
      key: String(index),
      head: words().tricks.trick(index + 1),
      text: `${played.join(", ")} → ${names[trick.winner]}`,
    };
  });
