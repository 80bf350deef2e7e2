// Writes the cards as SVG files into web/generated, where the page takes them from.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { back, card, pictures } from "./hanafuda/cards.mjs";

const folder = new URL("../generated/hanafuda/", import.meta.url);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of Object.keys(pictures)) writeFileSync(new URL(`${name}.svg`, folder), card(name));
writeFileSync(new URL("back.svg", folder), back());
