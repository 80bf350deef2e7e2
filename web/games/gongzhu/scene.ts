// Where the cards lie, and how a move looks.

import type { GameEvent } from "../../net/protocol";
import type { Frame, Scene } from "../../table/scene";
import { trickFrames, trickScene } from "../../tricks/scene";
import { counts, type GongzhuView } from "./view";
import type { GongzhuWords } from "./words/en";

export const scene = (view: GongzhuView, open: GongzhuView[] | null): Scene => trickScene(view, open, counts);

export const frames = (
  _: GongzhuWords,
  before: GongzhuView,
  events: GameEvent[],
  after: GongzhuView,
  _names: string[],
  open: GongzhuView[] | null,
): Frame[] => trickFrames(scene, before, events, after, open);
