// A seat at a table: keeps the connection and what the server last said.

import { useEffect, useRef, useState } from "preact/hooks";
import { api, ownerSecret } from "../net/api";
import { Connection, type Link } from "../net/connection";
import type {
  FromServer,
  GameEvent,
  Hint,
  Pace,
  Result,
  Snapshot,
  StandIn,
  State,
  TableInfo,
  View,
} from "../net/protocol";

export interface Position {
  seq: number;
  state: State;
  view: View;
  views: View[] | null;
  events: GameEvent[]; // of the last move
  result: Result | null;
}

export interface Session {
  info: TableInfo | null;
  seat: number;
  link: Link;
  closeCode: number;
  at: Position | null;
  hint: Hint | null;
  hintFault: string | null;
  sending: boolean;
  standIn: (StandIn & { seat: number }) | null;
  refused: boolean;
  fault: string | null; // the code of what the server could not use
  cameAt: number | null; // the seq when the person came
  failed: string | null; // the code of a fault that ended the visit
  reviewed: number; // how many reviews of the finished game the server has told of
  clock: { seq: number; ends: number } | null; // when the time for a decision is up, by performance.now()
}

/** A change to be animated, or (without `before`) to be shown at once. */
export type Change = { before: Position | null; after: Position };

export interface SessionActions {
  act(move: string): void;
  goOn(): void;
  takeBack(): void;
  resign(): void;
  askHint(agent: string): void;
  setPace(pace: Pace): void;
  step(): void;
  agree(hints: boolean): void;
}

const blank: Session = {
  info: null,
  seat: 0,
  link: "connecting",
  closeCode: 0,
  at: null,
  hint: null,
  hintFault: null,
  sending: false,
  standIn: null,
  refused: false,
  fault: null,
  cameAt: null,
  failed: null,
  reviewed: 0,
  clock: null,
};

/** What a message tells of where the table stands; what it leaves out is not there. */
const positionOf = (
  message: Pick<Position, "seq" | "state" | "view"> & Partial<Pick<Position, "views" | "events" | "result">>,
): Position => ({
  seq: message.seq,
  state: message.state,
  view: message.view,
  views: message.views ?? null,
  events: message.events ?? [],
  result: message.result ?? null,
});

/** What everybody at a table is told, with what this browser alone was told before. */
const withOwn = (table: TableInfo, before: TableInfo | null): TableInfo => ({
  ...table,
  own: before?.own ?? false,
  seats: table.seats.map((seat, index) => ({ ...seat, secret: before?.seats[index].secret ?? null })),
});

/** Why nothing is taken back: said in words of its own. */
const NO_TAKEBACK = new Set(["not_alone", "nothing_to_take_back"]);

/** `watchFrom`: the seat from which to look at a table without persons; `byLink`: `table` is a code to look on by. */
export function useSession(
  table: string,
  byLink: boolean,
  watchFrom: number,
  onChange: (change: Change) => void,
): [Session, SessionActions] {
  const [session, setSession] = useState<Session>(blank);
  const latest = useRef<Session>(blank);
  const connection = useRef<Connection | null>(null);
  const changed = useRef(onChange);
  changed.current = onChange;

  const update = (part: Partial<Session>) => {
    latest.current = { ...latest.current, ...part };
    setSession(latest.current);
  };

  const arrive = (after: Position, part: Partial<Session>, animate: boolean) => {
    const before = animate ? latest.current.at : null;
    update({ at: after, hint: null, hintFault: null, cameAt: latest.current.cameAt ?? after.seq, ...part });
    changed.current({ before, after });
  };

  const stand = (message: Snapshot) => {
    const { info } = latest.current;
    if (info) update({ info: { ...info, takebacks: message.takebacks } });
    arrive(positionOf(message), { sending: false }, false);
  };

  const receive = (message: FromServer) => {
    const now = latest.current.at;
    switch (message.type) {
      case "welcome":
        return update({
          info: withOwn(message.table, latest.current.info),
          seat: message.seat,
        });
      case "snapshot":
        return stand(message);
      case "moved":
        return arrive(
          positionOf(message),
          {
            standIn: message.stand_in ? { ...message.stand_in, seat: message.seat } : null,
            refused: false,
            fault: null,
            sending: false,
          },
          true,
        );
      case "continued":
        return arrive(positionOf(message), { sending: false }, true);
      case "ended":
        return arrive(positionOf(message), { sending: false }, false);
      case "refused": {
        const { code } = message.error;
        update({ sending: false, ...(NO_TAKEBACK.has(code) ? { fault: code } : { refused: true }) });
        if (message.snapshot) stand(message.snapshot);
        return;
      }
      case "hint":
        if (message.seq === now?.seq) update({ hint: message, hintFault: null });
        return;
      case "no_hint":
        if (message.seq === now?.seq) update({ hintFault: message.error.code });
        return;
      case "seated":
        return update({ info: withOwn(message.table, latest.current.info) });
      case "clock": {
        const { seq, left } = message;
        return update({ clock: left === null ? null : { seq, ends: performance.now() + left } });
      }
      case "paced":
        if (latest.current.info) update({ info: { ...latest.current.info, pace: message.pace } });
        return;
      case "error": {
        // It may have been the question for a hint; if not, the hint comes and puts this right.
        const hintFault = latest.current.hint ? null : message.error.code;
        return update({ sending: false, fault: message.error.code, hintFault });
      }
      case "reviewed":
        return update({ reviewed: latest.current.reviewed + 1 });
      case "deleted":
        return update({ failed: "no_such_table" });
    }
  };

  useEffect(() => {
    let left = false;
    latest.current = blank;
    setSession(blank);
    (async () => {
      const info = await (byLink ? api.watched(table) : api.table(table));
      const own = info.seats.findIndex((seat) => seat.secret);
      const seat = own < 0 ? watchFrom : own;
      const secret = byLink ? table : (info.seats[own]?.secret ?? (await ownerSecret()));
      if (left) return;
      update({ info, seat });
      connection.current = new Connection(
        { table: info.table, seat, secret, watch: byLink },
        receive,
        (link, closeCode) => update({ link, closeCode }),
      );
    })().catch((error) => update({ failed: error?.fault?.code ?? "failed" }));
    return () => {
      left = true;
      connection.current?.close();
    };
  }, [table, watchFrom]);

  const decide = (type: "move" | "continue" | "takeback" | "resign", move?: string) => {
    const at = latest.current.at;
    if (!at || (latest.current.sending && type === "move")) return;
    update({ sending: true, refused: false, fault: null, standIn: null });
    connection.current?.decide(type, at.seq, move);
  };
  return [
    session,
    {
      act: (move) => decide("move", move),
      goOn: () => decide("continue"),
      takeBack: () => decide("takeback"),
      resign: () => decide("resign"),
      askHint: (agent) =>
        latest.current.at && connection.current?.say({ type: "hint", seq: latest.current.at.seq, agent }),
      setPace: (pace) => connection.current?.say({ type: "pace", pace }),
      agree: (hints) => connection.current?.say({ type: "agree", hints }),
      step: () => connection.current?.say({ type: "step" }),
    },
  ];
}
