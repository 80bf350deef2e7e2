// "Suggest": an agent's best move, whether or not hints are shown; each further press tells the next best.

import { useEffect, useState } from "preact/hooks";
import type { Pick, Suggest } from "../games/game";
import type { Hint } from "../net/protocol";
import { rankedMoves } from "./Hints";

const MOST = 5; // moves, before it begins again

export interface Suggestion {
  pick: Pick | null;
  /** A move of the list was chosen instead. */
  choose: (move: string) => void;
  suggest: Suggest | null;
}

/** `ask` asks the agent for the values of this position; null: there is nothing to suggest. */
export function useSuggestion(seq: number, hint: Hint | null, ask: (() => void) | null): Suggestion {
  const [pick, setPick] = useState<Pick | null>(null);
  const [asked, setAsked] = useState(-1);
  const choose = (move: string) => setPick({ seq, move });
  useEffect(() => {
    if (hint?.seq !== asked) return;
    setAsked(-1);
    choose(hint.best);
  }, [hint, asked]);
  const here = pick?.seq === seq ? pick : null;
  const suggest = () => {
    if (!hint) {
      setAsked(seq);
      return ask?.();
    }
    const ranked = rankedMoves(hint).slice(0, MOST);
    choose(ranked[((here ? ranked.indexOf(here.move) : -1) + 1) % ranked.length]);
  };
  return { pick: here, choose, suggest: ask && { ask: suggest, waiting: asked === seq } };
}
