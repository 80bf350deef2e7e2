// The guided first round: what to look at, and when.

import type { GuideStep } from "../../table/Guide";
import { sideOf, type DoudizhuView } from "./view";
import type { DoudizhuWords } from "./words/en";

const FEW = 4;

export function guide(words: DoudizhuWords, view: DoudizhuView): GuideStep[] {
  const text = words.guide;
  const playing = view.phase === "play";
  const landlord = view.landlord === view.seat;
  const leader = view.beat_seat;
  const withPartner = playing && !landlord && leader !== null && leader !== view.landlord;
  const nearlyOut = [0, 1, 2].find((seat) => seat !== view.seat && view.hand_sizes[seat] <= FEW);
  return [
    { zones: ["hand-me"], text: text.bid, now: view.phase === "bid" },
    { zones: ["bottom"], text: landlord ? text.landlord : text.peasant, now: playing },
    { zones: ["hand-me"], text: text.lead, now: playing && view.beat === null },
    { zones: ["play-left", "play-right"], text: text.follow, now: playing && view.beat !== null },
    { zones: ["play-left", "play-right"], text: text.partner, now: withPartner },
    {
      zones: nearlyOut === undefined ? [] : [`hand-${sideOf(view, nearlyOut)}`],
      text: text.nearlyOut,
      now: playing && nearlyOut !== undefined,
    },
  ];
}
