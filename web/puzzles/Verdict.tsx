// What is said about a move: right or not, the best move beside it, why, and when the puzzle comes back.

import type { Lobby, PuzzleVerdict } from "../net/protocol";
import { costText, valueText } from "../table/values";
import { agentTitle, dateText, words } from "../words";

interface VerdictProps {
  verdict: PuzzleVerdict;
  needed: number;
  lobby: Lobby;
  moveText: (move: string) => string;
  reason: (move: string) => string;
  whole: boolean; // points have no decimals
}

export function Verdict({ verdict, needed, lobby, moveText, reason, whole }: VerdictProps) {
  const { puzzles: text, review, table } = words();
  const { move, best, erred, cost, right, streak, due, unit, values } = verdict;
  const amount = review.amount(costText(cost, unit, whole), unit);
  const worth = (of: string) => text.worth(moveText(of), valueText(values[of], unit, whole));
  const why = (of: string) => reason(of) && table.because(moveText(of), reason(of));
  const reasons = [...new Set([best, move])].map(why).filter(Boolean);
  return (
    <>
      <h2 class={right ? "right" : "wrong"}>{move === best ? text.best : right ? text.right : text.wrong}</h2>
      {move !== best && <p>{text.instead(worth(move), worth(best), amount)}</p>}
      {reasons.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {erred !== move && <p>{text.erred(moveText(erred))}</p>}
      <p class="note">
        {due === null
          ? text.done(needed)
          : right
            ? text.comesBack(dateText(due), streak, needed)
            : text.comesSoon}{" "}
        {text.judged(agentTitle(lobby, verdict.agent))}
      </p>
    </>
  );
}
