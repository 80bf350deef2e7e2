// The guided first round: what to look at, and when.

import type { GuideStep } from "../../table/Guide";
import type { GongzhuView } from "./view";
import type { GongzhuWords } from "./words/en";

const TRICK = ["trick-left", "trick-top", "trick-right"];

export function guide(words: GongzhuWords, view: GongzhuView): GuideStep[] {
  const text = words.guide;
  const led = view.table[0]?.[1][0];
  const playing = view.phase === "play";
  const follows = playing && led !== undefined;
  const hasSuit = view.hand.some((card) => card[0] === led);
  return [
    { zones: ["hand-me"], text: text.show, now: view.phase === "show" },
    { zones: ["hand-me"], text: text.lead, now: playing && led === undefined },
    { zones: TRICK, text: text.follow, now: follows && hasSuit },
    { zones: TRICK, text: text.duck, now: follows && hasSuit },
    { zones: ["hand-me"], text: text.discard, now: follows && !hasSuit },
    { zones: ["hand-top"], text: text.partner, now: playing && view.tricks.length > 1 },
    { zones: ["pile-left", "pile-right"], text: text.piles, now: playing && view.tricks.length > 2 },
  ];
}
