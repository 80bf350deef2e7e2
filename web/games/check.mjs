// Proves that the compiler tells what is missing in a game's folder: plants one that lacks something, in a copy of the
// source, and reads what the compiler says.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const web = new URL("..", import.meta.url).pathname;
const model = readdirSync(join(web, "games"), { withFileTypes: true }).find((entry) => entry.isDirectory());

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
  const plant = () => cpSync(join(web, "games", model.name), planted, { recursive: true });
  plant();
  const whole = compile();
  if (whole.status !== 0) throw new Error(`a whole folder does not compile:\n${whole.stdout}`);
  for (const { file, from, to, named } of cases) {
    rmSync(planted, { recursive: true });
    plant();
    const path = join(planted, file);
    if (from === null) rmSync(path);
    else {
      const text = readFileSync(path, "utf8");
      if (!from.test(text)) throw new Error(`${model.name}/${file} has no ${from}`);
      writeFileSync(path, text.replace(from, to));
    }
    const { status, stdout } = compile();
    if (status === 0 || !stdout.includes(named))
      throw new Error(`${file} without ${from ?? "itself"}: the compiler does not name ${named}:\n${stdout}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
