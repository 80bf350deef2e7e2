// The Gongzhu table: cards that may be played are raised, plates with the points of each seat.

import { useEffect, useState } from "preact/hooks";
import { useSettings } from "../../settings";
import { useKept, useOwnMove } from "../../table/byItself";
import { CueBanner } from "../../table/CueBanner";
import { french } from "../../decks/french";
import type { TableProps } from "../game";
import { SeatName } from "../../table/names";
import { Place } from "../../table/Place";
import { Stage, type Look } from "../../table/Stage";
import { signed, valueText } from "../../table/values";
import { fullName } from "./cards";
import { layout } from "./layout";
import { sideOf, sides, teamPoints, type GongzhuView } from "./view";
import type { GongzhuWords } from "./words/en";

const CLAIM_MS = 150;

export function Table({
  id,
  words,
  view,
  open,
  scene,
  from,
  cue,
  busy,
  motion,
  size,
  names,
  legal,
  act,
  hint,
  hurry,
  watching,
  played,
}: TableProps<GongzhuView, GongzhuWords>) {
  const chosen = useSettings();
  const [picked, setPicked] = useState<string | null>(null);
  useEffect(() => setPicked(null), [view]);
  // Once the points are settled the rest may be played without the person: any card will do.
  const [claimed, setClaimed] = useKept(`fuda.claim.${id}`, false);
  const settled = legal.length > 0 && view.settled !== null;
  useOwnMove(view, settled && claimed ? legal[0] : null, chosen.delay && CLAIM_MS, act);
  // Who wants no waits does not want to see every trick of it, either.
  const hurried = claimed && busy && !chosen.delay;
  useEffect(() => {
    if (hurried) hurry();
  }, [hurried]);
  const { zones, plates, prompt } = layout(size, open !== null, words);
  const press = (card: string) => {
    if (chosen.confirm && picked !== card) return setPicked(card);
    setPicked(null);
    act(card);
  };

  const looks: Record<string, Look> = {};
  // While the last trick is still to be seen, nothing is said about the next.
  const following = !busy && legal.length > 0 && legal.length < view.hand.length;
  for (const card of view.hand) {
    const playable = legal.includes(card);
    looks[card] = {
      name: fullName(words, card),
      press: playable ? () => press(card) : undefined,
      raised: (following && playable) || picked === card || undefined,
      dim: following && !playable,
      lit: picked === card,
    };
  }
  for (const [, card] of view.table) looks[card] = { name: fullName(words, card) };
  for (const pile of view.piles) for (const card of pile) looks[card] ??= { name: fullName(words, card) };
  for (const [move, value] of Object.entries(hint?.values ?? {}))
    if (looks[move] || open)
      looks[move] = { ...looks[move], badge: valueText(value, hint!.unit, true), best: move === hint!.best };
  if (played) looks[played] = { ...looks[played], raised: true };

  const led = view.table.length ? words.suits[view.table[0][1][0]] : null;
  const say =
    !legal.length || busy
      ? ""
      : !led
        ? words.youLead
        : following || view.hand.every((card) => card[0] === view.table[0][1][0])
          ? words.mustFollow(led)
          : words.anyCard(led);
  return (
    <div class="gongzhu-table">
      <Stage
        deck={french}
        zones={zones}
        scene={scene}
        looks={looks}
        from={from}
        motion={motion}
        order={[
          "hand-me",
          "trick-left",
          "trick-top",
          "trick-right",
          "trick-me",
          ...sides.map((side) => `pile-${side}`),
        ]}
      >
        {[0, 1, 2, 3].map((seat) => {
          const side = sideOf(view, seat);
          return (
            <Place
              key={seat}
              box={plates[side]}
              class={`plate tall ${side === "me" || side === "top" ? "ours" : ""} ${view.to_move === seat && !busy ? "moving" : ""}`}
            >
              <b class="name">
                <SeatName name={names[seat]} />
              </b>
              {watching ? (
                <span class="chip role">{words.seats[seat]}</span>
              ) : (
                side === "top" && <span class="chip role">{words.partner}</span>
              )}
              <span class="score">{signed(view.points[seat])}</span>
            </Place>
          );
        })}
        <Place box={prompt} class="prompt aside">
          {settled && !claimed ? (
            <button type="button" class="claim" onClick={() => setClaimed(true)}>
              {words.claim(
                signed(teamPoints(view, view.settled!, true)),
                signed(teamPoints(view, view.settled!, false)),
              )}
            </button>
          ) : (
            say
          )}
        </Place>
      </Stage>
      <CueBanner cue={cue} />
    </div>
  );
}
