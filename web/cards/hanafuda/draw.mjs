// Small helpers that write SVG. A symbol is drawn once and placed many times; a file carries only what it uses.

const symbols = new Map();

/** Defines a drawing around its own origin, to be placed by `use`. */
export function symbol(name, content) {
  symbols.set(name, content);
}

export const place = (x, y, { turn = 0, scale = 1, flip = false } = {}) => {
  const parts = [`translate(${round(x)} ${round(y)})`];
  if (turn) parts.push(`rotate(${round(turn)})`);
  if (flip) parts.push(`scale(${round(-scale)} ${round(scale)})`);
  else if (scale !== 1) parts.push(`scale(${round(scale)})`);
  return parts.join(" ");
};

export const use = (name, x, y, how = {}) => {
  if (!symbols.has(name)) throw new Error(`no symbol ${name}`);
  return `<use href="#${name}" transform="${place(x, y, how)}"/>`;
};

export const group = (content, x, y, how = {}) => `<g transform="${place(x, y, how)}">${content}</g>`;

export const fill = (d, colour) => `<path d="${d}" fill="${colour}"/>`;

export const line = (d, colour, width) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

/** A filled shape with an outline that sets it apart from what lies behind. */
export const shape = (d, colour, edge, width) =>
  `<path d="${d}" fill="${colour}" stroke="${edge}" stroke-width="${width}" stroke-linejoin="round"/>`;

export const circle = (x, y, r, colour) =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${r}" fill="${colour}"/>`;

export const ellipse = (x, y, rx, ry, colour, turn = 0) =>
  `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${rx}" ry="${ry}" fill="${colour}"` +
  (turn ? ` transform="rotate(${round(turn)} ${round(x)} ${round(y)})"/>` : "/>");

export const round = (value) => Math.round(value * 100) / 100;

/** The point at an angle in degrees (0 is right, 90 is down). */
export const polar = (angle, radius) => [
  round(radius * Math.cos((angle * Math.PI) / 180)),
  round(radius * Math.sin((angle * Math.PI) / 180)),
];

export const range = (count) => Array.from({ length: count }, (_, index) => index);

/** A whole SVG file: the content, with the symbols that it uses, directly or through others. */
export function file(width, height, content) {
  const needed = new Map();
  const collect = (text) => {
    for (const [, name] of text.matchAll(/href="#([\w-]+)"/g)) {
      if (needed.has(name)) continue;
      needed.set(name, symbols.get(name));
      collect(symbols.get(name));
    }
  };
  collect(content);
  const defs = [...needed].map(([name, drawing]) => `<g id="${name}">${drawing}</g>`).join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<defs>${defs}<clipPath id="inside"><rect x="4" y="4" width="92" height="156" rx="4"/></clipPath></defs>${content}</svg>\n`
  );
}
