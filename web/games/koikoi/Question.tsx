// The koi-koi question: what one has, what each answer scores.

import { useEffect, useRef } from "preact/hooks";
import type { Hint } from "../../net/protocol";
import { useSettings } from "../../settings";
import { Worth } from "../../table/Worth";
import { yakuName } from "./cards";
import { sum, type KoikoiView } from "./view";
import type { KoikoiWords } from "./words/en";

interface QuestionProps {
  words: KoikoiWords;
  view: KoikoiView;
  act: (move: string) => void;
  hint: Hint | null;
}

export function Question({ words, view, act, hint }: QuestionProps) {
  const yaku = view.yaku[view.seat];
  const { hints } = useSettings();
  const worth = (move: string) => hints && <Worth move={move} hint={hint} tellsBest />;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current!.focus(), []);
  return (
    <div class="question" role="dialog" aria-label={words.theQuestion} ref={box} tabIndex={-1}>
      <h2>{words.theQuestion}</h2>
      <YakuList words={words} yaku={yaku} />
      <div class="answers">
        <button type="button" onClick={() => act("stop")}>
          <b>{words.stop}</b>
          <span>{words.stopLine(view.stakes?.stop ?? sum(yaku))}</span>
          {worth("stop")}
        </button>
        <button type="button" class="primary" onClick={() => act("koikoi")}>
          <b>{words.koikoi}</b>
          <span>{view.stakes ? words.koikoiLine(view.stakes.koikoi) : words.koikoiLineShort}</span>
          {worth("koikoi")}
        </button>
      </div>
    </div>
  );
}

export function YakuList({ words, yaku }: { words: KoikoiWords; yaku: [string, number][] }) {
  return (
    <table class="yaku">
      <tbody>
        {yaku.map(([name, points]) => (
          <tr key={name}>
            <th scope="row">{yakuName(words, name)}</th>
            <td>{points}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{words.total}</th>
          <td>{sum(yaku)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
