// Status, points, result and rules of Gongzhu.

import { french, sign, sortHand } from "../../decks/french";
import type { PanelProps, SummaryProps } from "../game";
import { RulesSheet } from "../../table/RulesSheet";
import { signed } from "../../table/values";
import { LastTrick, trickLog } from "../../tricks/LastTrick";
import { counts, teamNames, teamPoints, type GongzhuView } from "./view";
import type { GongzhuWords } from "./words/en";

type Props = PanelProps<GongzhuView, GongzhuWords>;

export function Status({ words, view, watching }: Props) {
  const [ours, theirs] = teamNames(words, view, watching);
  const us = signed(teamPoints(view, view.points, true));
  const them = signed(teamPoints(view, view.points, false));
  return (
    <>
      <span class="long">{`${words.status(view.trick)} · ${ours} ${us} · ${theirs} ${them}`}</span>
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
                  <th scope="row">{words.short[card]}</th>
                  <td class={taker < 0 ? "note" : ""}>{taker < 0 ? words.nobody : names[taker]}</td>
                </tr>
              );
            })}
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
                        ×2 <span class="only-read">{words.doubled}</span>
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

export const log = (_: GongzhuWords, view: GongzhuView, names: string[]) => trickLog(view, names);

export const moveText = (_: GongzhuWords, move: string): string => sign(move);

export function Summary({ words, view, names, watching, result }: SummaryProps<GongzhuView, GongzhuWords>) {
  const scores = result?.scores ?? view.points;
  const ours = [view.seat, (view.seat + 2) % 4];
  const theirs = [(view.seat + 1) % 4, (view.seat + 3) % 4];
  return (
    <div class="summary">
      <table>
        <thead>
          <tr>
            <th scope="col">{words.who}</th>
            <th scope="col">{words.cards}</th>
            <th scope="col">{result?.scores ? words.result : words.points}</th>
          </tr>
        </thead>
        {[ours, theirs].map((seats, index) => (
          <tbody key={index}>
            {seats.map((seat) => (
              <tr key={seat}>
                <th scope="row">{names[seat]}</th>
                <td>{sortHand(view.piles[seat].filter(counts)).map(sign).join(" ")}</td>
                <td>{signed(scores[seat])}</td>
              </tr>
            ))}
            <tr>
              <th scope="row" class="total">
                {teamNames(words, view, watching)[index]}
              </th>
              <td class="total" />
              <td class="total">{signed(seats.reduce((total, seat) => total + scores[seat], 0))}</td>
            </tr>
          </tbody>
        ))}
      </table>
    </div>
  );
}

export function Rules({ words }: { words: GongzhuWords }) {
  const { rules } = words;
  return (
    <RulesSheet deck={french} rules={rules}>
      <table class="points">
        <tbody>
          {rules.sheet.map(([cards, points]) => (
            <tr key={cards}>
              <th scope="row">{cards}</th>
              <td>{points}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </RulesSheet>
  );
}
