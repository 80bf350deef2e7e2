// The button that asks for the best move, and how an answer is told.

import type { Suggest } from "../games/game";
import { words } from "../words";
import { Place } from "./Place";
import type { Box } from "./zones";

/** It keeps its place while there is nothing to suggest. */
export function SuggestButton({ box, suggest }: { box: Box; suggest: Suggest | null }) {
  return (
    <Place box={box} class="advice">
      <button
        type="button"
        class={suggest ? "" : "absent"}
        aria-busy={suggest?.waiting}
        data-does="suggest"
        onClick={() => suggest?.ask()}
      >
        {words().table.suggest}
      </button>
    </Place>
  );
}

/** Why the move that was suggested, which is to be seen; where nothing is known, which one it is. */
export const adviceText = (move: string, why: string): string => why || words().table.suggested(move);
