// A curve with dots on it, lines across and lines up, in a frame that is as wide as its place.

const WIDTH = 320;
const HEIGHT = 120;
const PAD = 6;

type Place = [number, number]; // from 0 at the left to 1, and a level

interface CurveProps {
  kind: string; // a class
  title: string;
  figures: string[]; // the curve for those who do not see it
  points: Place[];
  range: [number, number]; // the lowest and the highest level
  across: number[];
  up?: number[];
  dots: Place[];
}

export function Curve({ kind, title, figures, points, range, across, up = [], dots }: CurveProps) {
  const [low, high] = range;
  const x = (place: number) => (PAD + place * (WIDTH - 2 * PAD)).toFixed(1);
  const y = (level: number) => (PAD + ((high - level) / (high - low)) * (HEIGHT - 2 * PAD)).toFixed(1);
  const path = points.map(([place, level], number) => `${number ? "L" : "M"}${x(place)} ${y(level)}`);
  return (
    <figure class={`curve ${kind}`}>
      <figcaption>
        <span>{title}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${figures.join(", ")}`}>
        {across.map((level) => (
          <path key={level} class="middle" d={`M${PAD} ${y(level)}H${WIDTH - PAD}`} />
        ))}
        {up.map((place) => (
          <path key={place} class="deal" d={`M${x(place)} ${PAD}V${HEIGHT - PAD}`} />
        ))}
        <path class="line" d={path.join("")} />
        {dots.map(([place, level]) => (
          <circle key={place} class="dot" cx={x(place)} cy={y(level)} r="4" />
        ))}
      </svg>
    </figure>
  );
}
