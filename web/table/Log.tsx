// The log of moves, the newest last and in sight.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { GameModule, LogLine } from "../games/game";
import type { View } from "../net/protocol";
import { words as pageWords } from "../words";

/** A move in words; `null` is one that the seat does not know. */
export const moveText = <V extends View, W>(
  game: GameModule<V, W>,
  words: W,
  move: string | null,
  view: V,
): string => (move === null ? pageWords().table.hiddenMove : game.moveText(words, move, view));

/** A line for each move, for games that do not tell it otherwise. */
const everyMove = <V extends View, W>(
  game: GameModule<V, W>,
  words: W,
  view: V,
  names: string[],
): LogLine[] =>
  view.history.map(([seat, move], index) => ({
    key: String(index),
    head: names[seat],
    text: moveText(game, words, move, view),
  }));

interface LogProps {
  game: GameModule;
  words: unknown;
  view: View;
  names: string[];
}

export function Log({ game, words, view, names }: LogProps) {
  const lines = game.log?.(words, view, names) ?? everyMove(game, words, view, names);
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
