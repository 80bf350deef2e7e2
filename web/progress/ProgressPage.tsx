// How one gets on: in each game what was played, a rating with its error, what games cost; and all of it as a file.

import { useState } from "preact/hooks";
import { canShow } from "../games";
import { Head } from "../lobby/LobbyPage";
import { useAnswer } from "../net/answer";
import { api, faultOf } from "../net/api";
import { save } from "../net/download";
import type { GameProgress, Lobby } from "../net/protocol";
import { change } from "../settings";
import { icons } from "../table/icons";
import { SettingsDialog } from "../table/SettingsDialog";
import { Sure } from "../table/Sure";
import { Trouble } from "../table/Trouble";
import { Waiting } from "../table/Waiting";
import { agentTitle, faultText, friendName, gameTitle, noName, words } from "../words";
import { Costs } from "./Costs";
import "./style.css";

interface ProgressPageProps {
  lobby: Lobby;
  go: (hash: string) => void;
}

export function ProgressPage({ lobby, go }: ProgressPageProps) {
  const text = words().progress;
  const { answer: games, fault } = useAnswer(api.progress);
  const [open, setOpen] = useState(false);
  return (
    <div class="lobby progress-page">
      <Head onSettings={() => setOpen(true)} />
      {games ? (
        <main>
          <a class="back" href="#/">
            {icons.back} {words().lobby.back}
          </a>
          <h1>{text.title}</h1>
          {games.length === 0 && <p class="note">{text.none}</p>}
          <div class="accounts">
            {inOrder(games, lobby).map((game) => (
              <Account key={game.game} game={game} lobby={lobby} />
            ))}
          </div>
          {games.length > 0 && <p class="note meaning">{text.meaning}</p>}
          <Data go={go} />
        </main>
      ) : fault ? (
        <p role="alert">{faultText(fault)}</p>
      ) : (
        <Waiting />
      )}
      {open && <SettingsDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

/** As the lobby has its games. */
function inOrder(games: GameProgress[], lobby: Lobby): GameProgress[] {
  const seats = (game: GameProgress) => lobby.games.find(({ id }) => id === game.game)?.seats ?? 0;
  return [...games].sort((a, b) => seats(a) - seats(b));
}

function Account({ game, lobby }: { game: GameProgress; lobby: Lobby }) {
  const text = words().progress;
  const title = gameTitle(lobby, game.game);
  return (
    <section class="account" aria-label={title}>
      <h2>{title}</h2>
      {game.rating === null ? (
        <p class="note">{text.unrated}</p>
      ) : (
        <p class="rating">
          <span>{text.rating}</span> <b class="figure">{Math.round(game.rating)}</b>{" "}
          <span class="figure">± {Math.round(game.stderr!)}</span>
        </p>
      )}
      <p>{text.tally(game)}</p>
      {game.others.length > 0 && <Met game={game} lobby={lobby} />}
      {canShow(game.game) && <Costs game={game} lobby={lobby} />}
    </section>
  );
}

/** Where one stands among those whom one has met. */
function Met({ game, lobby }: { game: GameProgress; lobby: Lobby }) {
  const text = words().progress;
  const others = game.others.map(({ kind, name, ...row }) => ({
    ...row,
    own: false,
    title: kind === "agent" ? agentTitle(lobby, name) : friendName(name),
  }));
  const own = { own: true, title: noName(), games: game.rated, rating: game.rating!, stderr: game.stderr! };
  const rows = [...others, own].sort((a, b) => b.rating - a.rating);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{text.player}</th>
          <th scope="col">{text.rating}</th>
          <th scope="col">{text.games}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, number) => (
          <tr key={number} class={row.own ? "own" : ""}>
            <th scope="row">{row.title}</th>
            <td>
              {Math.round(row.rating)} ± {Math.round(row.stderr)}
            </td>
            <td>{row.games}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Data({ go }: { go: (hash: string) => void }) {
  const text = words().progress;
  const [sure, setSure] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const attempt = (doing: Promise<unknown>) => {
    setFailed(null);
    doing.catch((error) => setFailed(faultOf(error).code));
  };
  const forget = async () => {
    await api.forget();
    change({ name: "", guided: {}, rivals: {} });
    go("#/");
    location.reload(); // nothing that is still in memory is left either
  };
  const day = new Date().toISOString().slice(0, 10);
  return (
    <section class="data">
      <h2>{text.data}</h2>
      <p>{text.dataLine}</p>
      <div class="actions">
        <button
          type="button"
          onClick={() => attempt(api.profile().then((file) => save(file, `fuda-profile-${day}.json`)))}
        >
          {text.save}
        </button>
        <button type="button" onClick={() => setSure(true)}>
          {text.remove}
        </button>
      </div>
      {sure && (
        <Sure
          title={text.remove}
          text={text.removeSure}
          onYes={() => attempt(forget())}
          onClose={() => setSure(false)}
        />
      )}
      {failed && <Trouble text={faultText(failed)} onClose={() => setFailed(null)} />}
    </section>
  );
}
