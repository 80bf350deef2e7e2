// The log of moves, the newest first.

export function Log({ lines }: { lines: { key: string; head: string; text: string }[] }) {
  return (
    <ol class="log">
      {lines.map((line) => (
        <li key={line.key}>
          <b>{line.head}</b> {line.text}
        </li>
      ))}
    </ol>
  );
}
