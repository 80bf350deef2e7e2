// Contact sheets of the 48 cards at 60, 100 and 200 px width: as they are, in grey, and as seen with red-green
// blindness (deuteranopia). A shuffled sheet without labels is for readers who are asked to name the cards.
//   node cards/sheets.mjs [folder]      default: shots/cards

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { pictures } from "./hanafuda/cards.mjs";

const folder = process.argv[2] ?? new URL("../shots/cards", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });

// Brettel/Viénot's matrix for deuteranopia, applied in linear light.
const deuteranopia =
  "0.29275 0.70725 -0.02234 0 0  0.29275 0.70725 -0.02234 0 0  -0.02234 0.02234 1 0 0  0 0 0 1 0";
const filters = `<svg width="0" height="0"><filter id="deutan" color-interpolation-filters="linearRGB"><feColorMatrix values="${deuteranopia}"/></filter></svg>`;
const looks = { plain: "none", grey: "grayscale(1)", deutan: "url(#deutan)" };

const data = (name) =>
  "data:image/svg+xml;base64," +
  readFileSync(new URL(`../generated/hanafuda/${name}.svg`, import.meta.url)).toString("base64");

const sheet = (names, width, look, columns) =>
  `<body style="margin:8px;background:#3f6b5c">${filters}<div style="filter:${look};display:grid;grid-template-columns:repeat(${columns},${width}px);gap:8px">` +
  names.map((name) => `<img src="${data(name)}" width="${width}">`).join("") +
  "</div></body>";

/** A fixed shuffle: the same order each time, unlike the order of the cards. */
function shuffled(names) {
  let seed = 20240607;
  const order = [...names];
  for (let last = order.length - 1; last > 0; last--) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const other = seed % (last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
async function shoot(file, html) {
  await page.setContent(html);
  await page
    .locator("div")
    .first()
    .screenshot({ path: `${folder}/${file}.png` });
}
const names = Object.keys(pictures);
for (const width of [60, 100, 200])
  for (const [look, filter] of Object.entries(looks)) {
    await page.setViewportSize({ width: (width + 8) * 12 + 20, height: 400 });
    await shoot(`${width}-${look}`, sheet(names, width, filter, 12));
  }
const order = shuffled(names);
await page.setViewportSize({ width: 68 * 12 + 20, height: 400 });
await shoot("60-shuffled", sheet(order, 60, "none", 12));
writeFileSync(`${folder}/60-shuffled.json`, JSON.stringify(order));
await browser.close();
console.log(folder);
