// The games that the page can show. The code of each is loaded when a table of it is opened.

import type { OptionValue } from "../net/protocol";
import type { GameModule } from "./game";
import { words } from "../words";
import { front as doudizhu } from "./doudizhu/front";
import type { Front } from "./front";
import { front as gongzhu } from "./gongzhu/front";
import { front as koikoi } from "./koikoi/front";

// A table handles views and words of any game without looking into them.
type AnyGame = GameModule<any, any>;

/** In the order in which the lobby shows them. */
export const fronts: Record<string, Front> = { koikoi, doudizhu, gongzhu };

const loaders: Record<string, () => Promise<AnyGame>> = {
  koikoi: async () => (await import("./koikoi")).koikoi,
  doudizhu: async () => (await import("./doudizhu")).doudizhu,
  gongzhu: async () => (await import("./gongzhu")).gongzhu,
};

export const shownGames = Object.keys(fronts);

export const canShow = (game: string): boolean => game in fronts;

export const loadGame = (game: string): Promise<AnyGame> => loaders[game]();

/** What the seats of a game are called under its options. */
export const seatNames = (game: string, options: Record<string, OptionValue>): string[] =>
  words().seatNames[fronts[game].seatNames(options)];
