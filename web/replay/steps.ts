// The positions of a record, fetched piece by piece.

import { useEffect, useState } from "preact/hooks";
import { api } from "../net/api";
import type { Step, View } from "../net/protocol";

type History = View["history"];

/** A step whose views have the moves before it, as far as their seats know them. */
export interface Position extends Omit<Step, "views"> {
  views: View[];
  history: History; // all of them
}

interface Steps {
  steps: Position[];
  total: number;
  players: string[] | null; // told to who reads it by a link
  fault: string | null;
}

const none: Steps = { steps: [], total: 0, players: null, fault: null };

/** Goes on after the positions known: the server leaves the moves out of the views, as the steps tell them. */
function append(known: Position[], steps: Step[]): Position[] {
  let history: History = known.at(-1)?.history ?? [];
  const added = steps.map((step): Position => {
    if (step.seat !== null) history = [...history, [step.seat, step.move]];
    const views = step.views.map((view, seat): View => {
      const hidden = new Set(step.hidden[seat]);
      const known: History = hidden.size
        ? history.map(([mover, move], number) => [mover, hidden.has(number) ? null : move])
        : history;
      return { ...view, history: known };
    });
    return { ...step, views, history };
  });
  return [...known, ...added];
}

/** All positions, from the first on; `total` says how many there will be. `byLink`: `record` is a code to read it by. */
export function useSteps(record: string, byLink: boolean, chunk: number): Steps {
  const [loaded, setLoaded] = useState<Steps>(none);
  useEffect(() => {
    let left = false;
    (async () => {
      let steps: Position[] = [];
      for (let total = 1; steps.length < total && !left;) {
        const part = await (byLink ? api.sharedReplay : api.replay)(record, steps.length, chunk);
        steps = append(steps, part.steps);
        total = part.total;
        if (!left) setLoaded({ steps, total, players: part.players ?? null, fault: null });
      }
    })().catch((error) => !left && setLoaded({ ...none, fault: error?.fault?.code ?? "failed" }));
    return () => void (left = true);
  }, [record]);
  return loaded;
}
