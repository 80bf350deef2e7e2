// Plays frames one after the other. Any input ends the animation at once: the last frame is the truth.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Cue, Frame, Scene } from "./scene";

export interface Playing {
  scene: Scene;
  from?: Record<string, string>;
  cue: Cue | null;
  busy: boolean;
}

export interface Player {
  now: Playing;
  /** Adds frames to what is being played. */
  play(frames: Frame[]): void;
  /** Shows a scene without any animation, and forgets what was to come. */
  show(scene: Scene): void;
  /** Ends the animation at once. */
  finish(): void;
}

const LONGEST_QUEUE = 40;

/** Without `motion` only what must be seen is held, and nothing is animated. */
export function usePlayer(first: Scene, motion: boolean, speed: number): Player {
  const [now, setNow] = useState<Playing>({ scene: first, cue: null, busy: false });
  const queue = useRef<Frame[]>([]);
  const timer = useRef(0);
  const running = useRef(false);
  const pace = useRef({ motion, speed });
  pace.current = { motion, speed };
  useEffect(() => () => clearTimeout(timer.current), []);

  const next = () => {
    const frame = queue.current.shift();
    running.current = frame !== undefined;
    if (!frame) return setNow((shown) => ({ ...shown, from: undefined, cue: null, busy: false }));
    setNow({ scene: frame.scene, from: frame.from, cue: frame.cue ?? null, busy: true });
    timer.current = window.setTimeout(next, frame.hold / pace.current.speed);
  };
  const stop = () => {
    clearTimeout(timer.current);
    queue.current = [];
    running.current = false;
  };
  const show = (scene: Scene) => {
    stop();
    setNow({ scene, cue: null, busy: false });
  };
  const finish = () => {
    const last = queue.current.at(-1);
    stop();
    setNow((shown) => ({ scene: last?.scene ?? shown.scene, cue: null, busy: false }));
  };
  const play = (frames: Frame[]) => {
    if (!frames.length) return;
    // The last frame is always shown.
    const wanted = pace.current.motion
      ? frames
      : frames
          .filter((frame, index) => frame.keep || index === frames.length - 1)
          .map((frame) => (frame.keep ? frame : { ...frame, hold: 0 }));
    queue.current.push(...wanted);
    if (queue.current.length > LONGEST_QUEUE || document.hidden) return finish();
    if (wanted.length === 1 && !wanted[0].hold && !running.current) return show(queue.current[0].scene);
    if (!running.current) next();
  };
  return { now, play, show, finish };
}
