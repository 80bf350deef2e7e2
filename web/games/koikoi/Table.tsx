// The Koi-Koi table: cards that light up, plates with points, the koi-koi question.

import { useEffect, useState } from "preact/hooks";
import { useSettings } from "../../settings";
import { CueBanner } from "../../table/CueBanner";
import type { TableProps } from "../game";
import { hanafuda, kinds, month } from "../../decks/hanafuda";
import { SeatName } from "../../table/names";
import { adviceText, SuggestButton } from "../../table/SuggestButton";
import { Place } from "../../table/Place";
import { useSlots } from "../../table/slots";
import { Stage, type Look } from "../../table/Stage";
import { TimeLeft } from "../../table/TimeLeft";
import { figureText } from "../../table/values";
import type { Box } from "../../table/zones";
import { fullName, label } from "./cards";
import { layout } from "./layout";
import { moveText } from "./Panels";
import { Question } from "./Question";
import { pileZone } from "./scene";
import { rival, sum, type KoikoiView } from "./view";
import type { KoikoiWords } from "./words/en";

type Props = TableProps<KoikoiView, KoikoiWords>;

export function Table({
  words,
  view,
  told,
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
  state,
}: Props) {
  const chosen = useSettings();
  const [picked, setPicked] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  useEffect(() => setPicked(pick?.move ?? null), [view, pick]);
  const asked = state === "playing" && legal.includes("stop") && !busy;
  const { zones, plates, stockLabel, prompt, question, advice } = layout(size, words, asked);
  const choosing = legal.length > 0 && (view.phase === "discard" || view.phase === "pick");

  // What was suggested says why; else a choice between two cards is asked for.
  const why =
    pick && !asked && picked === pick.move ? adviceText(moveText(words, pick.move), reason(pick.move)) : "";
  const say = why || (choosing && view.phase === "pick" ? words.turnHints.pick : "");

  const press = (card: string) => {
    if (chosen.confirm && picked !== card) return setPicked(card);
    setPicked(null);
    act(card);
  };

  const looks: Record<string, Look> = {};
  const matching = (card: string) => view.field.filter((other) => month(other) === month(card));
  const focus = view.phase === "pick" ? view.shown : (picked ?? hovered);
  for (const card of view.field) {
    const pickable = view.phase === "pick" && legal.includes(card);
    looks[card] = {
      name: fullName(words, card),
      press: pickable ? () => press(card) : undefined,
      lit:
        !busy &&
        (pickable ||
          (choosing && view.phase === "discard" && focus !== null && month(focus) === month(card))),
      raised: pickable && picked === card ? true : undefined,
    };
  }
  for (const card of view.hand) {
    const playable = view.phase === "discard" && legal.includes(card);
    const count = matching(card).length;
    looks[card] = {
      name: `${fullName(words, card)}, ${words.matches(count)}`,
      press: playable ? () => press(card) : undefined,
      raised: picked === card || undefined,
      lit: playable && !busy && count > 0,
    };
  }
  if (view.shown) looks[view.shown] = { name: fullName(words, view.shown), lit: true };
  for (const seat of [0, 1])
    for (const card of [...view.piles[seat], ...((seat !== view.seat && view.shown_hands[seat]) || [])])
      looks[card] = { name: fullName(words, card) };
  for (const move of Object.keys(hint?.values ?? {}))
    if (looks[move])
      looks[move] = {
        ...looks[move],
        badge: figureText(hint!, move, { losses: true, brief: true }),
        best: move === hint!.best,
      };
  if (played && looks[played]) looks[played] = { ...looks[played], raised: true };
  if (chosen.labels)
    for (const items of Object.values(scene))
      for (const item of items) if (item.face) looks[item.id] = { ...looks[item.id], tag: label(item.face) };

  const hover = (event: Event) => {
    const id =
      (event.target as HTMLElement).closest<HTMLElement>("[data-zone=hand] [data-id]")?.dataset.id ?? null;
    setHovered(id);
  };
  return (
    <div class="game-table" onPointerOver={hover} onFocusIn={hover}>
      <Stage
        deck={hanafuda}
        zones={zones}
        scene={useSlots(scene, "field")}
        looks={looks}
        from={from}
        motion={motion}
        order={[
          "hand",
          "field",
          "shown",
          ...kinds.map((what) => pileZone(true, what)),
          ...kinds.map((what) => pileZone(false, what)),
        ]}
      >
        <Plate
          words={words}
          view={told}
          seat={rival(view)}
          names={names}
          box={plates.theirs}
          moving={!busy && view.to_move === rival(view)}
        />
        <Plate
          words={words}
          view={told}
          seat={view.seat}
          names={names}
          box={plates.mine}
          moving={!busy && view.to_move === view.seat}
        />
        <Place box={stockLabel} class="stock-label">
          <span role="img" aria-label={words.stock(told.stock_size)}>
            {told.stock_size}
          </span>
        </Place>
        {zones
          .filter((zone) => zone.id.includes("-") && !scene[zone.id]?.length)
          .map((zone) => (
            <Place key={zone.id} box={zone.box} class="pile-label">
              <span>{zone.label}</span>
            </Place>
          ))}
      </Stage>
      <CueBanner cue={cue} />
      {say && !busy && (
        <Place box={prompt} class="prompt">
          <span>{say}</span>
        </Place>
      )}
      <SuggestButton box={advice} suggest={suggest} />
      {asked && (
        <Question
          words={words}
          view={view}
          box={question}
          act={act}
          hint={hint}
          advised={pick?.move ?? null}
          reason={reason}
        />
      )}
    </div>
  );
}

function Plate({
  words,
  view,
  seat,
  names,
  box,
  moving,
}: {
  words: KoikoiWords;
  view: KoikoiView;
  seat: number;
  names: string[];
  box: Box;
  moving: boolean;
}) {
  const now = sum(view.yaku[seat]);
  return (
    <Place box={box} class={moving ? "plate moving" : "plate"}>
      <b class="name">
        <SeatName name={names[seat]} /> <TimeLeft seat={seat} />
      </b>
      {view.koikoi[seat] > 0 && (
        <span key={view.koikoi[seat]} class="chip call">
          {words.koikoiCount(view.koikoi[seat])}
        </span>
      )}
      <span class="gain">{now > 0 && `+${now}`}</span>
      <span class={view.dealer === seat ? "chip" : "chip absent"}>{words.dealer}</span>
      <span class="score">{view.points[seat]}</span>
    </Place>
  );
}
