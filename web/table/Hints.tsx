// The hints panel: each move with its value, the best first, and why; for chances to win, the curve over the game.

import type { AgentCard, Hint, Unit, View } from "../net/protocol";
import { useState } from "preact/hooks";
import type { GameModule } from "../games/game";
import { change, useSettings } from "../settings";
import { agentText, words as pageWords } from "../words";
import { badgeText } from "./values";

export interface HintsProps {
  agents: AgentCard[]; // those that have values
  agent: string | null;
  hint: Hint | null;
  silent: string | null; // why there are none
  waiting: boolean;
  game: string;
  moveText: (move: string) => string;
  figure: (move: string) => string;
  unitText: (unit: Unit) => string; // what the figures are
  reason: (move: string) => string;
  curve: number[];
  onPick?: (move: string) => void;
  /** The titles of the table's rules that the agent did not learn. */
  unlearned: string[];
}

const SHOWN = 12;
const UNITS: Unit[] = ["probability", "points", "policy"];

export function Hints({
  agents,
  agent,
  hint,
  silent,
  waiting,
  game,
  moveText,
  figure,
  unitText,
  reason,
  curve,
  onPick,
  unlearned,
}: HintsProps) {
  const text = pageWords().table;
  const chosen = useSettings();
  const [pointed, setPointed] = useState<string | null>(null);
  if (!agents.length) return <p class="note">{text.noHintAgent}</p>;
  // Bids are told in a unit of their own, but what lies below stays where it is.
  const own = agents.find((card) => card.name === agent)?.unit;
  const unit = hint?.unit ?? own;
  const ranked = hint ? rankedMoves(hint) : [];
  const explained = pointed && hint?.reasons?.[pointed] ? pointed : hint?.best;
  const why = explained ? reason(explained) : "";
  return (
    <div class="hints">
      <label class="setting">
        <span>{text.hintFrom}</span>
        <select
          value={agent ?? ""}
          onChange={(event) =>
            change({ hintAgent: { ...chosen.hintAgent, [game]: event.currentTarget.value } })
          }
        >
          {agents.map((card) => (
            <option key={card.name} value={card.name}>
              {agentText(card).title}
            </option>
          ))}
        </select>
      </label>
      {own === "probability" && <Curve values={curve} />}
      {unlearned.length > 0 && <p class="note unlearned">{text.unlearned(unlearned.join(", "))}</p>}
      <p class="why-so">{why && text.because(moveText(explained!), why)}</p>
      <ol class="values" tabIndex={0} onPointerLeave={() => setPointed(null)}>
        {!hint && waiting && <li class="note">{silent ?? text.waitingForHint}</li>}
        {hint &&
          ranked.slice(0, SHOWN).map((move, place) => (
            <li key={place} class={move === hint.best ? "best" : ""} onPointerEnter={() => setPointed(move)}>
              <button
                type="button"
                class="quiet"
                disabled={!onPick}
                onFocus={() => setPointed(move)}
                onClick={() => onPick?.(move)}
              >
                <span class="figure">{figure(move)}</span>
                <span>{moveText(move)}</span>
                {move === hint.best && <span class="mark">{text.best}</span>}
              </button>
            </li>
          ))}
      </ol>
      {unit && (
        <div class="units">
          {UNITS.map((of) => (
            <p key={of} class={of === unit ? "note" : "note absent"}>
              {unitText(of)}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

/** How a game wants the figures of its hints. */
export const figureStyle = <V extends View, W>(game: GameModule<V, W>, words: W) => ({
  losses: game.losses !== undefined,
  whole: game.wholePoints?.(words) !== undefined,
});

/** What the figures of hints in a unit are. */
export const unitText = <V extends View, W>(game: GameModule<V, W>, words: W, unit: Unit): string =>
  game.losses?.(words)[unit] ??
  (unit === "points" ? game.wholePoints?.(words) : undefined) ??
  pageWords().table.unit[unit];

/** The moves of a hint, the best first: of equal ones that which the agent holds for best. */
export const rankedMoves = (hint: Hint): string[] =>
  Object.entries(hint.values)
    .sort((a, b) => Number(b[0] === hint.best) - Number(a[0] === hint.best) || b[1] - a[1])
    .map(([move]) => move);

/** Chances to win, 0 to 1, from left to right. */
export function Curve({ values }: { values: number[] }) {
  const width = 240;
  const height = 52;
  const x = (index: number) => (index / Math.max(1, values.length - 1)) * (width - 8) + 4;
  const y = (value: number) => height - 4 - value * (height - 8);
  const path = values
    .map((value, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("");
  const now = values.at(-1);
  return (
    <figure class="curve">
      <figcaption>
        <span>{pageWords().table.curve}</span>
        <span class="figure">{now !== undefined && badgeText(now, "probability")}</span>
      </figcaption>
      <svg
        key={values.length}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${pageWords().table.curve}: ${values.map((value) => badgeText(value, "probability")).join(", ")}`}
      >
        <path class="middle" d={`M4 ${y(0.5)}H${width - 4}`} />
        <path class="line" d={path} />
        {now !== undefined && <circle class="now" cx={x(values.length - 1)} cy={y(now)} r="4" />}
      </svg>
    </figure>
  );
}
