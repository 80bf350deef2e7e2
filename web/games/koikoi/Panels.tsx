// Status, yaku progress, round summary and rules of Koi-Koi.

import type { GameEvent, Options, Reason } from "../../net/protocol";
import { useSettings } from "../../settings";
import type { PanelProps, SummaryProps } from "../game";
import { hanafuda } from "../../decks/hanafuda";
import { SeatName } from "../../table/names";
import { RulesSheet } from "../../table/RulesSheet";
import { signed } from "../../table/values";
import { isViewing, legend, RAINMAN, shortName, yakuName } from "./cards";
import { YakuSheet, yakuUnder } from "./Chart";
import { YakuList } from "./Question";
import { rival, type KoikoiView } from "./view";
import type { KoikoiWords } from "./words/en";

type Props = PanelProps<KoikoiView, KoikoiWords>;

export function Status({ words, view }: Props) {
  const rounds = Number(view.options.rounds);
  return (
    <>
      <span class="long">{words.status(view.round, rounds)}</span>
      <span class="brief">
        {view.round} / {rounds}
      </span>
    </>
  );
}

/** The row in which a yaku that is made shows its points: the lights have one row together. */
const rowOf = (name: string): string => (name.endsWith("Lights") ? "Three Lights" : name);

/** Both sides' way to each yaku, always in the same rows; what is one card short stands out. */
export function Panel({ words, view, names }: Props) {
  const { labels } = useSettings();
  const seats = [view.seat, rival(view)];
  const goals = view.progress[0].map(([name]) => name);
  const doublings = [
    ...(view.options.seven === "on" ? ["Seven or More"] : []),
    ...(view.options.against === "on" ? ["Against Koi-Koi"] : []),
  ];
  const viewing = view.options.viewing !== "off";
  const rows = [...goals, "Red & Blue Ribbons", "Koi-Koi", ...doublings].filter(
    (name) => viewing || !isViewing(name),
  );
  const cell = (seat: number, row: string) => {
    const made = view.yaku[seat].find(([name]) => rowOf(name) === row);
    if (made) return <td class="done">+{made[1]}</td>;
    const goal = view.progress[seat].find(([name]) => name === row);
    if (!goal) return <td />;
    const [, had, needed, possible] = goal;
    const short = possible && needed - had === 1;
    const rain = row === "Three Lights" && view.piles[seat].includes(RAINMAN);
    return (
      <td class={short ? "short" : possible ? "" : "missed"}>
        {had}/{needed}
        {rain && (
          <span title={words.rain}>
            {" "}
            <span aria-hidden="true">+☂</span>
            <span class="only-read">{words.rain}</span>
          </span>
        )}
        {short && <span class="only-read"> {words.short}</span>}
      </td>
    );
  };
  return (
    <section>
      <h2>{words.progress}</h2>
      <table class="progress">
        <thead>
          <tr>
            <th scope="col">
              <span class="legend">{words.short}</span>
            </th>
            {seats.map((seat) => (
              <th scope="col" key={seat}>
                <SeatName name={names[seat]} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row">{row === "Three Lights" ? words.piles.light : yakuName(words, row)}</th>
              {seats.map((seat) => cell(seat, row))}
            </tr>
          ))}
        </tbody>
      </table>
      {labels && <p class="note marks">{legend(words)}</p>}
    </section>
  );
}

export function log(words: KoikoiWords, view: KoikoiView, names: string[]) {
  const met = (card: string, took: string[]) =>
    took.length
      ? words.logTook(shortName(words, card), took.map((other) => shortName(words, other)).join(", "))
      : shortName(words, card);
  return view.turns.map((turn, index) => ({
    key: `${view.round}-${index}`,
    head: names[turn.seat],
    text:
      (turn.discard ? met(turn.discard, turn.discard_took) : "") +
      (turn.draw ? words.logDraw(met(turn.draw, turn.draw_took)) : "") +
      (turn.koikoi === null ? "" : turn.koikoi ? words.logKoikoi : words.logStop),
  }));
}

export function moveText(words: KoikoiWords, move: string): string {
  return move === "koikoi" ? words.koikoi : move === "stop" ? words.stop : shortName(words, move);
}

interface WhyKoikoi extends Reason {
  cards?: string[];
  yaku?: string;
}

export function reasonText(words: KoikoiWords, reason: Reason, view: KoikoiView, names: string[]): string {
  const { cards = [], yaku = "" } = reason as WhyKoikoi;
  const card = cards.length ? shortName(words, cards[0]) : "";
  return words.because[reason.type]?.({ card, yaku: yakuName(words, yaku), rival: names[rival(view)] }) ?? "";
}

interface RoundOver extends GameEvent {
  winner: number | null;
  points: number;
  reason: string;
}

export function Summary({ words, view, names, events, result }: SummaryProps<KoikoiView, KoikoiWords>) {
  const over = events.find((event) => event.type === "round_over") as RoundOver | undefined;
  const mine = view.round_points.map((points) => (view.seat === 0 ? points : -points));
  return (
    <div class="summary">
      {over && (
        <>
          <p class="headline">
            {over.winner === null ? words.nobodyWon : words.roundWon(names[over.winner], over.points)}
          </p>
          {over.winner === null ? (
            <p>{words.reasons.nobody}</p>
          ) : over.reason === "exhausted" ? (
            <p>{words.reasons.exhausted}</p>
          ) : (
            <YakuList words={words} yaku={view.yaku[over.winner]} pile={view.piles[over.winner]} />
          )}
        </>
      )}
      {mine.length > 0 && (
        <table class="tally">
          <thead>
            <tr>
              <th scope="col">{words.round}</th>
              {mine.map((_, index) => (
                <th scope="col" key={index}>
                  {index + 1}
                </th>
              ))}
              <th scope="col">{words.total}</th>
            </tr>
          </thead>
          <tbody>
            {[view.seat, rival(view)].map((seat) => (
              <tr key={seat}>
                <th scope="row">{names[seat]}</th>
                {mine.map((points, index) => (
                  <td key={index}>{signed(seat === view.seat ? points : -points)}</td>
                ))}
                <td class="total">{result?.scores?.[seat] ?? view.points[seat]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

const GOING_ON = 4; // the step that tells what koi-koi pays by default
const LAST_POINT = 2; // the note on rounds that nobody stops

/** The rules as they are under some options: what is not by default stands in the notes instead. */
function rulesUnder({ rules }: KoikoiWords, options: Options) {
  const isUsual = (name: string, usual: string) => (options[name] ?? usual) === usual;
  const usual: Record<string, string> = {
    viewing: "rising",
    rain: "off",
    bonus: "rising",
    seven: "off",
    against: "off",
    hand_yaku: "off",
    draw: "dealer",
  };
  const others = Object.keys(usual).filter((name) => !isUsual(name, usual[name]));
  return {
    ...rules,
    steps: rules.steps.filter(
      (_, index) => index !== GOING_ON || !(others.includes("bonus") || others.includes("viewing")),
    ),
    notes: [
      ...rules.notes.filter((_, index) => index !== LAST_POINT || !others.includes("draw")),
      ...others.map((name) => rules.house[name](String(options[name]))),
    ],
    differs: Object.keys(rules.differs)
      .filter((name) => !others.includes(name))
      .map((name) => rules.differs[name]),
  };
}

export function Rules({ words, options }: { words: KoikoiWords; options: Options }) {
  const rules = rulesUnder(words, options);
  return (
    <RulesSheet deck={hanafuda} rules={rules}>
      <p class="note marks">{legend(words)}</p>
      <YakuSheet words={words} yaku={yakuUnder(words, options)} />
    </RulesSheet>
  );
}
