// What a game gives to the table: its deck, where things lie, how a move looks, and its own furniture.

import type { ComponentType } from "preact";
import type { Hint, GameEvent, Result, State, View } from "../net/protocol";
import type { Deck } from "../decks/deck";
import type { Cue, Frame, Scene } from "../table/scene";
import type { Size } from "../table/zones";

export interface TableProps<V extends View, W> {
  /** Of the table, or of the record. */
  id: string;
  words: W;
  view: V;
  /** The views of all seats where all cards are open: at the end, in replays, at tables to watch. */
  open: V[] | null;
  scene: Scene;
  from?: Record<string, string>;
  cue: Cue | null;
  busy: boolean;
  motion: number;
  size: Size;
  state: State;
  names: string[];
  /** The legal moves, where this person is to move now; else empty. */
  legal: string[];
  act: (move: string) => void;
  hint: Hint | null;
  /** Ends the animation that is running. */
  hurry: () => void;
  /** No seat here is the person's own. */
  watching: boolean;
  /** Values of moves in a replay look like a hint; this is the move that was played. */
  played?: string | null;
}

export interface PanelProps<V extends View, W> {
  words: W;
  view: V;
  names: string[];
  /** No seat here is the person's own. */
  watching: boolean;
}

export interface SummaryProps<V extends View, W> extends PanelProps<V, W> {
  state: State;
  events: GameEvent[];
  result: Result | null;
}

export interface LogLine {
  key: string;
  head: string;
  text: string;
}

export interface GameModule<V extends View = View, W = unknown> {
  deck: Deck;
  faces: readonly string[];
  loadWords(language: string): Promise<W>;
  scene(view: V, open: V[] | null): Scene;
  frames(words: W, before: V, events: GameEvent[], after: V, names: string[], open: V[] | null): Frame[];
  Table: ComponentType<TableProps<V, W>>;
  /** A line for the top bar: where the game stands. */
  Status: ComponentType<PanelProps<V, W>>;
  /** The game's own part of the side panel. */
  Panel: ComponentType<PanelProps<V, W>>;
  /** The log of moves, the newest last; without it, a line for each move. */
  log?(words: W, view: V, names: string[]): LogLine[];
  /** A move in words, for hints and replays. */
  moveText(words: W, move: string, view: V): string;
  /** Of a game whose values in points need no decimals: what the figures are. */
  wholePoints?(words: W): string;
  Summary: ComponentType<SummaryProps<V, W>>;
  Rules: ComponentType<{ words: W }>;
}
