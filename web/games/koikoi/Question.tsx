// The koi-koi question: what one has, what each answer scores. Neither answer is put forward; with a hand that wins
// at once there is one answer.

import { useEffect, useRef } from "preact/hooks";
import { hanafuda } from "../../decks/hanafuda";
import type { Hint } from "../../net/protocol";
import { useSettings } from "../../settings";
import { Fan } from "../../table/Fan";
import { Place } from "../../table/Place";
import { AdvisedMark, Worth } from "../../table/Worth";
import type { Box } from "../../table/zones";
import { cardsOf, yakuName } from "./cards";
import { sum, type KoikoiView } from "./view";
import type { KoikoiWords } from "./words/en";

interface QuestionProps {
  words: KoikoiWords;
  view: KoikoiView;
  box: Box;
  act: (move: string) => void;
  hint: Hint | null;
  /** The answer that was suggested. */
  advised: string | null;
  reason: (move: string) => string;
}

export function Question({ words, view, box, ...answers }: QuestionProps) {
  const yaku = view.yaku[view.seat];
  const asked = useRef<HTMLDivElement>(null);
  useEffect(() => asked.current!.focus(), []);
  const wins = view.phase === "hand yaku";
  const title = wins ? words.handYaku : words.theQuestion;
  return (
    <Place box={box} class="question-place">
      <div class="question" role="group" aria-label={title} ref={asked} tabIndex={-1}>
        <p class="made">
          <b>{title}</b>
          {yaku.map(([name, points]) => (
            <span key={name}>
              {yakuName(words, name)} {points}
            </span>
          ))}
        </p>
        <div class="answers">
          {wins ? (
            <button type="button" onClick={() => answers.act("stop")}>
              <b>{words.take(sum(yaku))}</b>
            </button>
          ) : (
            <Answers words={words} view={view} {...answers} />
          )}
        </div>
      </div>
    </Place>
  );
}

function Answers({ words, view, act, hint, advised, reason }: Omit<QuestionProps, "box">) {
  const { hints } = useSettings();
  const worth = (move: string) =>
    hints ? <Worth move={move} hint={hint} losses tellsBest /> : advised === move && <AdvisedMark />;
  const line = (move: string, usual: string) => (advised === move && reason(move)) || usual;
  return (
    <>
      <button type="button" onClick={() => act("stop")}>
        <b>{words.stop}</b>
        <span>{line("stop", words.stopLine(view.stakes?.stop ?? sum(view.yaku[view.seat])))}</span>
        {worth("stop")}
      </button>
      <button type="button" onClick={() => act("koikoi")}>
        <b>{words.koikoi}</b>
        <span>
          {line("koikoi", view.stakes ? words.koikoiLine(view.stakes.koikoi) : words.koikoiLineShort)}
        </span>
        {worth("koikoi")}
      </button>
    </>
  );
}

/** What was made, each with its cards from the pile. */
export function YakuList({
  words,
  yaku,
  pile,
}: {
  words: KoikoiWords;
  yaku: [string, number][];
  pile: string[];
}) {
  return (
    <table class="yaku">
      <tbody>
        {yaku.map(([name, points]) => (
          <tr key={name}>
            <th scope="row">
              {yakuName(words, name)}
              <Fan deck={hanafuda} cards={cardsOf(words, name, pile)} small />
            </th>
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
