// A new game: opponent, and for those who want them seats and options.

import { useState } from "preact/hooks";
import { useGame } from "../App";
import { fronts, seatNames } from "../games";
import { api } from "../net/api";
import type { AgentCard, GameInfo, Lobby, NewSeat, Options, OptionValue, RuleOption } from "../net/protocol";
import { allOptions, presetOf } from "../rules";
import { change, NATURAL_DELAY, settings, useSettings } from "../settings";
import { Dialog } from "../table/Dialog";
import { icons } from "../table/icons";
import { SettingsDialog } from "../table/SettingsDialog";
import { Trouble } from "../table/Trouble";
import {
  agentText,
  agentTitle,
  faultText,
  noName,
  optionTitle,
  optionValue,
  presetText,
  unlearnedTitles,
  words,
} from "../words";
import { Head } from "./LobbyPage";
import { HandOfCards, NativeName } from "./picture";

const FRIEND = "friend"; // in the place of an agent's name, which has a game's before it
const CLOCKS = [0, 15, 30, 60, 120, 300]; // seconds for a move

interface NewGameProps {
  game: GameInfo;
  lobby: Lobby;
  language: string;
  go: (hash: string) => void;
}

/** The agent's rating; where there is none, how often it wins against the strongest that it met. */
export function strength(lobby: Lobby, agent: AgentCard): string {
  if (agent.rating !== null) return words().lobby.rating(agent.rating, agent.rating_stderr ?? 0);
  const hardest = [...agent.duels].sort((a, b) => a.win_rate - b.win_rate)[0];
  return hardest
    ? words().lobby.winsOver(hardest.win_rate, agentTitle(lobby, hardest.opponent))
    : words().lobby.notRated;
}

/** The one that the server offers, then the strongest first; those that are not rated come last. */
function inOrder(agents: AgentCard[], offered: string): AgentCard[] {
  const rank = (agent: AgentCard) => (agent.name === offered ? Infinity : (agent.rating ?? -Infinity));
  return agents.sort((a, b) => (rank(a) < rank(b) ? 1 : rank(a) > rank(b) ? -1 : 0));
}

/** How strong a level is. */
function Stars({ level, of }: { level: number; of: number }) {
  return (
    <i class="stars" role="img" aria-label={words().lobby.level(level, of)}>
      {"★".repeat(level) + "☆".repeat(of - level)}
    </i>
  );
}

/** Whether an agent is one to play against, rather than to measure others by. */
const isListed = ({ name, game }: AgentCard): boolean =>
  !fronts[game].unlisted?.some((unlisted) => name === `${game}/${unlisted}`);

/** The values of an option that have names, as text; null: it is a plain number. */
function named(game: string, { name, words: given }: RuleOption): string[] | null {
  const known = Object.keys(words().games[game].options[name]?.values ?? {});
  return given ?? (known.length ? known : null);
}

