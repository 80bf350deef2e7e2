// The Gongzhu table: plates with the points of each seat, and the claim of the rest.

import { useEffect } from "preact/hooks";
import { cardName, sign } from "../../decks/french";
import { useSettings } from "../../settings";
import { useKept, useOwnMove } from "../../table/byItself";
import { signed, valueText } from "../../table/values";
import { TrickTable } from "../../tricks/TrickTable";
import type { TableProps } from "../game";
import { moveText } from "./Panels";
import { heldShown, teamPoints, type GongzhuView } from "./view";
import type { GongzhuWords } from "./words/en";

const OWN_MOVE_MS = 150;
const NO_SHOW = "noshow";

export function Table(props: TableProps<GongzhuView, GongzhuWords>) {
  const { id, words, view, told, busy, legal, act, hurry, watching, pick } = props;
  const { delay } = useSettings();
  // Once the points are settled the rest may be played without the person: any card will do.
  const [claimed, setClaimed] = useKept(`fuda.claim.${id}`, false);
  const settled = legal.length > 0 && view.settled !== null;
  // Who has nothing to show need not say so.
  const nothingToShow = legal.length === 1 && legal[0] === NO_SHOW;
  useOwnMove(view, (settled && claimed) || nothingToShow ? legal[0] : null, delay && OWN_MOVE_MS, act);
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
          {heldShown(view, seat).map((card) => (
            <span key={card} class="chip shown">
              {sign(card)} <span class="only-read">{words.isShown}</span>
            </span>
          ))}
          <span class="score">{signed(told.points[seat])}</span>
        </>
      )}
      instead={
        view.phase === "show" && legal.length > 1 && !busy ? (
          <span class="shows">
            {[...legal.filter((move) => move !== NO_SHOW), NO_SHOW].map((move) => (
              <button
                key={move}
                type="button"
                class={pick?.move === move ? "advised" : ""}
                data-does="show"
                onClick={() => act(move)}
              >
                {moveText(words, move)}
              </button>
            ))}
          </span>
        ) : (
          settled &&
          !claimed && (
            <button type="button" class="claim" onClick={() => setClaimed(true)}>
              {words.claim(
                signed(teamPoints(view, view.settled!, true)),
                signed(teamPoints(view, view.settled!, false)),
              )}
            </button>
          )
        )
      }
    />
  );
}
