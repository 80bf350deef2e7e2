// A move's value on its button.

import type { Hint } from "../net/protocol";
import { words } from "../words";
import { figureText } from "./values";

interface WorthProps {
  move: string;
  hint: Hint | null;
  /** Of all but the best it tells what they give away. */
  losses?: boolean;
  tellsBest?: boolean;
}

/** The line is there before the hint is, so that nothing moves when it comes. Its text is a new element then: one that
 * grows from its middle would begin elsewhere. */
export function Worth({ move, hint, losses = false, tellsBest }: WorthProps) {
  const value = hint?.values[move];
  const best = tellsBest && hint?.best === move;
  return (
    <span key={value} class={value === undefined ? "worth none" : best ? "worth best" : "worth"}>
      {best && "✓ "}
      {value === undefined ? "\u00a0" : figureText(hint!, move, { losses })}
      {best && <span class="only-read"> {words().table.best}</span>}
    </span>
  );
}

/** Of the move that was suggested where no values are shown. */
export const AdvisedMark = () => (
  <span class="worth best">
    ✓<span class="only-read"> {words().table.best}</span>
  </span>
);
