// What one's games cost by their reviews, over time: a dot a game, and the mean of the last ones as a curve.

import type { GameProgress, Lobby } from "../net/protocol";
import { Curve } from "../review/Curve";
import { costText } from "../table/values";
import { agentTitle, dayText, words } from "../words";

const TOGETHER = 10; // games in a mean
const TOLD = 12; // means that are read out

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of each value and those before it, so many together. */
export const runningMeans = (values: number[]): number[] =>
  values.map((_, number) => mean(values.slice(Math.max(0, number + 1 - TOGETHER), number + 1)));

export function Costs({ game, lobby }: { game: GameProgress; lobby: Lobby }) {
  const text = words().progress;
  const { unit } = game;
  const reviewed = game.played.filter(({ cost }) => cost !== null);
  if (unit === null || !reviewed.length) return <p class="note">{text.noCosts}</p>;
  const amount = (cost: number) => words().review.amount(costText(cost, unit, false), unit);
  const costs = reviewed.map(({ cost }) => cost!);
  const means = runningMeans(costs);
  // The agents that are near: who plays by chance would press all others together.
  const near = game.standing.filter(({ cost }) => cost > 0);
  const highest = Math.max(...costs, near.at(-1)?.cost ?? 0) || 1;
  const shown = near.filter(({ cost }) => cost <= highest);
  const at = (number: number) => (costs.length > 1 ? number / (costs.length - 1) : 0.5);
  const days = [reviewed[0], reviewed.at(-1)!].flatMap(({ created }) => (created ? [dayText(created)] : []));
  return (
    <div class="costs-over-time">
      <Curve
        kind="cost-curve"
        title={text.costs}
        figures={means.slice(-TOLD).map(amount)}
        points={means.map((level, number) => [at(number), level])}
        range={[0, highest]}
        across={shown.map(({ cost }) => cost)}
        dots={costs.map((level, number) => [at(number), level])}
      />
      {days.length === 2 && (
        <p class="days" aria-hidden="true">
          <span>{days[0]}</span> <span>{days[0] !== days[1] && days[1]}</span>
        </p>
      )}
      <p>{text.lately(amount(means.at(-1)!), Math.min(TOGETHER, costs.length))}</p>
      <p class="note">
        {text.scale(
          amount(highest),
          shown.map(({ agent, cost }) => `${agentTitle(lobby, agent)} ${amount(cost)}`).join(text.comma),
        )}
      </p>
    </div>
  );
}
