// Koi-Koi at the table.

import type { GameModule } from "../game";
import { allCards, hanafuda } from "../../decks/hanafuda";
import { log, moveText, Panel, reasonText, Rules, Status, Summary } from "./Panels";
import { Chart } from "./Chart";
import { guide } from "./guide";
import { frames, scene } from "./scene";
import { Table } from "./Table";
import type { KoikoiView } from "./view";
import type { KoikoiWords } from "./words/en";
import "./style.css";

export const game: GameModule<KoikoiView, KoikoiWords> = {
  deck: hanafuda,
  faces: allCards,
  scene,
  frames,
  Table,
  Status,
  Panel,
  log,
  moveText,
  kindText: (words, kind) => words.decisions[kind] ?? kind,
  losses: (words) => words.losses,
  reasonText,
  picks: (move) => move !== "koikoi" && move !== "stop",
  Summary,
  Rules,
  Chart,
  guide,
};
