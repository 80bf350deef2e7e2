// The positions of a record, fetched piece by piece.

import { useEffect, useState } from "preact/hooks";
import { api } from "../net/api";
import type { Step } from "../net/protocol";

interface Steps {
  steps: Step[];
  total: number;
  fault: string | null;
}

/** Gives each view the moves before it: the server leaves them out, as the steps before tell them. */
function withHistory(steps: Step[]): void {
  const history = steps.slice(1).map((step): [number, string] => [step.seat!, step.move!]);
  for (const step of steps) for (const view of step.views) view.history ??= history.slice(0, step.seq);
}

/** All positions, from the first on; `total` says how many there will be. */
export function useSteps(record: string, chunk: number): Steps {
  const [loaded, setLoaded] = useState<Steps>({ steps: [], total: 0, fault: null });
  useEffect(() => {
    let left = false;
    (async () => {
      let steps: Step[] = [];
      for (let total = 1; steps.length < total && !left;) {
        const part = await api.replay(record, steps.length, chunk);
        steps = [...steps, ...part.steps];
        withHistory(steps);
        total = part.total;
        if (!left) setLoaded({ steps, total, fault: null });
      }
    })().catch((error) => !left && setLoaded({ steps: [], total: 0, fault: error?.fault?.code ?? "failed" }));
    return () => void (left = true);
  }, [record]);
  return loaded;
}
