// How the lobby shows a game: a few of its cards, and its name where it comes from.

import { fronts } from "../games";
import { words } from "../words";

export function HandOfCards({ game }: { game: string }) {
  return (
    <div class="hand" aria-hidden="true">
      {fronts[game].art.map((source) => (
        <img key={source} src={source} alt="" />
      ))}
    </div>
  );
}

/** Nothing where the language has the same name for it. */
export function NativeName({ game }: { game: string }) {
  const { title, native } = words().games[game];
  return native === title ? null : <span lang={fronts[game].lang}>{native}</span>;
}
