// The lobby: the games, games in progress, past games, results.

import { useRef, useState } from "preact/hooks";
import { canShow, fronts } from "../games";
import { useAnswer } from "../net/answer";
import { api, ApiError, faultOf } from "../net/api";
import { download } from "../net/download";
import type { Fault, Lobby, Puzzles, RecordInfo, Standing, TableInfo } from "../net/protocol";
import { change, useSettings, type Language } from "../settings";
import { endOf } from "../table/endOf";
import { IconButton } from "../table/IconButton";
import { icons } from "../table/icons";
import { SettingsDialog } from "../table/SettingsDialog";
import { Sure } from "../table/Sure";
import { Trouble } from "../table/Trouble";
import {
  agentTitle,
  dateText,
  faultText,
  friendName,
  gameTitle,
  languages,
  playerTitle,
  words,
} from "../words";
import { HandOfCards, NativeName } from "./picture";

interface LobbyPageProps {
  lobby: Lobby;
  go: (hash: string) => void;
}

interface Lists {
  tables: TableInfo[];
  records: RecordInfo[];
  results: Standing[];
  puzzles: Puzzles;
}

/** Does what was pressed, and tells if it went wrong. */
type Attempt = (doing: Promise<unknown>) => void;
type Remove = (id: string, deleting: Promise<unknown>) => void;

let lastLists: Lists | null = null;

async function loadLists(): Promise<Lists> {
  const [tables, records, results, puzzles] = await Promise.all([
    api.tables(),
    api.records(),
    api.results(),
    api.puzzles(),
  ]);
  return (lastLists = { tables, records, results, puzzles });
}

