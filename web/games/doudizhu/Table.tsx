// The Dou Dizhu table: cards are selected and then played; the button says why not.

import { useEffect, useState } from "preact/hooks";
import { useSettings, useSwitches } from "../../settings";
import { useOwnMove } from "../../table/byItself";
import { CueBanner } from "../../table/CueBanner";
import { french } from "../../decks/french";
import type { Hint } from "../../net/protocol";
import type { TableProps } from "../game";
import { SeatName } from "../../table/names";
import { Place } from "../../table/Place";
import { Stage, type Look } from "../../table/Stage";
import type { Box } from "../../table/zones";
import { adviceText } from "../../table/SuggestButton";
import { TimeLeft } from "../../table/TimeLeft";
import { valueText } from "../../table/values";
import { Worth } from "../../table/Worth";
import { rankOf } from "./cards";
import { front } from "./front";
import { layout } from "./layout";
import { moveText, multiplier } from "./Panels";
import { lastPlays } from "./scene";
import { pressed, swept } from "./selection";
import { countRanks, lastSaid, sideOf, type DoudizhuView } from "./view";
import type { DoudizhuWords } from "./words/en";
import { words as pageWords } from "../../words";
import { cardsText, rankName } from "./text";

const AUTO_PASS_MS = 700;
const ALARM = 2;

export function Table({
  words,
  view,
  told,
  open,
  scene,
  from,
  cue,
  busy,
  motion,
  size,
  names,
  legal,
  act,
  hint,
  pick,
  suggest,
  reason,
  played,
}: TableProps<DoudizhuView, DoudizhuWords>) {
  const chosen = useSettings();
  const own = useSwitches("doudizhu", front.switches);
  const [selected, setSelected] = useState("");
  const passAdvised = pick?.move === "pass";
  useEffect(() => setSelected(pick && !passAdvised ? pick.move : ""), [view, pick]);
  const playing = legal.length > 0 && view.phase === "play";
  const onlyPass = legal.length === 1 && legal[0] === "pass";
  useOwnMove(view, onlyPass && own.autoPass && !busy ? "pass" : null, AUTO_PASS_MS, act);

  const counting = !open && own.counter && view.phase === "play";
  const { zones, plates, says, ideas, controls, counter } = layout(size, open !== null, counting, words);
  const looks: Record<string, Look> = {};
  const raised = new Map(countRanks(selected));
  // Of a rank the last cards are raised: they are those that will be played.
  for (const item of [...(scene["hand-me"] ?? [])].reverse()) {
    if (!item.face) continue;
    const rank = rankOf(item.face);
    const up = (raised.get(rank) ?? 0) > 0;
    if (up) raised.set(rank, raised.get(rank)! - 1);
    looks[item.id] = {
      name: rankName(words, rank),
      press: playing ? () => setSelected(pressed(selected, rank, up, legal, view.beat !== null)) : undefined,
      raised: playing ? up : undefined,
      dim: playing && onlyPass,
    };
  }
  for (const zone of ["play-left", "play-right", "play-me", "bottom"])
    for (const item of scene[zone] ?? [])
      if (item.face) looks[item.id] ??= { name: rankName(words, rankOf(item.face)) };

  if (played && view.to_move !== null) {
    const going = countRanks(played);
    for (const item of [...(scene[`hand-${sideOf(view, view.to_move)}`] ?? [])].reverse()) {
      const left = item.face ? (going.get(rankOf(item.face)) ?? 0) : 0;
      if (!left) continue;
      going.set(rankOf(item.face!), left - 1);
      looks[item.id] = { ...looks[item.id], raised: true };
    }
  }

  const ready = legal.includes(selected);
  // For bids there is hardly ever a hint, so no line waits for it.
  const worth = (move: string) =>
    chosen.hints &&
    (view.phase === "play" || hint?.values[move] !== undefined) && <Worth move={move} hint={hint} />;
  const say =
    !playing || busy
      ? ""
      : onlyPass
        ? words.why.nothing
        : !selected
          ? passAdvised
            ? adviceText(words.pass, reason("pass"))
            : view.beat
              ? words.why.follow(cardsText(words, view.beat))
              : words.why.lead
          : ready
            ? reason(selected)
            : view.beat
              ? words.why.beat(cardsText(words, view.beat))
              : words.why.none;
  const said = lastPlays(told);
  return (
    <div class="game-table">
      <Stage
        deck={french}
        zones={zones}
        scene={scene}
        looks={looks}
        from={from}
        motion={motion}
        order={["hand-me", "play-left", "play-right", "play-me", "bottom"]}
        onSweep={
          playing
            ? (ids) =>
                setSelected(
                  swept(
                    ids
                      .filter((id) => view.hand.includes(rankOf(id)))
                      .map(rankOf)
                      .join(""),
                    legal,
                  ),
                )
            : undefined
        }
      >
        {[0, 1, 2].map((seat) => {
          const side = sideOf(view, seat);
          const left = told.hand_sizes[seat];
          return (
            <Place
              key={seat}
              box={plates[side]}
              class={`plate ${side === "me" ? "" : "tall"} ${view.landlord === seat ? "landlord" : ""} ${view.to_move === seat && !busy ? "moving" : ""}`}
            >
              <b class="name">
                <SeatName name={names[seat]} /> <TimeLeft seat={seat} />
              </b>
              {view.landlord === seat && <span class="chip">{words.landlord}</span>}
              {left <= ALARM && left > 0 && view.phase === "play" ? (
                <span key={left} class="chip call">
                  {words.alarm(left)}
                </span>
              ) : (
                <span class="score">{left}</span>
              )}
            </Place>
          );
        })}
        {said.map(
          ({ seat, cards }) =>
            cards === null &&
            !scene[`play-${sideOf(told, seat)}`]?.length && (
              <Place key={seat} box={says[sideOf(told, seat)]} class={`said ${sideOf(told, seat)}`}>
                {words.passed}
              </Place>
            ),
        )}
        {told.phase === "bid" &&
          [0, 1, 2].map((seat) => {
            const said = lastSaid(told, seat);
            return (
              said && (
                <Place key={seat} box={says[sideOf(told, seat)]} class={`said ${sideOf(told, seat)}`}>
                  {moveText(words, said)}
                </Place>
              )
            );
          })}
        {chosen.hints && playing && !busy && (
          <Ideas words={words} hint={hint} box={ideas} selected={selected} onPick={setSelected} />
        )}
        {counting && <Counter words={words} view={told} box={counter} />}
      </Stage>
      <CueBanner cue={cue} />
      <Place box={controls} class="controls">
        <p class="why" role="status">
          {say}
        </p>
        {multiplier(told) > 1 && (
          <span key={`${told.phase} ${multiplier(told)}`} class="times">
            {words.times(multiplier(told))}
          </span>
        )}
        <div class="buttons">
          {view.phase === "play" && (
            <>
              <button
                type="button"
                class={!legal.includes("pass") ? "absent" : passAdvised ? "advised" : ""}
                data-does="pass"
                onClick={() => act("pass")}
              >
                <span class="label">{words.pass}</span> {worth("pass")}
              </button>
              <button
                type="button"
                class={suggest && !onlyPass ? "" : "absent"}
                data-does="suggest"
                aria-busy={suggest?.waiting}
                onClick={() => suggest?.ask()}
              >
                <span class="label">{pageWords().table.suggest}</span>
              </button>
              <button
                type="button"
                class={playing && !onlyPass ? "primary" : "primary absent"}
                disabled={!ready}
                onClick={() => act(selected)}
              >
                <span class="label">{words.play}</span> {worth(selected)}
              </button>
            </>
          )}
          {legal
            .filter((move) => move in words.says)
            .map((move) => (
              <button
                key={move}
                type="button"
                class={move.startsWith("no") ? "" : "primary"}
                data-does="bid"
                onClick={() => act(move)}
              >
                {words.says[move]}
              </button>
            ))}
          {view.phase === "bid" &&
            view.options.bidding !== "robbing" &&
            ["bid0", "bid1", "bid2", "bid3"].map((bid, number) => (
              <button
                key={bid}
                type="button"
                class={`${legal.includes(bid) ? "" : "absent"} ${number === 3 ? "primary" : ""}`}
                data-does="bid"
                onClick={() => act(bid)}
              >
                <span class="label">{words.bids[number]}</span> {worth(bid)}
              </button>
            ))}
        </div>
      </Place>
    </div>
  );
}

