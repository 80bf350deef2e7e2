// The guided first round: at each decision a word about what to look at and why, with the cards in question framed.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { change, settings } from "../settings";
import { words } from "../words";
import { useKept } from "./byItself";
import type { Scene } from "./scene";

/** One thing to be told, once, when it is first to be seen. */
export interface GuideStep {
  zones: string[]; // whose cards are framed
  text: string;
  now: boolean; // whether it fits the position
}

interface GuideProps {
  table: string;
  game: string;
  steps: GuideStep[];
  scene: Scene;
}

interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

const EDGE = 6;

export const endGuide = (game: string): void => change({ guided: { ...settings().guided, [game]: true } });

export function Guide({ table, game, steps, scene }: GuideProps) {
  const text = words().table;
  const [seen, setSeen] = useKept<number[]>(`fuda.guide.${table}`, []);
  const [frame, setFrame] = useState<Frame | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const number = steps.findIndex((step, index) => step.now && !seen.includes(index));
  const step = steps[number];
  useLayoutEffect(() => setFrame(step ? around(place.current!, step.zones, scene) : null), [number, scene]);
  if (!step) return null;
  const next = () => {
    setSeen([...seen, number]);
    if (seen.length + 1 === steps.length) endGuide(game);
  };
  const height = place.current?.clientHeight ?? 0;
  const below = frame !== null && frame.top + frame.height / 2 < height / 2;
  const where = below
    ? { top: `${frame.top + frame.height + EDGE}px` }
    : { bottom: `${frame ? height - frame.top + EDGE : EDGE}px` };
  return (
    <div class="guide" ref={place}>
      {frame && (
        <i
          style={{
            transform: `translate(${frame.left}px, ${frame.top}px)`,
            width: `${frame.width}px`,
            height: `${frame.height}px`,
          }}
        />
      )}
      <div class="word" style={where} role="status">
        <p>{step.text}</p>
        <button type="button" class="quiet" onClick={() => endGuide(game)}>
          {text.guideSkip}
        </button>
        <button type="button" class="primary" onClick={next}>
          {text.guideNext}
        </button>
      </div>
    </div>
  );
}

/** What goes around the cards of some zones, within the stage. */
function around(stage: HTMLElement, zones: string[], scene: Scene): Frame | null {
  const ids = zones.flatMap((zone) => (scene[zone] ?? []).map((item) => item.id));
  const origin = stage.getBoundingClientRect();
  const boxes = [...stage.parentElement!.querySelectorAll<HTMLElement>("[data-card]")]
    .filter((card) => ids.includes(card.dataset.card!))
    .map((card) => card.getBoundingClientRect());
  if (!boxes.length) return null;
  const left = Math.min(...boxes.map((box) => box.left)) - origin.left - EDGE;
  const top = Math.min(...boxes.map((box) => box.top)) - origin.top - EDGE;
  return {
    left,
    top,
    width: Math.max(...boxes.map((box) => box.right)) - origin.left - left + EDGE,
    height: Math.max(...boxes.map((box) => box.bottom)) - origin.top - top + EDGE,
  };
}
