// What a person has chosen for this browser: kept in localStorage, shared by all components.

import { useEffect, useState } from "preact/hooks";

export type Language = "en" | "ja" | "zh";
export type Theme = "auto" | "light" | "dark";

export interface Settings {
  language: Language;
  theme: Theme;
  motion: boolean;
  sound: boolean;
  speed: number; // of animations, and of what is held to be seen: 1 is normal, larger is faster
  delay: number; // least time before an agent's move, ms
  confirm: boolean;
  labels: boolean;
  fourColours: boolean;
  hints: boolean;
  hintAgent: Record<string, string>;
  sort: "high" | "low"; // which end of a hand of ranks comes first
  switches: Record<string, Record<string, boolean>>; // of games, by their names
  name: string;
  guided: Record<string, boolean>; // games whose first round was played with a guide, or without one
  rivals: Record<string, string>; // whom one played last, by game
}

const KEY = "fuda.settings";

function guessLanguage(): Language {
  for (const wanted of navigator.languages) {
    const code = wanted.slice(0, 2);
    if (code === "en" || code === "ja" || code === "zh") return code;
  }
  return "en";
}

export const NATURAL_DELAY = 800;

const quiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const defaults = (): Settings => ({
  language: guessLanguage(),
  theme: "auto",
  motion: !quiet(),
  sound: !quiet(),
  speed: 1,
  delay: NATURAL_DELAY,
  confirm: false,
  labels: false,
  fourColours: false,
  hints: false,
  hintAgent: {},
  sort: "high",
  switches: {},
  name: "",
  guided: {},
  rivals: {},
});

function load(): Settings {
  try {
    return { ...defaults(), ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return defaults();
  }
}

let current = load();
const listeners = new Set<() => void>();

export const settings = (): Settings => current;

export function change(part: Partial<Settings>): void {
  current = { ...current, ...part };
  localStorage.setItem(KEY, JSON.stringify(current));
  for (const listener of listeners) listener();
}

export function useSettings(): Settings {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((count) => count + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return current;
}

/** A game's own switches, which at first are as the game says. */
export function useSwitches<S extends string>(game: string, first: Record<S, boolean>): Record<S, boolean> {
  return { ...first, ...useSettings().switches[game] };
}

export function flip(game: string, name: string, on: boolean): void {
  const { switches } = current;
  change({ switches: { ...switches, [game]: { ...switches[game], [name]: on } } });
}

window.addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  current = load();
  for (const listener of listeners) listener();
});
