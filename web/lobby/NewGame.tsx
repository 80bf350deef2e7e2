// A new game: opponent, and for those who want them seats and options.

import { useState } from "preact/hooks";
import { useGame } from "../App";
import { seatNames } from "../games";
import { api } from "../net/api";
import type { AgentCard, GameInfo, Lobby, NewSeat, OptionValue, RuleOption } from "../net/protocol";
import { change, NATURAL_DELAY, settings, useSettings } from "../settings";
import { Dialog } from "../table/Dialog";
import { icons } from "../table/icons";
import { SettingsDialog } from "../table/SettingsDialog";
import { Trouble } from "../table/Trouble";
import { agentText, agentTitle, faultText, noName, optionTitle, optionValue, words } from "../words";
import { Head } from "./LobbyPage";
import { HandOfCards, NativeName } from "./picture";

interface NewGameProps {
  game: GameInfo;
  lobby: Lobby;
  language: string;
  go: (hash: string) => void;
}

/** How often the agent wins against the strongest one that it was measured with. */
export function strength(lobby: Lobby, agent: AgentCard): string {
  const hardest = [...agent.ratings].sort((a, b) => a.win_rate - b.win_rate)[0];
  return hardest
    ? words().lobby.rating(hardest.win_rate, agentTitle(lobby, hardest.opponent))
    : words().lobby.notRated;
}

/** The one that the server offers, then the strongest first; those that are not rated come last. */
function inOrder(agents: AgentCard[], offered: string): AgentCard[] {
  const rank = (agent: AgentCard) => (agent.name === offered ? Infinity : (agent.level ?? -Infinity));
  return agents.sort((a, b) => (rank(a) < rank(b) ? 1 : rank(a) > rank(b) ? -1 : 0));
}

/** The values of an option that have names, as text; null: it is a plain number. */
function named(game: string, { name, words: given }: RuleOption): string[] | null {
  const known = Object.keys(words().games[game].options[name]?.values ?? {});
  return given ?? (known.length ? known : null);
}