const IDEAS = 3;

/** Where there is no panel for the hints: the best moves with their values, to be selected by a tap. */
function Ideas({
  words,
  hint,
  box,
  selected,
  onPick,
}: {
  words: DoudizhuWords;
  hint: Hint | null;
  box: Box;
  selected: string;
  onPick: (move: string) => void;
}) {
  const best = Object.entries(hint?.values ?? {})
    .sort((a, b) => b[1] - a[1])
    .filter(([move]) => move !== "pass")
    .slice(0, IDEAS);
  return (
    <Place box={box} class="ideas">
      {best.map(([move, value]) => (
        <button key={move} type="button" aria-pressed={move === selected} onClick={() => onPick(move)}>
          <span class="cards">{cardsText(words, move)}</span>
          <span class="figure">{valueText(value, hint!.unit)}</span>
        </button>
      ))}
    </Place>
  );
}

/** How many cards of each rank are in the other two hands. */
function Counter({ words, view, box }: { words: DoudizhuWords; view: DoudizhuView; box: Box }) {
  const seen = countRanks(view.hand + view.played.join(""));
  return (
    <Place box={box} class="counter">
      <div role="img" aria-label={words.counter}>
        {[..."RB2AKQJT9876543"].map((rank) => {
          const left = (rank === "B" || rank === "R" ? 1 : 4) - (seen.get(rank) ?? 0);
          return (
            <span key={rank} class={left ? "" : "none"}>
              <b>{rank === "T" ? "10" : rank === "R" ? "★" : rank === "B" ? "☾" : rank}</b>
              {left}
            </span>
          );
        })}
      </div>
    </Place>
  );
}
