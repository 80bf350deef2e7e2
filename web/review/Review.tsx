// What a seat gave away in a finished game: in a sentence, as a graph, the worst moves, and by kind of decision.

import { useState } from "preact/hooks";
import type { GameModule } from "../games/game";
import { api, faultOf } from "../net/api";
import type { Lobby, Review as Reviewed, View } from "../net/protocol";
import { Trouble } from "../table/Trouble";
import { costText, signedText } from "../table/values";
import { agentTitle, faultText, optionTitle, words } from "../words";
import { Graph } from "./Graph";
import "./style.css";

interface ReviewProps {
  record: string;
  review: Reviewed;
  game: GameModule;
  gameWords: unknown;
  lobby: Lobby;
  view: View; // any of the game: for words of moves
  /** Whether the reviewed seat is the person's own, who may play a position again. */
  own: boolean;
  go: (hash: string) => void;
  /** Where positions can be looked at: shows the one before a move. */
  onJump?: (seq: number) => void;
}

const WORST = 3;

export function Review({ record, review, game, gameWords, lobby, view, own, go, onJump }: ReviewProps) {
  const text = words().review;
  const [fault, setFault] = useState<string | null>(null);
  const whole = game.wholePoints?.(gameWords) !== undefined;
  const amount = (value: number) => text.amount(costText(Math.abs(value), review.unit, whole), review.unit);
  const change = (value: number) => text.amount(signedText(value, review.unit, whole), review.unit);
  const costly = review.decisions.filter((one) => amount(one.cost) !== amount(0)).length; // as far as it is shown
  const unlearned = Object.keys(review.unlearned ?? {}).map((name) => optionTitle(review.game, name));
  const deals = new Map(review.decisions.map((one) => [one.index, one.deal]));
  const rounds = new Set(deals.values()).size > 1;
  const kinds = Object.entries(review.costs_by_kind).filter(([, cost]) => cost > 0);
  const again = (seq: number) => {
    setFault(null);
    api.again(record, { seq }).then(
      (table) => go(`#/table/${table.table}`),
      (error) => setFault(faultOf(error).code),
    );
  };
  return (
    <section class="review" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p class="verdict">
        {text.headline(amount(review.cost), costly, change(review.others_cost), change(review.luck))}
      </p>
      {review.standing && review.standing.length > 0 && (
        <p class="standing">
          {text.standing}{" "}
          {[...review.standing, { agent: null, cost: review.cost }]
            .sort((a, b) => b.cost - a.cost)
            .map(({ agent, cost }, place) => (
              <>
                {place > 0 && text.comma}
                {agent === null ? (
                  <b>
                    {text.thisGame} {amount(cost)}
                  </b>
                ) : (
                  `${agentTitle(lobby, agent)} ${amount(cost)}`
                )}
              </>
            ))}
        </p>
      )}
      <Graph review={review} />
      <h3>{review.mistakes.length ? text.worst : text.noMistakes}</h3>
      <ol class="mistakes">
        {review.mistakes.slice(0, WORST).map((one) => (
          <li key={one.index}>
            <p>
              <small>{text.where(rounds ? deals.get(one.index)! + 1 : null, one.index + 1)}</small>{" "}
              <b class="figure">−{amount(one.cost)}</b>
              <br />
              {text.instead(
                game.moveText(gameWords, one.move, view),
                game.moveText(gameWords, one.best, view),
              )}
            </p>
            <div class="mistake-actions">
              {onJump && (
                <button type="button" onClick={() => onJump(one.index)}>
                  {text.look}
                </button>
              )}
              {own && (
                <button type="button" onClick={() => again(one.index)}>
                  {text.again}
                </button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {own && review.mistakes.length > 0 && (
        <p class="note">
          <a href="#/puzzles">{words().puzzles.fromReview}</a>
        </p>
      )}
      {kinds.length > 1 && (
        <p class="kinds">
          {text.byKind}{" "}
          {kinds.map(([kind, cost]) => `${game.kindText(gameWords, kind)} ${amount(cost)}`).join(text.comma)}
        </p>
      )}
      {unlearned.length > 0 && <p class="note unlearned">{text.unlearned(unlearned.join(text.comma))}</p>}
      <p class="note">{text.judged(agentTitle(lobby, review.agent))}</p>
      {fault && <Trouble text={faultText(fault)} onClose={() => setFault(null)} />}
    </section>
  );
}
