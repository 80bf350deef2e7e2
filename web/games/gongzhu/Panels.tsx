// Status, points, result and rules of Gongzhu.

import { french, sign, sortHand } from "../../decks/french";
import type { LogLine, PanelProps, SummaryProps } from "../game";
import { RulesSheet } from "../../table/RulesSheet";
import type { Reason } from "../../net/protocol";
import { signed } from "../../table/values";
import { LastTrick, trickLog } from "../../tricks/LastTrick";
import { words as pageWords } from "../../words";
import { counts, teamNames, teamPoints, wasShown, type GongzhuView } from "./view";
import type { GongzhuWords } from "./words/en";

type Props = PanelProps<GongzhuView, GongzhuWords>;

export function Status({ words, view, watching }: Props) {
  const [ours, theirs] = teamNames(words, view, watching);
  const us = signed(teamPoints(view, view.points, true));
  const them = signed(teamPoints(view, view.points, false));
  return (
    <>
      <span class="long">{`${view.deal ? `${words.deal(view.deal)} · ` : ""}${view.phase === "show" ? words.showing : words.status(view.trick)} · ${ours} ${us} · ${theirs} ${them}`}</span>
      <span class="brief">{`${us} : ${them}`}</span>
    </>
  );
}

/** Who took the pig, the sheep, the transformer and how many hearts. */
export function Panel({ words, view, names }: Props) {
  const takerOf = (card: string) => view.piles.findIndex((pile) => pile.includes(card));
  return (
    <>
      <section>
        <h2>{words.points}</h2>
        <table class="points">
          <tbody>
            {["SQ", "DJ", "C10"].map((card) => {
              const taker = takerOf(card);
              return (
                <tr key={card}>
                  <th scope="row">
                    {words.short[card]}
                    {wasShown(view, card) && ` (${words.isShown})`}
                  </th>
                  <td class={taker < 0 ? "note" : ""}>{taker < 0 ? words.nobody : names[taker]}</td>
                </tr>
              );
            })}
            {view.totals?.map((total, seat) => (
              <tr key={`total ${seat}`}>
                <th scope="row">{words.before(names[seat])}</th>
                <td>{signed(total)}</td>
              </tr>
            ))}
            {names.map((name, seat) => {
              const hearts = view.piles[seat].filter((card) => card[0] === "H").length;
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>
                    <span class="hearts" aria-hidden="true">
                      ♥ {hearts}
                    </span>
                    <span class="only-read">{words.hearts(hearts)}</span>{" "}
                    <b class="sum">{signed(view.points[seat])}</b>
                    {view.piles[seat].includes("C10") && (
                      <span>
                        {" "}
                        ×{wasShown(view, "C10") ? 4 : 2} <span class="only-read">{words.doubled}</span>
                      </span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <LastTrick view={view} names={names} />
    </>
  );
}

/** What was shown before play, then the tricks. */
export function log(words: GongzhuWords, view: GongzhuView, names: string[]): LogLine[] {
  const shown = (view.shown ?? []).flatMap((cards, seat) =>
    cards.length ? [`${names[seat]} ${cards.map(sign).join(" ")}`] : [],
  );
  const first = shown.length ? [{ key: "shown", head: words.shown, text: shown.join(", ") }] : [];
  return [...first, ...trickLog(view, names)];
}

/** A card, or what is shown before play: `showSQ`, `noshow`. */
export const moveText = (words: GongzhuWords, move: string): string =>
  move === "noshow"
    ? words.showNoMore
    : move.startsWith("show")
      ? words.show(sign(move.slice(4)))
      : sign(move);

interface WhyGongzhu extends Reason {
  cards?: string[];
  seat?: number;
  suit?: string;
  count?: number;
}

export function reasonText(words: GongzhuWords, reason: Reason, _: GongzhuView, names: string[]): string {
  const { cards = [], seat, suit = "", count = 0 } = reason as WhyGongzhu;
  const { suits } = pageWords().french;
  return (
    words.because[reason.type]?.({
      cards: cards.map((card) => words.special[card] ?? sign(card)).join(" "),
      name: seat === undefined ? "" : names[seat],
      suit: suits[suit] ?? "",
      count,
    }) ?? ""
  );
}

export function Summary({ words, view, names, watching, result }: SummaryProps<GongzhuView, GongzhuWords>) {
  // In a match of several deals the last column has what they have brought so far.
  const sums = view.totals?.map((total, seat) => total + view.points[seat]);
  const scores = result?.scores ?? sums ?? view.points;
  const ours = [view.seat, (view.seat + 2) % 4];
  const theirs = [(view.seat + 1) % 4, (view.seat + 3) % 4];
  return (
    <div class="summary">
      <table>
        <thead>
          <tr>
            <th scope="col">{words.who}</th>
            <th scope="col">{words.cards}</th>
            {sums && <th scope="col">{words.thisDeal}</th>}
            <th scope="col">{result?.scores ? words.result : sums ? words.soFar : words.points}</th>
          </tr>
        </thead>
        {[ours, theirs].map((seats, index) => (
          <tbody key={index}>
            {seats.map((seat) => (
              <tr key={seat}>
                <th scope="row">{names[seat]}</th>
                <td>{sortHand(view.piles[seat].filter(counts)).map(sign).join(" ")}</td>
                {sums && <td>{signed(view.points[seat])}</td>}
                <td>{signed(scores[seat])}</td>
              </tr>
            ))}
            <tr>
              <th scope="row" class="total">
                {teamNames(words, view, watching)[index]}
              </th>
              <td class="total" colSpan={sums && 2} />
              <td class="total">{signed(seats.reduce((total, seat) => total + scores[seat], 0))}</td>
            </tr>
          </tbody>
        ))}
      </table>
    </div>
  );
}

export function Rules({ words }: { words: GongzhuWords }) {
  return (
    <RulesSheet deck={french} rules={words.rules}>
      <Chart words={words} />
    </RulesSheet>
  );
}

/** What the cards are worth. */
export function Chart({ words }: { words: GongzhuWords }) {
  return (
    <table class="points worths">
      <tbody>
        {words.rules.sheet.map(([cards, points]) => (
          <tr key={cards}>
            <th scope="row">{cards}</th>
            <td>{points}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
