// What a game brings to the page. The build finds each folder of games/ by itself (games/build.mjs), and TypeScript
// says what is missing in one. docs/page.md lists the files.

import type { ComponentType } from "preact";
import type { Deck, DeckName } from "../decks/deck";
import type { GameEvent, Hint, Options, Reason, Result, State, Unit, View } from "../net/protocol";
import type { Language } from "../settings";
import type { GuideStep } from "../table/Guide";
import type { Cue, Frame, Scene } from "../table/scene";
import type { Size } from "../table/zones";

/** `front/index.ts` exports one as `front`: what the lobby shows of a game before its code is loaded. */
export interface Front {
  /** Its name where it comes from, shown beside a title that is another, and the language of that name. */
  native: string;
  lang: string;
  /** Of which deck `art` is. */
  deck: DeckName;
  /** Four or five cards, as addresses of pictures. */
  art: readonly [string, string, string, string, string?];
  /** A result in figures, that of a seat or its side first. */
  result(scores: number[], seat: number): string;
  /** The agents of the levels, from the one for beginners up, by their names without the game's. */
  levels: readonly string[];
  /** Agents that are there for measuring: no player's list has them. */
  unlisted?: readonly string[];
  /** Switches that the settings have for this game alone, and whether each is on at first. */
  switches?: Record<string, boolean>;
}

/** What an agent is called, and a line about it. */
export interface AgentWords {
  title: string;
  line: string;
}

/** A rule option: what it is called, and its values where they are no plain numbers. */
export interface OptionWords {
  title: string;
  values?: Record<string, string>;
}

/** Rules that players know by a name, and a line about them. */
export interface PresetWords {
  title: string;
  line: string;
}

/** The lobby's words about a game. */
export interface LobbyWords {
  title: string;
  /** What it is about. */
  line: string;
  /** For how many, and how long it takes. */
  players: string;
  /** What the seats are called under these options. */
  seats(options: Options): string[];
  /** By the names that the rules give them. */
  options: Record<string, OptionWords>;
  /** By their ids. The server tells those that are not here, in English. */
  presets?: Record<string, PresetWords>;
  /** By their names without the game's. The server tells those that are not here, in English. */
  agents: Record<string, AgentWords>;
  /** What the game's switches are called in the settings. */
  switches?: Record<string, string>;
}

/** `front/en.ts`, `ja.ts` and `zh.ts` each export them as `words`; `F` is the type of the front, if that has switches. */
export type FrontWords<F extends Front = Front> = LobbyWords &
  (F extends { switches: infer S } ? { switches: Record<keyof S & string, string> } : unknown);

/** A move that was suggested, or chosen in the list of hints: its cards are raised, so that they can be played. */
export interface Pick {
  seq: number;
  move: string;
}

/** Asks for the best move, and then for the next best. */
export interface Suggest {
  ask: () => void;
  /** An answer is awaited. */
  waiting: boolean;
}

export interface TableProps<V extends View, W> {
  /** Of the table, or of the record. */
  id: string;
  words: W;
  view: V;
  /** The view whose figures are told: while a move is animated, the one before it. */
  told: V;
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
  /** A new object each time that a move is suggested, or chosen in the list of hints. */
  pick: Pick | null;
  /** Null: there is nothing to suggest now. */
  suggest: Suggest | null;
  /** Why a move may be right or wrong, "" if nothing is known. */
  reason: (move: string) => string;
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

/** `index.ts` exports one as `game`: the game at the table. It also imports the game's `style.css`, if it has one.
 *
 * `V` is a seat's view with the game's own keys, `W` the words of `words/en.ts`, `ja.ts` and `zh.ts`, which each
 * export them as `words`. */
export interface GameModule<V extends View = View, W = unknown> {
  deck: Deck;
  /** The cards that there are, so that their pictures are fetched before they are needed. */
  faces: readonly string[];
  /** Which card lies where. */
  scene(view: V, open: V[] | null): Scene;
  /** How a move looks: the last frame is the scene of the view after it. */
  frames(words: W, before: V, events: GameEvent[], after: V, names: string[], open: V[] | null): Frame[];
  Table: ComponentType<TableProps<V, W>>;
  /** A line for the top bar: where the game stands. Of two texts, `long` and `brief` by class, phones show the second. */
  Status: ComponentType<PanelProps<V, W>>;
  /** The game's own part of the side panel. */
  Panel: ComponentType<PanelProps<V, W>>;
  /** A move in words, for hints, replays and the log. */
  moveText(words: W, move: string, view: V): string;
  /** What a kind of decisions is called, where a review tells what each cost. */
  kindText(words: W, kind: string): string;
  /** The log of moves, the newest last; without it, a line for each move. */
  log?(words: W, view: V, names: string[]): LogLine[];
  /** Of a game whose values in points need no decimals: what the figures are. */
  wholePoints?(words: W): string;
  /** Of a game whose hints tell what moves give away against the best: what the figures are, by unit. */
  losses?(words: W): Partial<Record<Unit, string>>;
  /** Why a move may be right or wrong, in a few words; the types are those of the game's reasons.py. */
  reasonText?(words: W, reason: Reason, view: V, names: string[]): string;
  /** Whether a move is one of cards that can be raised; without it, nothing can be chosen in the list of hints. */
  picks?(move: string): boolean;
  /** Whether nothing can change the result any more: then there are no hints. */
  settled?(view: V): boolean;
  /** How a round or the game ended. */
  Summary: ComponentType<SummaryProps<V, W>>;
  /** How to play: mostly a `RulesSheet`; under these options, or by default. */
  Rules: ComponentType<{ words: W; options: Options }>;
  /** What one looks up while playing: combinations, values, the cards that there are. */
  Chart: ComponentType<{ words: W; options: Options }>;
  /** What a newcomer is told in the first round, in this order: each once, at the first own turn that it fits. */
  guide(words: W, view: V): GuideStep[];
}

/** How to load what a table of a game needs. */
export interface TableParts<V extends View, W> {
  game: () => Promise<{ game: GameModule<V, W> }>;
  words: Record<Language, () => Promise<{ words: NoInfer<W> }>>;
}

/** Checks that a game's code and its words in all languages fit; a table then handles them without looking into them. */
export const tableParts = <V extends View, W>(parts: TableParts<V, W>): TableParts<any, any> => parts;
