// Moves that the page makes for the person, and what a tab keeps about its table when it is loaded again.

import { useEffect, useState } from "preact/hooks";
import type { View } from "../net/protocol";

/** Makes a move after a moment; also once more where it was refused. `move` null: it is for the person to decide. */
export function useOwnMove(view: View, move: string | null, moment: number, act: (move: string) => void) {
  useEffect(() => {
    if (move === null) return;
    const timer = setTimeout(() => act(move), moment);
    return () => clearTimeout(timer);
  }, [view, move]);
}

/** A state of this tab that a reload does not lose. */
export function useKept<T>(key: string, first: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => JSON.parse(sessionStorage.getItem(key) ?? "null") ?? first);
  const keep = (next: T) => {
    sessionStorage.setItem(key, JSON.stringify(next));
    setValue(next);
  };
  return [value, keep];
}
