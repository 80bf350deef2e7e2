// Chooses the screen by the address after #, and loads what it needs.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { JoinPage } from "./friends/JoinPage";
import { canShow, loadGame, type Loaded } from "./games";
import { LobbyPage } from "./lobby/LobbyPage";
import { NewGame } from "./lobby/NewGame";
import { useAnswer } from "./net/answer";
import { api } from "./net/api";
import type { Lobby } from "./net/protocol";
import { useSettings } from "./settings";
import { Gone } from "./table/Gone";
import { Waiting } from "./table/Waiting";
import { faultText, gameTitle, loadWords, words } from "./words";

interface Screen {
  name: "lobby" | "new" | "table" | "replay" | "join" | "watch" | "shared" | "progress" | "puzzles";
  id: string;
  move: number; // of a shared game: where to begin
}

function read(hash: string): Screen {
  if (hash === "#/progress") return { name: "progress", id: "", move: 0 };
  if (hash === "#/puzzles") return { name: "puzzles", id: "", move: 0 };
  const [, name, id, move] =
    hash.match(/^#\/(new|table|replay|join|watch|shared)\/([\w-]+)(?:\/(\d+))?$/) ?? [];
  return { name: name ?? "lobby", id: id ?? "", move: Number(move ?? 0) } as Screen;
}

const go = (hash: string) => {
  location.hash = hash;
};

function useHash(): Screen {
  const [screen, setScreen] = useState(() => read(location.hash));
  useEffect(() => {
    const follow = () => setScreen(read(location.hash));
    const listen = () => {
      follow();
      window.scrollTo(0, 0);
    };
    window.addEventListener("hashchange", listen);
    follow(); // the address may have changed since it was first read
    return () => window.removeEventListener("hashchange", listen);
  }, []);
  return screen;
}

/** The language's words are there; changes when another language has been loaded. */
function useLanguage(): string | null {
  const { language } = useSettings();
  const [ready, setReady] = useState<string | null>(null);
  useEffect(() => {
    let left = false;
    loadWords().then(() => !left && setReady(language));
    return () => void (left = true);
  }, [language]);
  return ready;
}

function useTheme(): void {
  const { theme } = useSettings();
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
}

export function App() {
  const screen = useHash();
  const language = useLanguage();
  const { answer: lobby, fault, ask } = useAnswer(api.lobby);
  useTheme();
  if (!language) return null;
  if (!lobby)
    return (
      <main key={fault ? "fault" : "loading"} class="gone">
        <p>{fault ? faultText(fault) : words().lobby.loading}</p>
        {fault && (
          <button type="button" class="primary" onClick={ask}>
            {words().lobby.tryAgain}
          </button>
        )}
      </main>
    );
  switch (screen.name) {
    case "table":
      return <AtTable key={screen.id} table={screen.id} language={language} lobby={lobby} />;
    case "replay":
      return <AtReplay key={screen.id} record={screen.id} language={language} lobby={lobby} />;
    case "progress":
      return <AtProgress lobby={lobby} />;
    case "watch":
      return <AtTable key={screen.id} table={screen.id} byLink language={language} lobby={lobby} />;
    case "shared": {
      const { id, move } = screen;
      return <AtReplay key={id} record={id} sharedAt={move} language={language} lobby={lobby} />;
    }
    case "join":
      return <JoinPage key={screen.id} code={screen.id} lobby={lobby} go={go} />;
    case "puzzles":
      return <AtPuzzles lobby={lobby} language={language} go={go} />;
    case "new": {
      const game = lobby.games.find((candidate) => candidate.id === screen.id);
      if (game && canShow(game.id))
        return <NewGame key={game.id} game={game} lobby={lobby} language={language} go={go} />;
    }
  }
  return <LobbyPage lobby={lobby} go={go} />;
}

/** At an address that leads nowhere. */
export function Nowhere() {
  const language = useLanguage();
  useTheme();
  const invited = location.pathname.startsWith("/i/");
  return language && <Gone text={invited ? faultText("no_such_invitation") : words().nowhere} lobby="/" />;
}

/** The code and words of a game, again when the language changes. */
export function useGame(game: string | null, language: string): Loaded | null {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    if (!game) return;
    let left = false;
    loadGame(game).then((it) => !left && setLoaded(it));
    return () => void (left = true);
  }, [game, language]);
  return loaded;
}

/** A part of the page that is loaded when it is first shown. */
function useLazy<P>(load: () => Promise<ComponentType<P>>): ComponentType<P> | null {
  const [part, setPart] = useState<{ it: ComponentType<P> } | null>(null);
  useEffect(() => {
    load().then((it) => setPart({ it }));
  }, []);
  return part?.it ?? null;
}

/** The game of something that the server knows by an id, or why that cannot be shown. */
function useGameOf(
  find: (id: string) => Promise<{ game: string }>,
  id: string,
  language: string,
  lobby: Lobby,
): { loaded: Loaded | null; why: string | null } {
  const { answer, fault } = useAnswer(() => find(id), id);
  const game = answer?.game ?? null;
  const shown = game !== null && canShow(game);
  const loaded = useGame(shown ? game : null, language);
  if (fault) return { loaded: null, why: faultText(fault) };
  return { loaded, why: game && !shown ? words().noPage(gameTitle(lobby, game), game) : null };
}

interface AtTableProps {
  table: string; // its id, or the code of a link to look on
  byLink?: boolean;
  language: string;
  lobby: Lobby;
}

function AtTable({ table, byLink = false, language, lobby }: AtTableProps) {
  const { loaded, why } = useGameOf(byLink ? api.watched : api.table, table, language, lobby);
  const TablePage = useLazy(async () => (await import("./table/TablePage")).TablePage);
  if (why) return <Gone text={why} />;
  if (!loaded || !TablePage) return <Waiting />;
  return (
    <TablePage
      key={table}
      table={table}
      byLink={byLink}
      game={loaded.module}
      gameWords={loaded.gameWords}
      lobby={lobby}
      go={go}
    />
  );
}

function AtProgress({ lobby }: { lobby: Lobby }) {
  const ProgressPage = useLazy(async () => (await import("./progress/ProgressPage")).ProgressPage);
  return ProgressPage ? <ProgressPage lobby={lobby} go={go} /> : <Waiting />;
}

function AtPuzzles(props: { language: string; lobby: Lobby; go: (hash: string) => void }) {
  const PuzzlesPage = useLazy(async () => (await import("./puzzles/PuzzlesPage")).PuzzlesPage);
  return PuzzlesPage ? <PuzzlesPage {...props} /> : <Waiting />;
}

interface AtReplayProps {
  record: string; // its id, or the code of a link to read it
  sharedAt?: number; // by such a link: the move at which it begins
  language: string;
  lobby: Lobby;
}

function AtReplay({ record, sharedAt, language, lobby }: AtReplayProps) {
  const steps = sharedAt === undefined ? api.replay : api.sharedReplay;
  const { loaded, why } = useGameOf((id) => steps(id, 0, 1), record, language, lobby);
  const ReplayPage = useLazy(async () => (await import("./replay/ReplayPage")).ReplayPage);
  if (why) return <Gone text={why} />;
  if (!loaded || !ReplayPage) return <Waiting />;
  return (
    <ReplayPage
      record={record}
      sharedAt={sharedAt}
      game={loaded.module}
      gameWords={loaded.gameWords}
      lobby={lobby}
      go={go}
    />
  );
}
