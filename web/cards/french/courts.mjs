// The twelve court pictures, from the npm package @letele/playing-cards (Adrian Kennard's cards, CC0 1.0).
// The package is a React module; it is run here with a createElement that writes SVG, and of each card only the
// picture is kept: frame, index and pips are our own.

import { readFileSync, writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const source = new URL("../../node_modules/@letele/playing-cards/dist/index.esm.js", import.meta.url);

const attributes = {
  strokeWidth: "stroke-width",
  strokeLinecap: "stroke-linecap",
  strokeLinejoin: "stroke-linejoin",
  strokeMiterlimit: "stroke-miterlimit",
  xlinkHref: "href",
};

function element(tag, props, ...children) {
  const written = Object.entries(props ?? {})
    .filter(([name, value]) => value !== undefined && name !== "className" && name !== "xmlnsXlink")
    .map(([name, value]) => ` ${attributes[name] ?? name}="${value}"`)
    .join("");
  return `<${tag}${written}>${children.flat().filter(Boolean).join("")}</${tag}>`;
}

async function loadDeck() {
  const folder = mkdtempSync(join(tmpdir(), "fuda-cards-"));
  const file = join(folder, "deck.mjs");
  const body = readFileSync(source, "utf8").replace(/^import .*$/gm, "");
  writeFileSync(file, `const _extends = Object.assign; const React = globalThis.courtWriter;${body}`);
  globalThis.courtWriter = { createElement: element };
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true });
    delete globalThis.courtWriter;
  }
}

const deck = await loadDeck();

/**
 * The picture of a court card as SVG content in a box of 164.8 by 260.8 around the origin.
 * `colours` replaces the package's plain red, blue, yellow and black.
 */
export function courtPicture(suit, rank, pip, colours) {
  const svg = deck[suit + rank.toLowerCase()]({});
  const prefix = `${suit}-${rank}_svg__`;
  const layers = [
    ...svg.matchAll(/<use (?:transform="rotate\(180\)" )?width="164.8" height="260.8"[^>]*><\/use>/g),
  ].map(([use]) => use);
  const symbols = [
    ...svg.matchAll(/<symbol id="([^"]+)" preserveAspectRatio="none" viewBox="0 0 1300 2000">.*?<\/symbol>/g),
  ].map(([symbol]) => symbol);
  const small = svg
    .match(new RegExp(`<symbol id="${prefix}a" viewBox="-600[^>]*>.*?</symbol>`))[0]
    .replaceAll("red", pip)
    .replace("<path d", `<path fill="${pip}" d`)
    .replace(/fill="([^"]+)" d="([^"]+)" fill="[^"]+"/, 'fill="$1" d="$2"');
  const painted = symbols
    .join("")
    .replaceAll('"red"', `"${colours.red}"`)
    .replaceAll('"#44F"', `"${colours.blue}"`)
    .replaceAll('"#FC4"', `"${colours.gold}"`)
    .replaceAll("<path d=", `<path fill="${colours.ink}" d=`);
  return `<defs>${small}${painted}</defs>${layers.join("")}`.replaceAll(prefix, "");
}
