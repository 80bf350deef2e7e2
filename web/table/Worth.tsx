// A move's value on its button.

import type { Hint } from "../net/protocol";
import { words } from "../words";
import { valueText } from "./values";

interface WorthProps {
  move: string;
  hint: Hint | null;
  tellsBest?: boolean;
}

/** The line is there before the hint is, so that nothing moves when it comes. Its text is a new element then: one that
 * grows from its middle would begin elsewhere. */
export function Worth({ move, hint, tellsBest }: WorthProps) {
  const value = hint?.values[move];
  const best = tellsBest && hint?.best === move;
  return (
    <span key={value} class={value === undefined ? "worth none" : best ? "worth best" : "worth"}>
      {best && "✓ "}
      {value === undefined ? "\u00a0" : valueText(value, hint!.unit)}
      {best && <span class="only-read"> {words().table.best}</span>}
    </span>
  );
}