export function NewGame({ game, lobby, language, go }: NewGameProps) {
  const chosen = useSettings();
  const text = words().lobby;
  const agents = inOrder(
    lobby.agents.filter((agent) => agent.game === game.id && isListed(agent)),
    game.offered,
  );
  const levels = fronts[game.id].levels.flatMap((level) =>
    agents.filter((agent) => agent.name === `${game.id}/${level}`),
  );
  const further = agents.filter((agent) => !levels.includes(agent));
  // Whoever comes for the first time starts low; after that it is who was played last.
  const last = agents.find((agent) => agent.name === chosen.rivals[game.id]);
  const [rival, setRival] = useState((last ?? levels[0] ?? agents[0]).name);
  const [asked, setAsked] = useState(false);
  const all = asked || further.some((agent) => agent.name === rival);
  const [others, setOthers] = useState<Record<number, string>>({});
  const [seat, setSeat] = useState<number>(0); // -1: only watch
  const [options, setOptions] = useState<Options>(allOptions(game, game.presets[0]?.options ?? {}));
  const [typedAnew, setTypedAnew] = useState(0); // counts the presets that have replaced what was typed
  const played = presetOf(game, options);
  const [fault, setFault] = useState<string | null>(null);
  const [open, setOpen] = useState<"rules" | "settings" | null>(null);
  const [sending, setSending] = useState(false);
  const [clock, setClock] = useState(0); // seconds, 0: none

  const watching = seat < 0;
  const seats = seatNames(game.id, options);
  // Of two players the other one is the opponent that is chosen above.
  const sit = (index: number, agent: string) =>
    game.seats === 2 && !watching && agent !== FRIEND
      ? (setRival(agent), setOthers({}))
      : setOthers({ ...others, [index]: agent });
  // Agents alone play where one only watches.
  const sitterOf = (index: number): string =>
    watching && others[index] === FRIEND ? rival : (others[index] ?? rival);
  const invited = seats.some((_, index) => index !== seat && sitterOf(index) === FRIEND);
  const start = () => {
    const person = chosen.name.trim() || noName();
    const sitting: NewSeat[] = Array.from({ length: game.seats }, (_, index) =>
      index === seat
        ? { person }
        : sitterOf(index) === FRIEND
          ? { person: words().friends.open, invited: true }
          : { agent: sitterOf(index) },
    );
    // Who only watches wants to see the moves, however fast they are answered elsewhere.
    change({ rivals: { ...chosen.rivals, [game.id]: rival } });
    const delay = Math.max(settings().delay, watching ? NATURAL_DELAY : 0);
    setSending(true);
    setFault(null);
    const pace = { delay, paused: false };
    api.open({ game: game.id, options, seats: sitting, pace, clock: (invited && clock) || null }).then(
      (info) => go(`#/table/${info.table}`),
      (error) => {
        setSending(false);
        setFault(error?.fault?.code ?? "failed");
      },
    );
  };
  const names = words().games[game.id];
  const offer = (agent: AgentCard, level = 0) => (
    <label key={agent.name} class={rival === agent.name ? "agent chosen" : "agent"}>
      <input
        type="radio"
        name="rival"
        value={agent.name}
        checked={rival === agent.name}
        onChange={() => (setRival(agent.name), setOthers({}))}
      />
      <b>{agentText(agent).title}</b>
      {level > 0 && <Stars level={level} of={levels.length} />}
      <span>{agentText(agent).line}</span>
      {(!level || agent.rating !== null) && <small>{strength(lobby, agent)}</small>}
      <Unlearned game={game} agent={agent} options={options} />
    </label>
  );
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
          {game.presets.length > 0 && (
            <fieldset class="presets">
              <legend>{text.rulesOf}</legend>
              {game.presets.map((preset) => (
                <label key={preset.id} class={preset === played ? "agent chosen" : "agent"}>
                  <input
                    type="radio"
                    name="preset"
                    value={preset.id}
                    checked={preset === played}
                    onChange={() => (setOptions({ ...preset.options }), setTypedAnew(typedAnew + 1))}
                  />
                  <b>{presetText(game.id, preset).title}</b>
                  <span>{presetText(game.id, preset).line}</span>
                </label>
              ))}
              <p class={played ? "note absent" : "note"}>{text.ownRules}</p>
            </fieldset>
          )}
          <fieldset class="agents levels">
            <legend>{watching ? text.players : game.seats > 2 ? text.opponents : text.opponent}</legend>
            {levels.map((agent, level) => offer(agent, level + 1))}
          </fieldset>
          {further.length > 0 && !all && (
            <button type="button" class="quiet more-agents" onClick={() => setAsked(true)}>
              {text.moreOpponents(further.length)}
            </button>
          )}
          {all && (
            <fieldset class="agents">
              <legend>{text.others}</legend>
              {further.map((agent) => offer(agent))}
            </fieldset>
          )}
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
                      value={sitterOf(index)}
                      onChange={(event) => sit(index, event.currentTarget.value)}
                    >
                      {agents.map((agent) => (
                        <option key={agent.name} value={agent.name}>
                          {agentText(agent).title}
                        </option>
                      ))}
                      <option value={FRIEND} disabled={watching}>
                        {words().friends.friend}
                      </option>
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
                      key={typedAnew}
                      option={option}
                      value={options[option.name]}
                      onPick={(value) => setOptions({ ...options, [option.name]: value })}
                    />
                  )}
                </label>
              ))}
              {/* Below all others, which stay where they are when a friend is invited. */}
              {invited && (
                <label class="setting">
                  <span>{words().friends.clock}</span>
                  <select
                    data-option="clock"
                    value={String(clock)}
                    onChange={(event) => setClock(Number(event.currentTarget.value))}
                  >
                    {CLOCKS.map((seconds) => (
                      <option key={seconds} value={String(seconds)}>
                        {seconds ? words().friends.clockOf(seconds) : words().friends.noClock}
                      </option>
                    ))}
                  </select>
                </label>
              )}
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
      {open === "rules" && (
        <HowTo game={game} options={options} language={language} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}

/** That an agent did not learn the rules that are chosen, and which of them. */
function Unlearned({ game, agent, options }: { game: GameInfo; agent: AgentCard; options: Options }) {
  const titles = unlearnedTitles(game, agent, options);
  return titles.length > 0 && <small class="unlearned">{words().lobby.unlearned(titles.join(", "))}</small>;
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

interface HowToProps {
  game: GameInfo;
  options: Options;
  language: string;
  onClose: () => void;
}

function HowTo({ game, options, language, onClose }: HowToProps) {
  const loaded = useGame(game.id, language);
  return (
    <Dialog title={words().lobby.howTo} onClose={onClose}>
      <div data-game={game.id}>
        {loaded && <loaded.module.Rules words={loaded.gameWords} options={options} />}
      </div>
    </Dialog>
  );
}
