// Several persons at a table: who sits where, agreement to hints, an agent in somebody's place.

import { useRef, useState } from "preact/hooks";
import { api, faultOf } from "../net/api";
import type { TableInfo } from "../net/protocol";
import { Sure } from "../table/Sure";
import { Trouble } from "../table/Trouble";
import { faultText, words } from "../words";
import "./style.css";

interface FriendsProps {
  info: TableInfo;
  seat: number; // one's own
  over: boolean;
  names: string[];
  agree: (hints: boolean) => void;
  invite: (seat: number) => void;
  lookOn: () => void; // the link for those who do
  go: (hash: string) => void;
}

export function Friends({ info, seat, over, names, agree, invite, lookOn, go }: FriendsProps) {
  const text = words().friends;
  const [leaving, setLeaving] = useState<number | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const persons = info.seats.flatMap((each, index) => (each.kind === "person" ? [index] : []));
  // Whoever comes and goes, every row stays where it is.
  const rows = useRef<number[]>([]);
  rows.current = [...new Set([...rows.current, ...persons])].sort();
  const agreed = info.agreed ?? [];
  const leave = async (from: number) => {
    setFault(null);
    try {
      await api.leave(info.table, from);
      if (from === seat) go("#/");
    } catch (error) {
      setFault(faultOf(error).code);
    }
  };
  return (
    <section class="friends">
      <h2>{text.title}</h2>
      <ul>
        {rows.current.map((person) => {
          const { open, kind } = info.seats[person];
          const own = person === seat;
          const absent = over || kind !== "person" || !(own || info.own);
          return (
            <li key={person}>
              <span key={names[person]}>{names[person]}</span>
              {open ? (
                <button
                  key="invite"
                  type="button"
                  class={absent ? "absent" : "primary"}
                  onClick={() => invite(person)}
                >
                  {text.invite}
                </button>
              ) : (
                <button
                  key="leave"
                  type="button"
                  class={absent ? "absent" : "quiet"}
                  onClick={() => setLeaving(person)}
                >
                  {own ? text.leave : text.replace}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {info.own && (
        <button type="button" class={over ? "quiet absent" : "quiet"} onClick={lookOn}>
          {text.lookOn}
        </button>
      )}
      <label class="setting">
        <span>{text.agree}</span>
        <input
          type="checkbox"
          disabled={over}
          checked={agreed.includes(seat)}
          onChange={(event) => agree(event.currentTarget.checked)}
        />
      </label>
      <p class="note hints-note">
        {persons.every((person) => agreed.includes(person)) ? text.hintsOn : text.hintsOff}
      </p>
      {leaving !== null && (
        <Sure
          title={leaving === seat ? text.leaveTitle : text.replaceTitle}
          text={leaving === seat ? text.leaveSure : text.replaceSure}
          onYes={() => void leave(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
      {fault && <Trouble text={faultText(fault)} onClose={() => setFault(null)} />}
    </section>
  );
}
