// The Gongzhu table: plates with the points of each seat, and the claim of the rest.

import { useEffect } from "preact/hooks";
import { cardName } from "../../decks/french";
import { useSettings } from "../../settings";
import { useKept, useOwnMove } from "../../table/byItself";
import { signed, valueText } from "../../table/values";
import { TrickTable } from "../../tricks/TrickTable";
import type { TableProps } from "../game";
import { teamPoints, type GongzhuView } from "./view";
import type { GongzhuWords } from "./words/en";

const CLAIM_MS = 150;

export function Table(props: TableProps<GongzhuView, GongzhuWords>) {
  const { id, words, view, busy, legal, act, hurry, watching } = props;
  const { delay } = useSettings();
  // Once the points are settled the rest may be played without the person: any card will do.
  const [claimed, setClaimed] = useKept(`fuda.claim.${id}`, false);
  const settled = legal.length > 0 && view.settled !== null;
  useOwnMove(view, settled && claimed ? legal[0] : null, delay && CLAIM_MS, act);
  // Who wants no waits does not want to see every trick of it, either.
  const hurried = claimed && busy && !delay;
  useEffect(() => {
    if (hurried) hurry();
  }, [hurried]);
  return (
    <TrickTable
      table={props}
      nameOf={(card) => (words.special[card] ? `${cardName(card)}, ${words.special[card]}` : cardName(card))}
      badge={(value, unit) => valueText(value, unit, true)}
      pileLabel={words.taken}
      isOurs={(side) => side === "me" || side === "top"}
      plate={(seat, side) => (
        <>
          {watching ? (
            <span class="chip role">{words.seats[seat]}</span>
          ) : (
            side === "top" && <span class="chip role">{words.partner}</span>
          )}
          <span class="score">{signed(view.points[seat])}</span>
        </>
      )}
      instead={
        settled &&
        !claimed && (
          <button type="button" class="claim" onClick={() => setClaimed(true)}>
            {words.claim(
              signed(teamPoints(view, view.settled!, true)),
              signed(teamPoints(view, view.settled!, false)),
            )}
          </button>
        )
      }
    />
  );
}
