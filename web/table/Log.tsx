// The log of moves, the newest last and in sight.

import { useLayoutEffect, useRef } from "preact/hooks";

export function Log({ lines }: { lines: { key: string; head: string; text: string }[] }) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    list.current!.scrollTop = list.current!.scrollHeight;
  }, [lines.length]);
  return (
    <ol class="log" ref={list} tabIndex={0}>
      {lines.map((line) => (
        <li key={line.key}>
          <b>{line.head}</b> {line.text}
        </li>
      ))}
    </ol>
  );
}
