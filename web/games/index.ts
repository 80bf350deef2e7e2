// The games that the page can show, each loaded when a table of it is opened.

import type { GameModule } from "../table/game";

// A table handles views and words of any game without looking into them.
type AnyGame = GameModule<any, any>;

const loaders: Record<string, () => Promise<AnyGame>> = {
  koikoi: async () => (await import("./koikoi")).koikoi,
  doudizhu: async () => (await import("./doudizhu")).doudizhu,
  gongzhu: async () => (await import("./gongzhu")).gongzhu,
};

/** In the order in which the lobby shows them. */
export const shownGames = Object.keys(loaders);

export const canShow = (game: string): boolean => game in loaders;

export const loadGame = (game: string): Promise<AnyGame> => loaders[game]();
