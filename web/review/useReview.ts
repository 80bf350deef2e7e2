// The review of a seat in a finished game: asked for until it is there.

import { useEffect } from "preact/hooks";
import { useAnswer } from "../net/answer";
import { api } from "../net/api";
import type { ReviewInfo } from "../net/protocol";

const POLL_MS = 1500;

/** The review, and how to have one computed; `news` changes when the server has told that one is there. */
export function useReview(record: string, seat: number, news = 0): [ReviewInfo | null, () => void] {
  const { answer, ask } = useAnswer(() => api.review(record, seat), `${record}/${seat}`);
  const info = answer?.record === record && answer.seat === seat ? answer : null;
  useEffect(() => {
    if (news) ask();
  }, [news]);
  useEffect(() => {
    if (info?.state !== "waiting") return;
    const timer = window.setTimeout(ask, POLL_MS);
    return () => clearTimeout(timer);
  }, [info]);
  const request = () => void api.askReview(record, { seat }).then(ask, ask);
  return [info, request];
}
