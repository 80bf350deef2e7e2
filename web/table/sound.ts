// Whether there are sounds, and how to make one. Their code is fetched with the first.

import { settings } from "../settings";
import type { Sound } from "./sounds";

export type { Sound };

export function sound(which: Sound | undefined): void {
  if (!which || !settings().sound || document.hidden) return;
  void import("./sounds").then(({ make }) => make(which));
}
