// What reaches out of the screen, texts that are cut off without an ellipsis, and plates or buttons that lie on each other.
() => {
  const wrong = [];
  const inner = document.querySelector("dialog[open]") ?? document.body;
  const scrolls = !document.querySelector(".table-page"); // the lobby scrolls, tables do not
  const visible = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && node.getClientRects().length > 0;
  const inScroller = (node) => {
    for (let up = node.parentElement; up; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      if (/auto|scroll/.test(overflowX + overflowY)) return true;
    }
    return false;
  };
  const named = (node) => (node.getAttribute("aria-label") ?? node.textContent).trim().slice(0, 40);
  const parts = [...inner.querySelectorAll("button:not(.target), a.button, select, .plate, .status, .why, .cue")].filter(visible);
  for (const node of parts) {
    const box = node.getBoundingClientRect();
    const outside = box.left < -1 || box.right > innerWidth + 1 || (!scrolls && (box.top < -1 || box.bottom > innerHeight + 1));
    if (outside && !inScroller(node)) wrong.push(`outside: ${named(node)}`);
    const cut = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 3;
    if (cut && !node.matches("select") && getComputedStyle(node).textOverflow !== "ellipsis") wrong.push(`clipped: ${named(node)}`);
  }
  const solid = parts.filter((node) => node.matches(".plate, .controls button") && !inScroller(node));
  for (const [index, one] of solid.entries())
    for (const other of solid.slice(index + 1)) {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const apart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      if (!apart) wrong.push(`overlap: ${named(one)} and ${named(other)}`);
    }
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push("the page scrolls sideways");
  return wrong;
};
