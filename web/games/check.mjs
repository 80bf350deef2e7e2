// Proves that the compiler tells what is missing in a game's folder: plants one that lacks something, in a copy of the
// source, and reads what the compiler says.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const web = new URL("..", import.meta.url).pathname;
/** What is taken away from a whole folder (`from` null: the file), and what the compiler must name. */
const cases = [
  { file: "index.ts", from: null, named: "games/planted'" },
  { file: "index.ts", from: /export const game\b/, to: "export const other", named: "'game'" },
  { file: "index.ts", from: /\n  moveText,/, to: "", named: "'moveText'" },
  { file: "front/index.ts", from: null, named: "games/planted/front'" },
  { file: "front/index.ts", from: /\n  native: .*/, to: "", named: "'native'" },
  { file: "front/ja.ts", from: null, named: "games/planted/front/ja'" },
  { file: "front/zh.ts", from: /\n  title: .*/, to: "", named: "'title'" },
  { file: "words/zh.ts", from: null, named: "games/planted/words/zh'" },
  { file: "words/ja.ts", from: /\n  hand: .*/, to: "", named: "'hand'" },
];

// The model is the first game whose folder has all of it.
const fits = (game, { file, from }) => {
  const path = join(web, "games", game, file);
  return existsSync(path) && (from === null || from.test(readFileSync(path, "utf8")));
};
const model = readdirSync(join(web, "games"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()
  .find((game) => cases.every((each) => fits(game, each)));
if (!model) throw new Error("no game's folder has all that is to be taken away: change the cases");

const copy = mkdtempSync(join(tmpdir(), "fuda-web-"));
const planted = join(copy, "games/planted");
const run = (...words) => spawnSync(process.execPath, words, { cwd: copy, encoding: "utf8" });

try {
  cpSync(web, copy, {
    recursive: true,
    filter: (path) => !/\/(node_modules|shots)$/.test(path),
  });
  symlinkSync(join(web, "node_modules"), join(copy, "node_modules"));
  const compile = () => {
    run("games/build.mjs");
    return run("node_modules/typescript/bin/tsc", "--noEmit");
  };
  const plant = () => cpSync(join(web, "games", model), planted, { recursive: true });
  plant();
  const whole = compile();
  if (whole.status !== 0) throw new Error(`a whole folder does not compile:\n${whole.stdout}`);
  for (const { file, from, to, named } of cases) {
    rmSync(planted, { recursive: true });
    plant();
    const path = join(planted, file);
    if (from === null) rmSync(path);
    else writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    const { status, stdout } = compile();
    if (status === 0 || !stdout.includes(named))
      throw new Error(`${file} without ${from ?? "itself"}: the compiler does not name ${named}:\n${stdout}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
