// A QR code, from the rows of digits that the server sends; white as long as there are none.

const QUIET = 4; // modules around it

export function QrCode({ rows, label }: { rows: string[]; label: string }) {
  const size = (rows.length || 1) + 2 * QUIET;
  const dark = rows.flatMap((row, down) =>
    [...row].flatMap((module, right) =>
      module === "1" ? [`M${right + QUIET} ${down + QUIET}h1v1h-1z`] : [],
    ),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} />
      <path d={dark.join("")} />
    </svg>
  );
}
