// The stage of a trick-taking game: four hands, the trick in the middle, a plate for each seat, a line of what to do.

import type { ComponentChildren } from "preact";
import { french } from "../decks/french";
import type { TableProps } from "../games/game";
import { CueBanner } from "../table/CueBanner";
import { SeatName } from "../table/names";
import { Place } from "../table/Place";
import { SuggestButton } from "../table/SuggestButton";
import { Stage, type Look } from "../table/Stage";
import { TimeLeft } from "../table/TimeLeft";
import { layout } from "./layout";
import { sideOf, sides, type Side, type TrickView } from "./view";
import "./style.css";

/** What the game adds. */
export interface TrickParts {
  /** What a pile is called, read aloud. */
  pileLabel: (side: Side) => string;
  /** Marks the plates of the own side. */
  isOurs?: (side: Side) => boolean;
  /** What a plate says after the name. */
  plate: (seat: number, side: Side) => ComponentChildren;
}

interface TrickStageProps<V extends TrickView> extends TrickParts {
  table: TableProps<V, unknown>;
  looks: Record<string, Look>;
  /** Beside the own plate: what to do. */
  prompt: ComponentChildren;
}

export function TrickStage<V extends TrickView>({
  table: { view, open, scene, from, cue, busy, motion, size, names, suggest },
  looks,
  prompt,
  pileLabel,
  isOurs,
  plate,
}: TrickStageProps<V>) {
  const places = layout(size, open !== null, pileLabel);
  return (
    <div class="game-table trick-table">
      <Stage
        deck={french}
        zones={places.zones}
        scene={scene}
        looks={looks}
        from={from}
        motion={motion}
        order={[
          "hand-me",
          "trick-left",
          "trick-top",
          "trick-right",
          "trick-me",
          ...sides.map((side) => `pile-${side}`),
        ]}
      >
        {[0, 1, 2, 3].map((seat) => {
          const side = sideOf(view, seat);
          const flags = ["plate tall", isOurs?.(side) && "ours", view.to_move === seat && !busy && "moving"];
          return (
            <Place key={seat} box={places.plates[side]} class={flags.filter(Boolean).join(" ")}>
              <b class="name">
                <SeatName name={names[seat]} /> <TimeLeft seat={seat} />
              </b>
              {plate(seat, side)}
            </Place>
          );
        })}
        <Place box={places.prompt} class="prompt aside">
          {prompt}
        </Place>
        <SuggestButton box={places.advice} suggest={suggest} />
      </Stage>
      <CueBanner cue={cue} />
    </div>
  );
}
