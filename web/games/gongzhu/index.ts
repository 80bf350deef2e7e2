// Gongzhu at the table.

import { allCards, french } from "../../decks/french";
import type { GameModule } from "../game";
import { Chart, log, moveText, Panel, reasonText, Rules, Status, Summary } from "./Panels";
import { guide } from "./guide";
import { frames, scene } from "./scene";
import { Table } from "./Table";
import type { GongzhuView } from "./view";
import type { GongzhuWords } from "./words/en";
import "./style.css";

export const game: GameModule<GongzhuView, GongzhuWords> = {
  deck: french,
  faces: allCards,
  scene,
  frames,
  Table,
  Status,
  Panel,
  log,
  moveText,
  kindText: (words, kind) => words.decisions[kind] ?? kind,
  reasonText,
  picks: () => true,
  settled: (view) => view.settled !== null,
  wholePoints: (words) => words.unit,
  Summary,
  Rules,
  Chart,
  guide,
};
