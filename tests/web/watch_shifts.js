// Keeps account of layout shifts. Chrome reports those of 3 px and more; what a press caused within half a second is left out.
// So is what moves in the log when it scrolls to its newest line: Chrome takes that for a shift now and then.
// They are kept for the tab, so that those of a page that was left are known, too.
const name = (node) => [node?.parentNode?.className, node?.className || node?.nodeName].join(" > ");
const inLog = ({ node }) => node?.parentElement?.closest(".log") != null;
const keep = (entries) => {
  const shifts = JSON.parse(sessionStorage.getItem("shifts") ?? "[]");
  for (const entry of entries) {
    if (entry.hadRecentInput || (entry.sources.length > 0 && entry.sources.every(inLog))) continue;
    const moved = entry.sources.map(({ node }) => `${name(node)}: ${(node?.textContent ?? "").slice(0, 30)}`);
    shifts.push(`shift ${entry.value.toFixed(6)} of ${moved.join(", ")}`);
  }
  sessionStorage.setItem("shifts", JSON.stringify(shifts));
};
const observer = new PerformanceObserver((list) => keep(list.getEntries()));
observer.observe({ type: "layout-shift", buffered: true });
addEventListener("pagehide", () => keep(observer.takeRecords()));
window.shifts = () => {
  keep(observer.takeRecords());
  return JSON.parse(sessionStorage.getItem("shifts"));
};
