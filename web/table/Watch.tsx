// Controls of a table of agents alone: from where to look, how fast they move, pause and single moves.

import type { TableInfo } from "../net/protocol";
import { words } from "../words";
import { icons } from "./icons";
import { numberFirst } from "./names";
import type { SessionActions } from "./session";

interface WatchProps {
  info: TableInfo;
  names: string[];
  from: number;
  onFrom: (seat: number) => void;
  actions: SessionActions;
}

export function Watch({ info, names, from, onFrom, actions }: WatchProps) {
  const text = words().table;
  const delays = words().settings.delays;
  return (
    <section class="watch">
      <div class="actions">
        <button type="button" onClick={() => actions.setPace({ ...info.pace, paused: !info.pace.paused })}>
          <span key={String(info.pace.paused)}>
            {info.pace.paused ? icons.play : icons.pause} {info.pace.paused ? text.resume : text.pause}
          </span>
        </button>
        <button type="button" disabled={!info.pace.paused} onClick={() => actions.step()}>
          {icons.next} {text.step}
        </button>
      </div>
      <label class="setting">
        <span>{words().settings.delay}</span>
        <select
          value={String(info.pace.delay)}
          onChange={(event) => actions.setPace({ ...info.pace, delay: Number(event.currentTarget.value) })}
        >
          {Object.entries(delays)
            .sort((a, b) => Number(a[0]) - Number(b[0]))
            .map(([delay, name]) => (
              <option key={delay} value={delay}>
                {name}
              </option>
            ))}
        </select>
      </label>
      <label class="setting">
        <span>{text.watchFrom}</span>
        <select value={String(from)} onChange={(event) => onFrom(Number(event.currentTarget.value))}>
          {names.map((name, seat) => (
            <option key={seat} value={String(seat)}>
              {numberFirst(name)}
            </option>
          ))}
        </select>
      </label>
    </section>
  );
}
