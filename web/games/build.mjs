// Finds the games: writes TypeScript into web/generated/games that imports what each folder here must have. So nobody
// keeps a list, the lobby holds no game's code, and the compiler says what is missing in a folder.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";

const here = new URL("./", import.meta.url);
const generated = new URL("../generated/games/", here);
const languages = ["en", "ja", "zh"];

const games = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

// A game's id need not be a name in TypeScript: it may have a hyphen, or be a word such as "switch".
const named = (game) => `game${games.indexOf(game)}`;
const listed = games.map((game) => `"${game}": ${named(game)}`).join(", ");

const lines = (write) => games.map(write).join("\n");

const index = `// Written by games/build.mjs.

import { tableParts, type Front } from "../../games/game";
${lines((game) => `import { front as ${named(game)} } from "../../games/${game}/front";`)}

export const fronts = { ${listed} } satisfies Record<string, Front>;

export const tables = {
${lines(
  (game) => `  "${game}": tableParts({
    game: () => import("../../games/${game}"),
    words: {
${languages.map((code) => `      ${code}: () => import("../../games/${game}/words/${code}"),`).join("\n")}
    },
  }),`,
)}
};
`;

const words = (code) => `// Written by games/build.mjs.

import type { FrontWords } from "../../games/game";
import type { fronts } from ".";
${lines((game) => `import { words as ${named(game)} } from "../../games/${game}/front/${code}";`)}

type Fronts = typeof fronts;

export const games: { [G in keyof Fronts]: FrontWords<Fronts[G]> } = { ${listed} };
`;

mkdirSync(generated, { recursive: true });
writeFileSync(new URL("index.ts", generated), index);
for (const code of languages) writeFileSync(new URL(`${code}.ts`, generated), words(code));
