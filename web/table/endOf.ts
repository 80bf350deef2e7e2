// How a game ended for a seat, by how much each seat's side won.

/** Of more than two sides those that do not win have a place; equal margins share one. */
export function endOf(margins: number[], seat: number): "won" | "lost" | "drawn" | number {
  const places = [...new Set(margins)].sort((a, b) => b - a);
  const place = places.indexOf(margins[seat]);
  if (places.length < 2) return "drawn";
  if (place === 0) return "won";
  return places.length === 2 ? "lost" : place + 1;
}
