// Plays frames one after the other. Any input ends the animation at once: the last frame is the truth.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Cue, Frame, Scene } from "./scene";
import { sound } from "./sound";

/** `P` is what a scene belongs to: the position whose figures are told beside it. */
export interface Playing<P> {
  scene: Scene;
  from?: Record<string, string>;
  cue: Cue | null;
  busy: boolean;
  /** The position up to which all has been seen: while a move is animated, the one before it. */
  seen: P | null;
}

export interface Player<P> {
  now: Playing<P>;
  /** Adds the frames of the way to a position to what is being played. */
  play(frames: Frame[], position: P): void;
  /** Shows a scene without any animation, and forgets what was to come. */
  show(scene: Scene, position: P): void;
  /** Ends the animation at once. */
  finish(): void;
}

/** A frame in the queue; the last one of a move reaches the position after it. */
interface Queued<P> extends Frame {
  reaches?: P;
}

const LONGEST_QUEUE = 40;

/** Without `motion` only what must be seen is held, and nothing is animated. */
export function usePlayer<P>(motion: boolean, speed: number): Player<P> {
  const [now, setNow] = useState<Playing<P>>({ scene: {}, cue: null, busy: false, seen: null });
  const queue = useRef<Queued<P>[]>([]);
  const timer = useRef(0);
  const running = useRef(false);
  const pace = useRef({ motion, speed });
  pace.current = { motion, speed };
  useEffect(() => () => clearTimeout(timer.current), []);

  const next = () => {
    const frame = queue.current.shift();
    running.current = frame !== undefined;
    if (!frame) return setNow((shown) => ({ ...shown, from: undefined, cue: null, busy: false }));
    sound(frame.sound);
    setNow(({ seen }) => ({
      scene: frame.scene,
      from: frame.from,
      cue: frame.cue ?? null,
      busy: true,
      seen: frame.reaches ?? seen,
    }));
    timer.current = window.setTimeout(next, frame.hold / pace.current.speed);
  };
  const stop = () => {
    clearTimeout(timer.current);
    queue.current = [];
    running.current = false;
  };
  const show = (scene: Scene, position: P) => {
    stop();
    setNow({ scene, cue: null, busy: false, seen: position });
  };
  const finish = () => {
    const last = queue.current.at(-1);
    stop();
    setNow(({ scene, seen }) => ({
      scene: last?.scene ?? scene,
      cue: null,
      busy: false,
      seen: last?.reaches ?? seen,
    }));
  };
  const play = (frames: Frame[], position: P) => {
    // Without animations a move is heard as it comes.
    if (!pace.current.motion) sound(frames.find((frame) => frame.sound && !frame.keep)?.sound);
    // The last frame is always shown.
    const wanted = pace.current.motion
      ? frames
      : frames
          .filter((frame, index) => frame.keep || index === frames.length - 1)
          .map((frame) => (frame.keep ? frame : { ...frame, hold: 0 }));
    const end = wanted.length - 1;
    queue.current.push(
      ...wanted.map((frame, index) => (index === end ? { ...frame, reaches: position } : frame)),
    );
    if (queue.current.length > LONGEST_QUEUE || document.hidden) return finish();
    if (!end && !wanted[0].hold && !running.current) return show(queue.current[0].scene, position);
    if (!running.current) next();
  };
  return { now, play, show, finish };
}
