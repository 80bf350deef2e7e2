// The moves of a position with their values, the best first, where one looks back at it.

import type { Hint } from "../net/protocol";
import { words } from "../words";
import { rankedMoves, type figureStyle } from "./Hints";
import { figureText } from "./values";

const SHOWN = 10; // values at the most

interface ValueListProps {
  hint: Hint | null;
  played?: string | null; // it is marked
  style: ReturnType<typeof figureStyle>;
  moveText: (move: string) => string;
}

export function ValueList({ hint, played, style, moveText }: ValueListProps) {
  return (
    <ol class="values" tabIndex={0}>
      {(hint ? rankedMoves(hint) : []).slice(0, SHOWN).map((move) => (
        <li key={move} class={move === hint!.best ? "best" : ""}>
          <span>{moveText(move)}</span>
          <span class="figure">{figureText(hint!, move, style)}</span>
          {move === played && <span class="mark">{words().replay.played}</span>}
        </li>
      ))}
    </ol>
  );
}
