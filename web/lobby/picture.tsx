// How the lobby shows a game: a few of its cards, and its name where it comes from.

import { fronts } from "../games";
import { words } from "../words";

export function HandOfCards({ game }: { game: string }) {
  return (
    <div class={`hand ${fronts[game].deck}`} aria-hidden="true">
      {fronts[game].art.map((source) => (
        <img key={source} src={source} alt="" />
      ))}
    </div>
  );
}

/** Nothing where the language has the same name for it. */
export function NativeName({ game }: { game: string }) {
  const { native, lang } = fronts[game];
  return native === words().games[game].title ? null : <span lang={lang}>{native}</span>;
}
