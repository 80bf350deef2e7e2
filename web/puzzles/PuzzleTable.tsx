// One puzzle: the position as the seat saw it, a move to choose, and what is to be said about it.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { preload } from "../decks/deck";
import type { GameModule } from "../games/game";
import { api, faultOf } from "../net/api";
import type { Hint, Lobby, Puzzle, PuzzleVerdict } from "../net/protocol";
import { useSettings } from "../settings";
import { Dialog } from "../table/Dialog";
import { figureStyle, unitText } from "../table/Hints";
import { Log } from "../table/Log";
import { tellApart } from "../table/names";
import { Trouble } from "../table/Trouble";
import { useSize } from "../table/useSize";
import { ValueList } from "../table/ValueList";
import { faultText, playerTitle, words } from "../words";
import { Verdict } from "./Verdict";

interface PuzzleTableProps {
  puzzle: Puzzle;
  game: GameModule;
  gameWords: unknown;
  lobby: Lobby;
  go: (hash: string) => void;
  next: () => void;
  forget: () => void;
  sheetOpen: boolean; // where there is no room beside the table
  onSheetClose: () => void;
}

export function PuzzleTable({
  puzzle,
  game,
  gameWords,
  lobby,
  go,
  next,
  forget,
  sheetOpen,
  onSheetClose,
}: PuzzleTableProps) {
  const text = words().puzzles;
  const chosen = useSettings();
  const { view } = puzzle;
  const [stage, size] = useSize<HTMLDivElement>();
  const [verdict, setVerdict] = useState<PuzzleVerdict | null>(null);
  const [judging, setJudging] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const names = tellApart(puzzle.players.map((name, seat) => playerTitle(lobby, name, seat === view.seat)));
  const scene = useMemo(() => game.scene(view, null), [game, view]);
  useEffect(() => preload(game.deck, [null, ...game.faces]), [game, chosen.fourColours]);

  // The button that was pressed is gone: the keyboard goes on from here.
  const onward = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (verdict) onward.current!.focus({ preventScroll: true });
  }, [verdict]);

  const act = (move: string) => {
    if (judging || verdict) return;
    setJudging(true);
    setFault(null);
    api
      .solve(puzzle.puzzle, { move })
      .then(setVerdict, (error) => setFault(faultOf(error).code))
      .finally(() => setJudging(false));
  };
  const hint: Hint | null = useMemo(
    () => verdict && { type: "hint", seq: puzzle.seq, ...verdict },
    [verdict, puzzle],
  );
  const reason = (move: string) => {
    const found = verdict?.reasons[move];
    return (found && game.reasonText?.(gameWords, found, view, names)) ?? "";
  };
  const props = { words: gameWords, view, names, watching: false };
  const standing = (
    <>
      <p>
        <game.Status {...props} />
      </p>
      <game.Panel {...props} />
    </>
  );
  const log = (
    <>
      <h2>{words().table.log}</h2>
      <Log game={game} words={gameWords} view={view} names={names} />
    </>
  );
  return (
    <>
      <main class="felt" ref={stage}>
        {size.width > 0 && (
          <game.Table
            id={puzzle.puzzle}
            words={gameWords}
            view={view}
            told={view}
            open={null}
            scene={scene}
            cue={null}
            busy={false}
            motion={0}
            size={size}
            state="playing"
            names={names}
            legal={judging || verdict ? [] : (view.legal ?? [])}
            act={act}
            hurry={() => {}}
            watching={false}
            hint={hint}
            pick={null}
            suggest={null}
            reason={reason}
            played={verdict?.move}
          />
        )}
        <p class="toast" role="status">
          {judging && <span>{text.judging}</span>}
        </p>
        {fault && (
          <Trouble
            text={faultText(fault)}
            onClose={() => (fault === "no_such_puzzle" ? next() : setFault(null))}
          />
        )}
      </main>
      <aside class={verdict ? "side puzzle-side judged" : "side puzzle-side"}>
        <div class="verdict-place" aria-live="polite">
          {verdict ? (
            <Verdict
              verdict={verdict}
              needed={puzzle.needed}
              lobby={lobby}
              moveText={(move) => game.moveText(gameWords, move, view)}
              reason={reason}
              whole={game.wholePoints?.(gameWords) !== undefined}
            />
          ) : (
            <>
              <h2>{text.ask}</h2>
              <p>{text.line}</p>
              <p class="note">{text.streak(puzzle.streak, puzzle.needed)}</p>
            </>
          )}
        </div>
        <div class="puzzle-actions">
          <button ref={onward} type="button" class="primary" disabled={!verdict} onClick={next}>
            {text.next}
          </button>
          <button type="button" disabled={!verdict} onClick={() => go(`#/replay/${puzzle.record}`)}>
            {words().table.seeReplay}
          </button>
        </div>
        <section class="puzzle-more">
          {hint ? (
            <>
              <ValueList
                hint={hint}
                played={verdict!.move}
                style={figureStyle(game, gameWords)}
                moveText={(move) => game.moveText(gameWords, move, view)}
              />
              <p class="note">{unitText(game, gameWords, hint.unit)}</p>
            </>
          ) : (
            log
          )}
        </section>
        {standing}
        <button type="button" class="quiet forget" onClick={forget}>
          {text.forget}
        </button>
      </aside>
      {sheetOpen && (
        <Dialog title={words().table.sheet} onClose={onSheetClose}>
          {standing}
          <section>{log}</section>
        </Dialog>
      )}
    </>
  );
}
