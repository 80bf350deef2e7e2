// A question to the server that is asked again by itself for as long as what went wrong may pass.

import { useEffect, useRef, useState } from "preact/hooks";
import { faultOf } from "./api";
import { pauseBefore } from "./connection";

const PASSING = new Set(["offline", "busy", "too_often", "failed"]);

export interface Answered<T> {
  answer: T | null; // the last one: it stays while a newer one does not come
  fault: string | null;
  ask: () => void;
}

/** Asks at once, and anew when `about` changes. */
export function useAnswer<T>(question: () => Promise<T>, about?: string): Answered<T> {
  const [known, setKnown] = useState<Omit<Answered<T>, "ask">>({ answer: null, fault: null });
  const latest = useRef(0); // what earlier questions bring is not news
  const timer = useRef(0);
  const ask = (attempt: number) => {
    clearTimeout(timer.current);
    const number = ++latest.current;
    question().then(
      (answer) => number === latest.current && setKnown({ answer, fault: null }),
      (error) => {
        if (number !== latest.current) return;
        const { code } = faultOf(error);
        setKnown((before) => ({ ...before, fault: code }));
        if (PASSING.has(code))
          timer.current = window.setTimeout(() => ask(attempt + 1), pauseBefore(attempt));
      },
    );
  };
  useEffect(() => {
    ask(0);
    return () => {
      latest.current++;
      clearTimeout(timer.current);
    };
  }, [about]);
  return { ...known, ask: () => ask(0) };
}
