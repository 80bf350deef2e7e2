// The games that the page can show, each loaded when a table of it is opened.

import type { GameModule } from "../table/game";

const loaders: Record<string, () => Promise<GameModule<never, never>>> = {
  koikoi: async () => (await import("./koikoi")).koikoi as unknown as GameModule<never, never>,
  gongzhu: async () => (await import("./gongzhu")).gongzhu as unknown as GameModule<never, never>,
  doudizhu: async () => (await import("./doudizhu")).doudizhu as unknown as GameModule<never, never>,
};

export const canShow = (game: string): boolean => game in loaders;

export async function loadGame(game: string): Promise<GameModule> {
  return (await loaders[game]()) as unknown as GameModule;
}
