// Dou Dizhu at the table.

import { allCards, french } from "../../decks/french";
import type { GameModule } from "../game";
import { Chart, moveText, Panel, reasonText, Rules, Status, Summary } from "./Panels";
import { guide } from "./guide";
import { frames, scene } from "./scene";
import { Table } from "./Table";
import type { DoudizhuView } from "./view";
import type { DoudizhuWords } from "./words/en";
import "./style.css";

export const game: GameModule<DoudizhuView, DoudizhuWords> = {
  deck: french,
  faces: [...allCards, "B", "R"],
  scene,
  frames,
  Table,
  Status,
  Panel,
  moveText,
  kindText: (words, kind) => words.decisions[kind] ?? kind,
  reasonText,
  picks: (move) => move !== "pass" && !move.startsWith("bid"),
  Summary,
  Rules,
  Chart,
  guide,
};
