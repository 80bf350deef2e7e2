// A small celebration: petals that fall once over what was won.

const PLACES = [8, 46, 83, 21, 64, 95, 34, 72, 12, 55, 88, 28, 77, 40]; // from the left, in percent
const APART = 0.11; // seconds

export const Petals = () => (
  <div class="petals" aria-hidden="true">
    {PLACES.map((left, index) => (
      <i key={left} style={{ left: `${left}%`, animationDelay: `${(index * APART).toFixed(2)}s` }} />
    ))}
  </div>
);
