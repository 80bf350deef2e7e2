// The guided first round: what to look at, and when.

import { kinds } from "../../decks/hanafuda";
import type { GuideStep } from "../../table/Guide";
import { pileZone } from "./scene";
import { rival, type KoikoiView } from "./view";
import type { KoikoiWords } from "./words/en";

const piles = (mine: boolean): string[] => kinds.map((what) => pileZone(mine, what));

export function guide(words: KoikoiWords, view: KoikoiView): GuideStep[] {
  const text = words.guide;
  const discarding = view.phase === "discard";
  return [
    { zones: ["hand"], text: text.hand, now: discarding },
    { zones: ["field"], text: text.field, now: discarding },
    { zones: ["stock"], text: text.stock, now: discarding },
    { zones: ["field"], text: text.pick, now: view.phase === "pick" },
    { zones: piles(true), text: text.mine, now: discarding && view.piles[view.seat].length > 0 },
    { zones: piles(false), text: text.theirs, now: discarding && view.piles[rival(view)].length > 3 },
    { zones: [], text: text.koikoi, now: view.phase === "koikoi" },
  ];
}
