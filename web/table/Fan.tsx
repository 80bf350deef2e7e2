// A few cards side by side, as an illustration in a text.

import type { Deck } from "../decks/deck";

export function Fan({ deck, cards, small }: { deck: Deck; cards: readonly string[]; small?: boolean }) {
  if (!cards.length) return null;
  return (
    <div class={small ? "fan small" : "fan"} aria-hidden="true">
      {cards.map((card, index) => (
        <img
          key={index}
          src={deck.picture(card)}
          alt=""
          width={Math.round(140 * deck.aspect)}
          height={140}
          loading="lazy"
        />
      ))}
    </div>
  );
}
