// The games that the page can show: those with a folder here. The code of each is loaded when a table of it is opened.

import * as found from "../generated/games";
import type { Options } from "../net/protocol";
import { settings } from "../settings";
import { words } from "../words";
import type { Front, GameModule, TableParts } from "./game";

export const fronts: Record<string, Front> = found.fronts;
const tables: Record<string, TableParts<any, any>> = found.tables;

/** The server may have games that have no page: those are played in the terminal. */
export const canShow = (game: string): boolean => Object.hasOwn(fronts, game);

/** A game's code, and its words in the language of the settings. */
export interface Loaded {
  module: GameModule;
  gameWords: unknown;
}

export async function loadGame(game: string): Promise<Loaded> {
  const parts = tables[game];
  const [{ game: module }, { words: gameWords }] = await Promise.all([
    parts.game(),
    parts.words[settings().language](),
  ]);
  return { module, gameWords };
}

/** What the seats of a game are called under its options. */
export const seatNames = (game: string, options: Options): string[] => words().games[game].seats(options);
