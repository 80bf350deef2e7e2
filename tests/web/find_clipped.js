// What reaches out of the screen, texts that are cut off without an ellipsis, and plates or buttons that lie on each other.
// Cards (.target) must be on the screen, too. They have no text that could be cut off, and lie on each other as held cards do.
() => {
  const wrong = [];
  const inner = document.querySelector("dialog[open]") ?? document.body;
  const scrolls = !document.querySelector(".table-page"); // the lobby scrolls, tables do not
  const visible = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && node.getClientRects().length > 0;
  const scroller = (node) => {
    const { overflowX, overflowY } = getComputedStyle(node);
    return /auto|scroll/.test(overflowX + overflowY);
  };
  const inScroller = (node) => {
    for (let up = node.parentElement; up; up = up.parentElement) if (scroller(up)) return true;
    return false;
  };
  const named = (node) => `${node.className || node.nodeName} ${(node.getAttribute("aria-label") ?? node.textContent).trim().slice(0, 40)}`;
  const all = [inner, ...inner.querySelectorAll("*")].filter(visible);
  const parts = all.filter((node) => node.matches("button, a.button, select, .plate, .status, .why, .cue, .question, dialog, .target"));
  for (const node of parts) {
    const box = node.getBoundingClientRect();
    const outside = box.left < -1 || box.right > innerWidth + 1 || (!scrolls && (box.top < -1 || box.bottom > innerHeight + 1));
    if (outside && !inScroller(node)) wrong.push(`outside: ${named(node)}`);
  }
  // Texts that are meant for screen readers alone are cut off on purpose.
  const hidden = (node) => getComputedStyle(node).clipPath !== "none";
  const cutting = (node) => /hidden|clip/.test(getComputedStyle(node).overflow) && node.textContent.trim() && !hidden(node);
  for (const node of all) {
    // The felt, and the lobby's pictures, cut off cards on purpose.
    if (node.matches("select, .target, .felt, .hero, .tile") || scroller(node)) continue;
    if (!parts.includes(node) && !cutting(node)) continue;
    const cut = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 3;
    if (cut && getComputedStyle(node).textOverflow !== "ellipsis") wrong.push(`clipped: ${named(node)}`);
  }
  const solid = parts.filter((node) => node.matches(".plate, .controls button, .answers button, .actions button, .menu button, .claim"));
  for (const [index, one] of solid.entries())
    for (const other of solid.slice(index + 1)) {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const apart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      if (!apart) wrong.push(`overlap: ${named(one)} and ${named(other)}`);
    }
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push("the page scrolls sideways");
  return wrong;
};
