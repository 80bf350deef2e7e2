// Koi-Koi at the table.

import type { GameModule } from "../game";
import { allCards, hanafuda } from "../../decks/hanafuda";
import { log, moveText, Panel, Rules, Status, Summary } from "./Panels";
import { frames, scene } from "./scene";
import { Table } from "./Table";
import type { KoikoiView } from "./view";
import type { KoikoiWords } from "./words/en";

const loaders: Record<string, () => Promise<KoikoiWords>> = {
  en: async () => (await import("./words/en")).en,
  ja: async () => (await import("./words/ja")).ja,
  zh: async () => (await import("./words/zh")).zh,
};

export const koikoi: GameModule<KoikoiView, KoikoiWords> = {
  deck: hanafuda,
  faces: allCards,
  loadWords: (language) => loaders[language](),
  scene,
  frames,
  Table,
  Status,
  Panel,
  log,
  moveText,
  Summary,
  Rules,
};
