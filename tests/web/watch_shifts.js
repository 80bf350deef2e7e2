// Keeps account of layout shifts. Chrome reports those of 3 px and more; what a press caused within half a second is left out.
window.shifts = [];
const name = (node) => [node?.parentNode?.className, node?.className || node?.nodeName].join(" > ");
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const moved = entry.sources.map(({ node }) => `${name(node)}: ${(node?.textContent ?? "").slice(0, 30)}`);
    window.shifts.push(`shift ${entry.value.toFixed(6)} of ${moved.join(", ")}`);
  }
}).observe({ type: "layout-shift", buffered: true });