export function LobbyPage({ lobby, go }: LobbyPageProps) {
  const text = words().lobby;
  const { answer, fault, ask } = useAnswer(loadLists);
  const [open, setOpen] = useState(false);
  const [failed, setFailed] = useState<Fault | null>(null);
  const [removed, setRemoved] = useState<string[]>([]);
  const attempt: Attempt = (doing) => {
    setFailed(null);
    doing.catch((error) => setFailed(faultOf(error)));
  };
  // What is deleted goes when that is pressed: it does not move the page when the answer comes.
  const remove = (id: string, deleting: Promise<unknown>) => {
    setRemoved((ids) => [...ids, id]);
    deleting.catch(() => setRemoved((ids) => ids.filter((other) => other !== id)));
    attempt(deleting.then(ask));
  };
  // While the server does not answer, what it said last is better than nothing.
  const lists = answer ?? (fault ? lastLists : null);
  const tables = lists?.tables.filter(({ table }) => !removed.includes(table)) ?? [];
  const records = lists?.records.filter(({ record }) => !removed.includes(record)) ?? [];
  return (
    <div class="lobby">
      <Head onSettings={() => setOpen(true)} />
      {(lists || fault) && (
        <main>
          {tables.length > 0 && <Running tables={tables} lobby={lobby} remove={remove} />}
          <section aria-label={text.choose} class="tiles">
            {lobby.games
              .filter(({ id }) => canShow(id))
              .sort((a, b) => a.seats - b.seats)
              .map(({ id }) => (
                <Tile key={id} game={id} />
              ))}
          </section>
          {lists && <PuzzlesTile counted={lists.puzzles} />}
          {lists && (
            <div class="columns">
              <Past records={records} lobby={lobby} attempt={attempt} remove={remove} go={go} />
              <Results results={lists.results} lobby={lobby} />
            </div>
          )}
        </main>
      )}
      {lists && <footer>fuda {lobby.version}</footer>}
      {fault ? (
        <div class="trouble offline">
          <p role="alert">{faultText(fault)}</p>
          <button type="button" onClick={ask}>
            {text.tryAgain}
          </button>
        </div>
      ) : (
        failed && <Trouble text={faultText(failed.code, failed.params.why)} onClose={() => setFailed(null)} />
      )}
      {open && <SettingsDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

export function Head({ onSettings }: { onSettings: () => void }) {
  const chosen = useSettings();
  return (
    <header class="head">
      <a class="brand" href="#/">
        <span class="seal" aria-hidden="true" lang="ja">
          札
        </span>
        <span class="wordmark">fuda</span>
      </a>
      <p>{words().tagline}</p>
      <label class="language">
        <span class="only-read">{words().settings.language}</span>
        <select
          value={chosen.language}
          onChange={(event) => change({ language: event.currentTarget.value as Language })}
        >
          {languages.map(({ code, name, tag }) => (
            <option key={code} value={code} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <IconButton icon={icons.settings} name={words().table.settings} onClick={onSettings} />
    </header>
  );
}

function Tile({ game }: { game: string }) {
  const text = words().games[game];
  return (
    <a class="tile" href={`#/new/${game}`}>
      <HandOfCards game={game} />
      <h2>
        {text.title} <NativeName game={game} />
      </h2>
      <p>{text.line}</p>
      <small>{text.players}</small>
    </a>
  );
}

/** Of who has none yet: nothing. */
function PuzzlesTile({ counted }: { counted: Puzzles }) {
  const text = words().puzzles;
  if (!counted.due && !counted.later && !counted.solved) return null;
  return (
    <a class="tile puzzles-tile" href="#/puzzles">
      <b class={counted.due ? "count" : "count none"} aria-hidden="true">
        {counted.due}
      </b>
      <div>
        <h2>{text.title}</h2>
        <p>{text.about}</p>
        <small>
          {text.due(counted.due)}
          {counted.solved > 0 && ` · ${text.solved(counted.solved)}`}
        </small>
      </div>
    </a>
  );
}

function opponents(lobby: Lobby, players: string[], own: number[]): string {
  const names = players
    .filter((_, seat) => !own.includes(seat))
    .map((name) => playerTitle(lobby, name, false));
  return [...new Set(names)].join(", ");
}

function Running({ tables, lobby, remove }: { tables: TableInfo[]; lobby: Lobby; remove: Remove }) {
  const text = words().lobby;
  const [sure, setSure] = useState<string | null>(null);
  return (
    <section class="running">
      <h2>{text.running}</h2>
      <ul class="list">
        {tables.map((table) => {
          const own = table.seats.flatMap((seat, index) => (seat.secret ? [index] : []));
          const mine = table.to_move !== null && own.includes(table.to_move);
          return (
            <li key={table.table}>
              <div>
                <b>{gameTitle(lobby, table.game)}</b>{" "}
                {opponents(
                  lobby,
                  table.seats.map((seat) => (seat.open ? words().friends.open : seat.name)),
                  own,
                )}
                <small>
                  {table.playable
                    ? own.length
                      ? mine
                        ? text.yourTurn
                        : text.moves(table.seq)
                      : text.watched
                    : table.damaged
                      ? words().errors.damaged
                      : text.otherRules}{" "}
                  · {dateText(table.changed)}
                </small>
              </div>
              {table.playable && canShow(table.game) && (
                <a class="button primary" href={`#/table/${table.table}`}>
                  {text.resume}
                </a>
              )}
              {table.own && (
                <button type="button" class="quiet" onClick={() => setSure(table.table)}>
                  {text.remove}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {sure && (
        <Sure
          title={text.remove}
          text={text.removeSure}
          onYes={() => remove(sure, api.remove(sure))}
          onClose={() => setSure(null)}
        />
      )}
    </section>
  );
}

function outcomeText(record: RecordInfo): string {
  const text = words().lobby;
  if (record.source === "upload") return text.uploaded;
  if (!record.persons.length) return text.watched;
  const seat = record.seat ?? record.persons[0];
  if (record.resigned !== null && record.resigned !== seat)
    return words().friends.gaveUp(friendName(record.players[record.resigned]));
  if (record.resigned !== null) return `${text.lost} (${text.resigned})`;
  const ended = endOf(record.margins ?? [], seat);
  return typeof ended === "number" ? text.place(ended) : text[ended];
}

const SHOWN = 12;

function Past({
  records,
  lobby,
  attempt,
  remove,
  go,
}: {
  records: RecordInfo[];
  lobby: Lobby;
  attempt: Attempt;
  remove: Remove;
  go: (hash: string) => void;
}) {
  const text = words().lobby;
  const picker = useRef<HTMLInputElement>(null);
  const [all, setAll] = useState(false);
  const [sure, setSure] = useState<string | null>(null);
  const upload = async (file: File) => {
    if (file.size > lobby.limits.upload_bytes) throw new ApiError(0, { code: "too_large", params: {} });
    go(`#/replay/${(await api.upload({ file: await file.text() })).record}`);
  };
  return (
    <section class="past">
      <h2>{text.past}</h2>
      {records.length === 0 && <p class="note">{text.noPast}</p>}
      <ul class="list">
        {(all ? records : records.slice(0, SHOWN)).map((record) => (
          <li key={record.record}>
            <div>
              <b>{gameTitle(lobby, record.game)}</b>{" "}
              {opponents(lobby, record.players, record.seat == null ? [] : [record.seat])}
              <small>
                {record.damaged ? words().errors.damaged : outcomeText(record)}
                {record.scores &&
                  record.resigned === null &&
                  canShow(record.game) &&
                  ` · ${fronts[record.game].result(record.scores, record.seat ?? record.persons[0] ?? 0)}`}
                {record.hints && <span class="chip">{text.hintsMark}</span>}
                {record.takebacks > 0 && <span class="chip">{text.takebackMark}</span>}
                {record.same_deal && <span class="chip">{text.sameDealMark}</span>} ·{" "}
                {dateText(record.created)}
              </small>
            </div>
            {canShow(record.game) && !record.damaged && (
              <a class="button" href={`#/replay/${record.record}`}>
                {text.replay}
              </a>
            )}
            <button type="button" class="quiet" onClick={() => attempt(download(record))}>
              {text.download}
            </button>
            {record.own && (
              <button type="button" class="quiet" onClick={() => setSure(record.record)}>
                {text.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      {!all && records.length > SHOWN && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          {text.showAll(records.length)}
        </button>
      )}
      <input
        ref={picker}
        type="file"
        accept=".jsonl,.json"
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) attempt(upload(file));
          event.currentTarget.value = ""; // the same file may be tried again
        }}
      />
      <button type="button" class="quiet" onClick={() => picker.current!.click()}>
        {text.upload}
      </button>
      {sure && (
        <Sure
          title={text.remove}
          text={text.removeRecordSure}
          onYes={() => remove(sure, api.removeRecord(sure))}
          onClose={() => setSure(null)}
        />
      )}
    </section>
  );
}

function Results({ results, lobby }: { results: Standing[]; lobby: Lobby }) {
  const text = words().lobby;
  const rows = results.flatMap((standing) =>
    (
      [
        ["plain", standing.plain],
        ["assisted", standing.assisted],
      ] as const
    )
      .filter(([, tally]) => tally.games > 0)
      .map(([how, tally]) => ({ standing, how, tally })),
  );
  return (
    <section class="results">
      <h2>{text.results}</h2>
      {rows.length === 0 ? (
        <p class="note">{text.noResults}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{text.against}</th>
              <th scope="col">{text.wins}</th>
              <th scope="col">{text.draws}</th>
              <th scope="col">{text.losses}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ standing, how, tally }) => (
              <tr key={`${standing.game} ${standing.agents.join(" ")} ${how}`}>
                <th scope="row">
                  {gameTitle(lobby, standing.game)}:{" "}
                  {[...new Set(standing.agents)].map((name) => agentTitle(lobby, name)).join(", ")}
                  {how === "assisted" && <small> {text.withHints}</small>}
                </th>
                <td>{tally.wins}</td>
                <td>{tally.draws}</td>
                <td>{tally.losses}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <a class="button to-progress" href="#/progress">
        {words().progress.title}
      </a>
    </section>
  );
}
