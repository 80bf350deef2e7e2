// Dou Dizhu at the table.

import { allCards, french } from "../../decks/french";
import type { GameModule } from "../game";
import { moveText, Panel, Rules, Status, Summary } from "./Panels";
import { frames, scene } from "./scene";
import { Table } from "./Table";
import type { DoudizhuView } from "./view";
import type { DoudizhuWords } from "./words/en";

const loaders: Record<string, () => Promise<DoudizhuWords>> = {
  en: async () => (await import("./words/en")).en,
  ja: async () => (await import("./words/ja")).ja,
  zh: async () => (await import("./words/zh")).zh,
};

export const doudizhu: GameModule<DoudizhuView, DoudizhuWords> = {
  deck: french,
  faces: [...allCards, "B", "R"],
  loadWords: (language) => loaders[language](),
  scene,
  frames,
  Table,
  Status,
  Panel,
  moveText,
  Summary,
  Rules,
};
