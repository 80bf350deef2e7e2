// Status, result and rules of Dou Dizhu.

import { Fan } from "../../table/Fan";
import { french } from "../../decks/french";
import type { PanelProps, SummaryProps } from "../game";
import type { Reason } from "../../net/protocol";
import { RulesSheet } from "../../table/RulesSheet";
import { signed } from "../../table/values";
import { words as pageWords } from "../../words";
import { faces } from "./cards";
import { sortFaces } from "./scene";
import { cardsText } from "./text";
import type { DoudizhuView } from "./view";
import type { DoudizhuWords } from "./words/en";

type Props = PanelProps<DoudizhuView, DoudizhuWords>;

/** By how much the points are multiplied: the bid, robbing, a shown hand, spring, and bombs where they count. */
export const multiplier = (view: DoudizhuView): number =>
  Math.max(1, view.stake) *
  2 ** (view.doublings ?? 0) *
  (view.spring ? 2 : 1) *
  (view.options.score === "adp" ? 2 ** view.bombs : 1);

export function Status({ words, view }: Props) {
  const times = multiplier(view);
  return (
    <>
      <span class="long">
        {pageWords().games.doudizhu.title + (times > 1 ? ` ${words.times(times)}` : "")}
      </span>
      <span class="brief">{words.times(times)}</span>
    </>
  );
}

export function Panel({ words, view, names }: Props) {
  return (
    <section>
      <h2>{words.seats}</h2>
      <table class="points">
        <tbody>
          {names.map((name, seat) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="note">
                {view.landlord !== null && (view.landlord === seat ? words.landlord : words.peasant)}
              </td>
              <td>{words.left(view.hand_sizes[seat])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {view.shown && view.landlord !== view.seat && (
        <>
          <h2>{words.shownHand}</h2>
          <p class="shown-hand">{cardsText(words, view.shown)}</p>
        </>
      )}
    </section>
  );
}

export function moveText(words: DoudizhuWords, move: string): string {
  if (move === "pass") return words.passed;
  if (move in words.said) return words.said[move];
  return move.startsWith("bid") ? words.bid(Number(move.at(-1))) : cardsText(words, move);
}

interface WhyDoudizhu extends Reason {
  cards?: string;
  seat?: number;
  kind?: string;
  count?: number;
}

export function reasonText(words: DoudizhuWords, reason: Reason, _: DoudizhuView, names: string[]): string {
  const { cards = "", seat, kind = "", count = 0 } = reason as WhyDoudizhu;
  return (
    words.because[reason.type]?.({
      cards: cardsText(words, cards),
      name: seat === undefined ? "" : names[seat],
      kind: words.kinds[kind] ?? kind,
      count,
    }) ?? ""
  );
}

export function Summary({ words, view, names, result }: SummaryProps<DoudizhuView, DoudizhuWords>) {
  const scores = result?.scores;
  const won =
    scores && view.landlord !== null
      ? scores[view.landlord] > 0
        ? words.sideWins.landlord
        : words.sideWins.peasants
      : null;
  return (
    <div class="summary">
      {won && (
        <p class="headline">
          {won}
          {view.spring && ` · ${view.hand_sizes[view.landlord!] === 0 ? words.spring : words.antiSpring} × 2`}
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">{words.who}</th>
            <th scope="col">{words.cardsLeft}</th>
            <th scope="col">{words.points}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name, seat) => (
            <tr key={name}>
              <th scope="row">
                {name} {view.landlord === seat && <span class="chip">{words.landlord}</span>}
              </th>
              <td>{view.hand_sizes[seat]}</td>
              <td>{scores && signed(scores[seat])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {result &&
        faces(view, result.views as DoudizhuView[]).hands.map(
          (cards, seat) =>
            cards.length > 0 && (
              <div key={seat} class="leftover">
                <b>{names[seat]}</b>
                <Fan deck={french} cards={sortFaces(cards)} small />
              </div>
            ),
        )}
    </div>
  );
}

export function Rules({ words }: { words: DoudizhuWords }) {
  return (
    <RulesSheet deck={french} rules={words.rules}>
      <Chart words={words} />
    </RulesSheet>
  );
}

/** The combinations with an example each. */
export function Chart({ words }: { words: DoudizhuWords }) {
  return (
    <div class="rules">
      <ul class="combos">
        {words.rules.sheet.map((kind) => (
          <li key={kind.name}>
            <b>{kind.name}</b>
            <p>{kind.text}</p>
            <Fan deck={french} cards={kind.cards} small />
          </li>
        ))}
      </ul>
    </div>
  );
}