export function NewGame({ game, lobby, language, go }: NewGameProps) {
  const chosen = useSettings();
  const text = words().lobby;
  const agents = inOrder(
    lobby.agents.filter((agent) => agent.game === game.id),
    game.offered,
  );
  const [rival, setRival] = useState(agents[0].name);
  const [others, setOthers] = useState<Record<number, string>>({});
  const [seat, setSeat] = useState<number>(0); // -1: only watch
  const [options, setOptions] = useState<Record<string, OptionValue>>(
    Object.fromEntries(game.options.map((option) => [option.name, option.default])),
  );
  const [fault, setFault] = useState<string | null>(null);
  const [open, setOpen] = useState<"rules" | "settings" | null>(null);
  const [sending, setSending] = useState(false);

  const watching = seat < 0;
  const seats = seatNames(game.id, options);
  // Of two players the other one is the opponent that is chosen above.
  const sit = (index: number, agent: string) =>
    game.seats === 2 && !watching
      ? (setRival(agent), setOthers({}))
      : setOthers({ ...others, [index]: agent });
  const start = () => {
    const person = chosen.name.trim() || noName();
    const sitting: NewSeat[] = Array.from({ length: game.seats }, (_, index) =>
      index === seat ? { person } : { agent: others[index] ?? rival },
    );
    // Who only watches wants to see the moves, however fast they are answered elsewhere.
    const delay = Math.max(settings().delay, watching ? NATURAL_DELAY : 0);
    setSending(true);
    setFault(null);
    api.open({ game: game.id, options, seats: sitting, pace: { delay, paused: false } }).then(
      (info) => go(`#/table/${info.table}`),
      (error) => {
        setSending(false);
        setFault(error?.fault?.code ?? "failed");
      },
    );
  };
  const names = words().games[game.id];
  return (
    <div class="lobby">
      <Head onSettings={() => setOpen("settings")} />
      <main class="new-game">
        <a class="back" href="#/">
          {icons.back} {text.back}
        </a>
        <div class="hero">
          <HandOfCards game={game.id} />
          <div>
            <h1>
              {names.title} <NativeName game={game.id} />
            </h1>
            <p>{names.line}</p>
            <button type="button" onClick={() => setOpen("rules")}>
              {icons.rules} {text.howTo}
            </button>
          </div>
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            start();
          }}
        >
          <fieldset class="agents">
            <legend>{watching ? text.players : game.seats > 2 ? text.opponents : text.opponent}</legend>
            {agents.map((agent) => (
              <label key={agent.name} class={rival === agent.name ? "agent chosen" : "agent"}>
                <input
                  type="radio"
                  name="rival"
                  value={agent.name}
                  checked={rival === agent.name}
                  onChange={() => (setRival(agent.name), setOthers({}))}
                />
                <b>{agentText(agent).title}</b>
                <span>{agentText(agent).line}</span>
                <small>{strength(lobby, agent)}</small>
              </label>
            ))}
          </fieldset>
          <details>
            <summary>{text.more}</summary>
            <div class="choices">
              <label class="setting">
                <span>{text.seat}</span>
                <select
                  data-option="seat"
                  value={String(seat)}
                  onChange={(event) => setSeat(Number(event.currentTarget.value))}
                >
                  {seats.map((name, index) => (
                    <option key={index} value={String(index)}>
                      {name}
                    </option>
                  ))}
                  <option value="-1">{text.watchAgents}</option>
                </select>
              </label>
              {/* A row for each seat, whoever sits there: nothing moves when another is chosen above. */}
              {seats.map((name, index) => (
                <label class="setting" key={index}>
                  <span key={index === seat}>{index === seat ? text.yourName : name}</span>
                  {index === seat ? (
                    <input
                      type="text"
                      dir="auto"
                      maxLength={lobby.limits.name_length}
                      value={chosen.name}
                      placeholder={noName()}
                      onInput={(event) => change({ name: event.currentTarget.value })}
                    />
                  ) : (
                    <select
                      value={others[index] ?? rival}
                      onChange={(event) => sit(index, event.currentTarget.value)}
                    >
                      {agents.map((agent) => (
                        <option key={agent.name} value={agent.name}>
                          {agentText(agent).title}
                        </option>
                      ))}
                    </select>
                  )}
                </label>
              ))}
              {game.options.map((option) => (
                <label class="setting" key={option.name}>
                  <span>{optionTitle(game.id, option.name)}</span>
                  {named(game.id, option) ? (
                    <select
                      data-option={option.name}
                      value={String(options[option.name])}
                      onChange={(event) => {
                        const word = event.currentTarget.value;
                        setOptions({ ...options, [option.name]: option.words ? word : Number(word) });
                      }}
                    >
                      {named(game.id, option)!.map((word) => (
                        <option key={word} value={word}>
                          {optionValue(game.id, option.name, word)}
                        </option>
                      ))}
                    </select>
                  ) : (
                    <NumberField
                      option={option}
                      value={options[option.name]}
                      onPick={(value) => setOptions({ ...options, [option.name]: value })}
                    />
                  )}
                </label>
              ))}
            </div>
          </details>
          <div class="submit">
            <button type="submit" class="primary large" disabled={sending}>
              {watching ? text.watch : text.start}
            </button>
            {fault && <Trouble text={faultText(fault)} onClose={() => setFault(null)} />}
          </div>
        </form>
      </main>
      {open === "settings" && <SettingsDialog onClose={() => setOpen(null)} />}
      {open === "rules" && <HowTo game={game.id} language={language} onClose={() => setOpen(null)} />}
    </div>
  );
}

/** What is typed stays as it is, and counts once it is a value that the option can have. */
function NumberField({
  option,
  value,
  onPick,
}: {
  option: RuleOption;
  value: OptionValue;
  onPick: (value: number) => void;
}) {
  const [typed, setTyped] = useState(String(value));
  return (
    <input
      type="number"
      required
      data-option={option.name}
      min={option.low ?? undefined}
      max={option.high ?? undefined}
      value={typed}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value);
        if (currentTarget.checkValidity()) onPick(Number(currentTarget.value));
      }}
      onInvalid={({ currentTarget }) => (currentTarget.closest("details")!.open = true)}
    />
  );
}

function HowTo({ game, language, onClose }: { game: string; language: string; onClose: () => void }) {
  const loaded = useGame(game, language);
  return (
    <Dialog title={words().lobby.howTo} onClose={onClose}>
      <div data-game={game}>{loaded && <loaded.module.Rules words={loaded.gameWords} />}</div>
    </Dialog>
  );
}
