// Puzzles: positions of one's own games in which one erred, one after the other, until none is due.

import { useState } from "preact/hooks";
import { useGame } from "../App";
import { canShow } from "../games";
import { useAnswer } from "../net/answer";
import { api } from "../net/api";
import type { Lobby, PuzzleName, Puzzles } from "../net/protocol";
import { IconButton } from "../table/IconButton";
import { icons } from "../table/icons";
import { SettingsDialog } from "../table/SettingsDialog";
import { Waiting } from "../table/Waiting";
import { dateText, faultText, gameTitle, words } from "../words";
import { PuzzleTable } from "./PuzzleTable";
import "./style.css";

interface PuzzlesPageProps {
  lobby: Lobby;
  language: string;
  go: (hash: string) => void;
}

export function PuzzlesPage({ lobby, language, go }: PuzzlesPageProps) {
  const text = words().puzzles;
  const [turn, setTurn] = useState(0);
  const { answer, fault } = useAnswer(async () => ({ turn, counted: await api.puzzles() }), String(turn));
  const [settingsOpen, setSettingsOpen] = useState(false);
  const [sheetOpen, setSheetOpen] = useState(false);
  const first = answer?.counted.first;
  const next = () => setTurn(turn + 1);
  return (
    <div class="table-page puzzles" data-game={first?.game} data-turn={answer?.turn}>
      <header class="bar">
        <IconButton icon={icons.back} name={words().table.lobby} onClick={() => go("#/")} />
        <h1 class="status">
          {first && <span class="brief">{text.ask} · </span>}
          <span class={first ? "long" : ""}>
            {text.title}
            {answer && " · "}
          </span>
          {answer && text.due(answer.counted.due)}
        </h1>
        {first && (
          <IconButton
            class="narrow-only"
            icon={icons.sheet}
            name={words().table.sheet}
            onClick={() => setSheetOpen(true)}
          />
        )}
        <IconButton
          icon={icons.settings}
          name={words().table.settings}
          onClick={() => setSettingsOpen(true)}
        />
      </header>
      {first ? (
        // The same puzzle may come again at once.
        <AtPuzzle
          key={answer.turn}
          name={first}
          lobby={lobby}
          language={language}
          go={go}
          next={next}
          sheetOpen={sheetOpen}
          onSheetClose={() => setSheetOpen(false)}
        />
      ) : (
        <main class="felt">
          {answer ? <NoneDue counted={answer.counted} /> : fault ? <p>{faultText(fault)}</p> : <Waiting />}
        </main>
      )}
      {settingsOpen && <SettingsDialog onClose={() => setSettingsOpen(false)} />}
    </div>
  );
}

/** What to say where there is nothing to do. */
function NoneDue({ counted }: { counted: Puzzles }) {
  const text = words().puzzles;
  return (
    <div class="none-due">
      <h2>{text.due(0)}</h2>
      {counted.next && <p>{text.later(counted.later, dateText(counted.next))}</p>}
      {counted.solved > 0 && <p>{text.solved(counted.solved)}</p>}
      <p>{text.how}</p>
      <a class="button primary" href="#/">
        {words().table.toLobby}
      </a>
    </div>
  );
}

interface AtPuzzleProps {
  name: PuzzleName;
  lobby: Lobby;
  language: string;
  go: (hash: string) => void;
  next: () => void;
  sheetOpen: boolean;
  onSheetClose: () => void;
}

/** One puzzle, once it and its game are there. */
function AtPuzzle({ name, language, ...rest }: AtPuzzleProps) {
  const text = words().puzzles;
  const { lobby, next } = rest;
  const shown = canShow(name.game);
  const { answer: puzzle, fault } = useAnswer(() => api.puzzle(name.puzzle), name.puzzle);
  const loaded = useGame(shown ? name.game : null, language);
  const forget = () => void api.forgetPuzzle(name.puzzle).then(next, next);
  const why = !shown ? words().noPage(gameTitle(lobby, name.game), name.game) : fault && faultText(fault);
  if (puzzle && loaded)
    return (
      <PuzzleTable
        puzzle={puzzle}
        game={loaded.module}
        gameWords={loaded.gameWords}
        forget={forget}
        {...rest}
      />
    );
  return (
    <main class="felt">
      {why ? (
        <div class="none-due">
          <p>{why}</p>
          <button type="button" onClick={forget}>
            {text.forget}
          </button>
        </div>
      ) : (
        <Waiting />
      )}
    </main>
  );
}
