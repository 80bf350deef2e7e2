// Writes all cards as SVG files into web/generated, where the page takes them from.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { files as french } from "./french/cards.mjs";
import { back, card, pictures } from "./hanafuda/cards.mjs";

const generated = new URL("../generated/", import.meta.url);

function write(folder, files) {
  const place = new URL(`${folder}/`, generated);
  mkdirSync(place, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(new URL(`${name}.svg`, place), content);
}

rmSync(generated, { recursive: true, force: true });
write("hanafuda", {
  back: back(),
  ...Object.fromEntries(Object.keys(pictures).map((name) => [name, card(name)])),
});
write("french", french());
