// The lobby: three games, games in progress, past games, results.

import { useEffect, useRef, useState } from "preact/hooks";
import { shownGames } from "../games";
import { api } from "../net/api";
import type { Lobby, RecordInfo, Standing, TableInfo } from "../net/protocol";
import { change, useSettings, type Language } from "../settings";
import { Dialog } from "../table/Dialog";
import { icons } from "../table/icons";
import { SettingsDialog } from "../table/SettingsDialog";
import { agentTitle, dateText, faultText, gameTitle, languages, words } from "../words";
import { HandOfCards, NativeName } from "./picture";

interface LobbyPageProps {
  lobby: Lobby;
  go: (hash: string) => void;
}

export function LobbyPage({ lobby, go }: LobbyPageProps) {
  const text = words().lobby;
  const [tables, setTables] = useState<TableInfo[] | null>(null);
  const [records, setRecords] = useState<RecordInfo[] | null>(null);
  const [results, setResults] = useState<Standing[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const load = () => {
    Promise.all([api.tables(), api.records(), api.results()]).then(
      ([running, past, standing]) => {
        setTables(running);
        setRecords(past);
        setResults(standing);
      },
      (error) => setFault(error?.fault?.code ?? "failed"),
    );
  };
  useEffect(load, []);
  return (
    <div class="lobby">
      <Head onSettings={() => setOpen(true)} />
      {(records !== null || fault) && (
        <main>
          {fault && (
            <p role="alert" class="fault">
              {faultText(fault)}
            </p>
          )}
          {tables !== null && tables.length > 0 && <Running tables={tables} lobby={lobby} onChange={load} />}
          <section aria-label={text.choose} class="tiles">
            {shownGames
              .filter((id) => lobby.games.some((game) => game.id === id))
              .map((id) => (
                <Tile key={id} game={id} />
              ))}
          </section>
          {records !== null && (
            <div class="columns">
              <Past records={records} lobby={lobby} onChange={load} onFault={setFault} go={go} />
              <Results results={results} lobby={lobby} />
            </div>
          )}
        </main>
      )}
      {records !== null && <footer>fuda {lobby.version}</footer>}
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
      <button type="button" class="quiet round" aria-label={words().table.settings} onClick={onSettings}>
        {icons.settings}
      </button>
    </header>
  );
}

function Tile({ game }: { game: string }) {
  const text = words().games[game];
  return (
    <a class={`tile ${game}`} href={`#/new/${game}`}>
      <HandOfCards game={game} />
      <h2>
        {text.title} <NativeName game={game} />
      </h2>
      <p>{text.line}</p>
      <small>{text.players}</small>
    </a>
  );
}

function opponents(lobby: Lobby, players: string[], persons: number[]): string {
  const names = players.filter((_, seat) => !persons.includes(seat)).map((name) => agentTitle(lobby, name));
  return [...new Set(names)].join(", ");
}

function Running({ tables, lobby, onChange }: { tables: TableInfo[]; lobby: Lobby; onChange: () => void }) {
  const text = words().lobby;
  const [sure, setSure] = useState<string | null>(null);
  return (
    <section class="running">
      <h2>{text.running}</h2>
      <ul class="list">
        {tables.map((table) => {
          const persons = table.seats.flatMap((seat, index) => (seat.kind === "person" ? [index] : []));
          const mine = table.to_move !== null && persons.includes(table.to_move);
          return (
            <li key={table.table}>
              <div>
                <b>{gameTitle(table.game)}</b>{" "}
                {opponents(
                  lobby,
                  table.seats.map((seat) => seat.name),
                  persons,
                )}
                <small>
                  {table.playable
                    ? persons.length
                      ? mine
                        ? text.yourTurn
                        : text.moves(table.seq)
                      : text.watched
                    : text.otherRules}{" "}
                  · {dateText(table.changed)}
                </small>
              </div>
              {table.playable && (
                <a class="button primary" href={`#/table/${table.table}`}>
                  {text.resume}
                </a>
              )}
              <button type="button" class="quiet" onClick={() => setSure(table.table)}>
                {text.remove}
              </button>
            </li>
          );
        })}
      </ul>
      {sure && (
        <Dialog title={text.remove} kind="box" onClose={() => setSure(null)}>
          <p>{text.removeSure}</p>
          <div class="actions">
            <button
              type="button"
              class="primary"
              onClick={() =>
                api.remove(sure).finally(() => {
                  setSure(null);
                  onChange();
                })
              }
            >
              {text.remove}
            </button>
            <button type="button" onClick={() => setSure(null)}>
              {words().table.close}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function outcomeText(record: RecordInfo): string {
  const text = words().lobby;
  if (record.source === "upload") return text.uploaded;
  if (!record.persons.length) return text.watched;
  if (record.resigned !== null) return `${text.lost} (${text.resigned})`;
  const margin = record.margins?.[record.persons[0]] ?? 0;
  return margin > 0 ? text.won : margin < 0 ? text.lost : text.drawn;
}

const SHOWN = 12;

function Past({
  records,
  lobby,
  onChange,
  onFault,
  go,
}: {
  records: RecordInfo[];
  lobby: Lobby;
  onChange: () => void;
  onFault: (code: string) => void;
  go: (hash: string) => void;
}) {
  const text = words().lobby;
  const picker = useRef<HTMLInputElement>(null);
  const [all, setAll] = useState(false);
  const failed = (error: { fault?: { code: string } }) => onFault(error?.fault?.code ?? "failed");
  const upload = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > lobby.limits.upload_bytes) return onFault("too_large");
    api.upload(await file.text()).then((record) => go(`#/replay/${record.record}`), failed);
  };
  const download = async (record: RecordInfo) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await api.recordFile(record.record));
    link.download = `${record.game}-${record.created.slice(0, 10)}-${record.record.slice(0, 6)}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <section class="past">
      <h2>{text.past}</h2>
      {records.length === 0 && <p class="note">{text.noPast}</p>}
      <ul class="list">
        {(all ? records : records.slice(0, SHOWN)).map((record) => (
          <li key={record.record}>
            <div>
              <b>{gameTitle(record.game)}</b> {opponents(lobby, record.players, record.persons)}
              <small>
                {outcomeText(record)}
                {record.scores && record.persons.length > 0 && ` · ${record.scores.join(" : ")}`}
                {record.hints && <span class="chip">{text.hintsMark}</span>}
                {record.same_deal && <span class="chip">{text.sameDealMark}</span>} ·{" "}
                {dateText(record.created)}
              </small>
            </div>
            <a class="button" href={`#/replay/${record.record}`}>
              {text.replay}
            </a>
            <button type="button" class="quiet" onClick={() => download(record).catch(failed)}>
              {text.download}
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() => api.removeRecord(record.record).then(onChange, failed)}
            >
              {text.remove}
            </button>
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
        onChange={(event) => upload(event.currentTarget.files?.[0])}
      />
      <button type="button" class="quiet" onClick={() => picker.current!.click()}>
        {text.upload}
      </button>
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
                  {gameTitle(standing.game)}:{" "}
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
    </section>
  );
}
