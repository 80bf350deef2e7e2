// Gongzhu at the table.

import { allCards, french } from "../../decks/french";
import type { GameModule } from "../game";
import { log, moveText, Panel, Rules, Status, Summary } from "./Panels";
import { frames, scene } from "./scene";
import { Table } from "./Table";
import type { GongzhuView } from "./view";
import type { GongzhuWords } from "./words/en";

const loaders: Record<string, () => Promise<GongzhuWords>> = {
  en: async () => (await import("./words/en")).en,
  ja: async () => (await import("./words/ja")).ja,
  zh: async () => (await import("./words/zh")).zh,
};

export const gongzhu: GameModule<GongzhuView, GongzhuWords> = {
  deck: french,
  faces: allCards,
  loadWords: (language) => loaders[language](),
  scene,
  frames,
  Table,
  Status,
  Panel,
  log,
  moveText,
  wholePoints: (words) => words.unit,
  Summary,
  Rules,
};
