// How much time is left for a decision, at a table with a clock. On each plate it has its room before it runs.

import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { words } from "../words";

/** The clock of a table, for its plates; null: it has none. */
export const TableClock = createContext<{
  seconds: number; // for each decision
  seat: number | null; // whose time it is; null: that of all, between two rounds
  ends: number | null; // by performance.now(); null: nobody's time runs
} | null>(null);

const SOON = 10; // seconds

const text = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Whole seconds until then, counted down. */
function useSecondsTo(ends: number | null): number {
  const [, tick] = useState(0);
  const left = ends === null ? 0 : Math.max(0, ends - performance.now());
  useEffect(() => {
    if (!left) return;
    const timer = setTimeout(() => tick((count) => count + 1), left % 1000 || 1000);
    return () => clearTimeout(timer);
  });
  return Math.ceil(left / 1000);
}

export function TimeLeft({ seat }: { seat: number | null }) {
  const clock = useContext(TableClock);
  const ends = clock?.seat === seat ? clock.ends : null;
  const left = useSecondsTo(ends);
  if (!clock) return null;
  const flags = ["time-left", ends === null && "absent", left <= SOON && "soon"].filter(Boolean);
  return (
    <span class={flags.join(" ")} role="timer" aria-label={words().table.timeLeft}>
      {text(ends === null ? clock.seconds : left)}
    </span>
  );
}
