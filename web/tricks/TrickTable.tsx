// A table at which one plays a card to the trick: those that may be played are raised, and a line says why.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { cardName, sign } from "../decks/french";
import type { TableProps } from "../games/game";
import type { Unit } from "../net/protocol";
import { useSettings } from "../settings";
import type { Look } from "../table/Stage";
import { adviceText } from "../table/SuggestButton";
import { badgeText } from "../table/values";
import { words as pageWords } from "../words";
import { TrickStage, type TrickParts } from "./TrickStage";
import type { TrickView } from "./view";

interface TrickTableProps<V extends TrickView> extends TrickParts {
  table: TableProps<V, unknown>;
  /** What a card is called, read aloud, if not as in any game. */
  nameOf?: (card: string) => string;
  /** A value on a card, if not as in any game. */
  badge?: (value: number, unit: Unit) => string;
  /** In the place of the line that says what to do. */
  instead?: ComponentChildren;
}

export function TrickTable<V extends TrickView>({
  table,
  nameOf = cardName,
  badge = badgeText,
  instead,
  ...parts
}: TrickTableProps<V>) {
  const { view, open, busy, legal, act, hint, pick, played, reason } = table;
  const chosen = useSettings();
  const [picked, setPicked] = useState<string | null>(null);
  useEffect(() => setPicked(pick?.move ?? null), [view, pick]);
  const press = (card: string) => {
    if (chosen.confirm && picked !== card) return setPicked(card);
    setPicked(null);
    act(card);
  };

  const looks: Record<string, Look> = {};
  // While the last trick is still to be seen, nothing is said about the next.
  const playable = view.hand.filter((card) => legal.includes(card));
  const barred = !busy && playable.length > 0 && playable.length < view.hand.length;
  for (const card of view.hand) {
    const mayPlay = playable.includes(card);
    looks[card] = {
      name: nameOf(card),
      press: mayPlay ? () => press(card) : undefined,
      raised: (barred && mayPlay) || picked === card || undefined,
      dim: barred && !mayPlay,
      lit: picked === card,
    };
  }
  for (const [, card] of view.table) looks[card] = { name: nameOf(card) };
  for (const pile of view.piles) for (const card of pile) looks[card] ??= { name: nameOf(card) };
  for (const [move, value] of Object.entries(hint?.values ?? {}))
    if (looks[move] || open)
      looks[move] = { ...looks[move], badge: badge(value, hint!.unit), best: move === hint!.best };
  if (played) looks[played] = { ...looks[played], raised: true };

  const { french, tricks } = pageWords();
  const led = view.table.length ? view.table[0][1][0] : null;
  const say =
    !playable.length || busy
      ? ""
      : !led
        ? barred
          ? tricks.leadRaised
          : tricks.youLead
        : legal.every((card) => card[0] === led)
          ? tricks.mustFollow(french.suits[led])
          : barred
            ? tricks.anyRaised(french.suits[led])
            : tricks.anyCard(french.suits[led]);
  const why = pick && picked === pick.move ? adviceText(sign(pick.move), reason(pick.move)) : "";
  return <TrickStage table={table} looks={looks} prompt={instead || why || say} {...parts} />;
}
