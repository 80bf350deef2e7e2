// A finished game, position by position: from a seat or with all cards open, with values and the moves that cost most.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { seatNames } from "../games";
import { useAnswer } from "../net/answer";
import { api } from "../net/api";
import type { Hint, Lobby, MoveValues, RecordInfo, View } from "../net/protocol";
import { ShareDialog } from "../friends/LinkDialog";
import { Review } from "../review/Review";
import "../review/style.css";
import { useReview } from "../review/useReview";
import { useSettings } from "../settings";
import { preload } from "../decks/deck";
import { Download } from "../table/Download";
import type { GameModule } from "../games/game";
import { Gone } from "../table/Gone";
import { figureStyle, unitText } from "../table/Hints";
import { IconButton } from "../table/IconButton";
import { icons } from "../table/icons";
import { Log, moveText } from "../table/Log";
import { numberFirst, tellApart } from "../table/names";
import { usePlayer } from "../table/player";
import { SettingsDialog } from "../table/SettingsDialog";
import { MOVE_MS } from "../table/TablePage";
import { Trouble } from "../table/Trouble";
import { useSize } from "../table/useSize";
import { ValueList } from "../table/ValueList";
import { Waiting } from "../table/Waiting";
import { costText } from "../table/values";
import { agentText, faultText, playerTitle, words } from "../words";
import { useSteps, type Position } from "./steps";

interface ReplayPageProps {
  record: string; // its id, or the code of a link to read it
  sharedAt?: number; // by such a link: the move at which it begins
  game: GameModule;
  gameWords: unknown;
  lobby: Lobby;
  go: (hash: string) => void;
}

interface Judged {
  values: MoveValues[];
  done: boolean;
  fault: string | null; // the code of what ended it too early
}

const unjudged: Judged = { values: [], done: false, fault: null };

const PIECE = 4; // moves: an agent that searches takes about a second for so many

/** The values of all moves by an agent, fetched in pieces so small that one sees them come. */
function useValues(record: string, agent: string, moves: number): Judged {
  const [judged, setJudged] = useState(unjudged);
  useEffect(() => {
    setJudged(unjudged);
    if (!agent || !moves) return;
    let left = false;
    (async () => {
      let values: MoveValues[] = [];
      for (let first = 0; first < moves && !left; first += PIECE) {
        const part = await api.values(record, { agent, first, count: Math.min(PIECE, moves - first) });
        values = [...values, ...part.values];
        if (!left) setJudged({ values, done: first + PIECE >= moves, fault: null });
      }
    })().catch(
      (error) => !left && setJudged((known) => ({ ...known, fault: error?.fault?.code ?? "failed" })),
    );
    return () => void (left = true);
  }, [record, agent, moves]);
  return judged;
}

/** On the small cards of the others there is no room for more. */
const onlyBest = (hint: Hint | null): Hint | null =>
  hint && { ...hint, values: { [hint.best]: hint.values[hint.best] } };

const WORST = 8;

export function ReplayPage({ record, sharedAt, game, gameWords, lobby, go }: ReplayPageProps) {
  const chosen = useSettings();
  const text = words().replay;
  const byLink = sharedAt !== undefined;
  const { steps, total, players, fault } = useSteps(record, byLink, lobby.limits.chunk);
  const [wanted, setAt] = useState(sharedAt ?? 0);
  const at = total ? Math.min(wanted, total - 1) : wanted;
  const [seatChosen, setSeat] = useState<number | null>(null);
  const [open, setOpen] = useState(true);
  const hinters = lobby.agents.filter(
    (agent) => !byLink && agent.unit && agent.game === steps[0]?.views[0].game,
  );
  const [agent, setAgent] = useState("");
  const judged = useValues(record, agent, total ? total - 1 : 0);
  const judge = hinters.find((card) => card.name === agent);
  const { info, asked } = useRecord(record, byLink);
  const seat = seatChosen ?? info?.seat ?? 0; // one sees the game as one has played it
  const watching = !info?.persons.includes(seat);
  const [openDialog, setOpenDialog] = useState<"settings" | "share" | null>(null);
  const [unsaved, setUnsaved] = useState<string | null>(null); // the code of why
  const player = usePlayer<Position>(chosen.motion, chosen.speed);
  const [stage, size] = useSize<HTMLDivElement>();
  const step: Position | undefined = steps[Math.min(at, steps.length - 1)];
  const own = step?.views[seat];
  // With all cards open the moves are open, too.
  const view = useMemo(() => own && (open ? { ...own, history: step.history } : own), [own, open]);
  const told = info?.players ?? players;
  const isOwn = (index: number) => info !== null && (info.seat ?? index) === index;
  const names = told
    ? tellApart(told.map((name, index) => playerTitle(lobby, name, isOwn(index))))
    : step
      ? seatNames(step.views[0].game, step.views[0].options)
      : [];

  useAddress(byLink && total > 0 ? `#/shared/${record}/${at}` : null);
  useEffect(() => preload(game.deck, [null, ...game.faces]), [game, chosen.fourColours]);

  const shown = useRef({ at: -1, seat: -1, open: false });
  useEffect(() => {
    if (!step) return;
    const before = steps[step.seq - 1];
    const views = open ? step.views : null;
    const known = shown.current;
    if (known.at === step.seq - 1 && known.seat === seat && known.open === open && before && chosen.motion)
      player.play(
        game.frames(gameWords, before.views[seat], step.events[seat], step.views[seat], names, views),
        step,
      );
    else player.show(game.scene(step.views[seat], views), step);
    shown.current = { at: step.seq, seat, open };
  }, [step?.seq, seat, open, gameWords]);

  const highest = Math.max(0, steps.length - 1);
  const end = useRef(highest); // also for a key that is pressed while more is being loaded
  end.current = highest;
  const jump = (to: number | ((now: number) => number)) => {
    player.finish();
    setAt((now) => Math.max(0, Math.min(end.current, typeof to === "number" ? to : to(now))));
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.target as HTMLElement).closest("select, input, dialog")) return;
      const moves: Record<string, (now: number) => number> = {
        ArrowLeft: (now) => now - 1,
        ArrowRight: (now) => now + 1,
        Home: () => 0,
        End: () => Infinity,
      };
      if (!(event.key in moves)) return;
      event.preventDefault();
      jump(moves[event.key]);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  const here = judged.values.find((entry) => entry.seq === at);
  const hint: Hint | null = useMemo(
    () =>
      here?.values && judge?.unit
        ? { type: "hint", seq: at, agent, unit: judge.unit, values: here.values, best: here.best ?? "" }
        : null,
    [here, judge?.unit],
  );
  const style = figureStyle(game, gameWords);
  const { whole } = style;
  // Only when none can come between any more: a list to press on does not change under the hand.
  const worst = (judged.done || judged.fault ? judged.values : [])
    .filter((entry) => (entry.cost ?? 0) > (whole ? 0.5 : 1e-6))
    .sort((a, b) => b.cost! - a.cost!)
    .slice(0, WORST);

  if (fault) return <Gone text={faultText(fault)} />;
  const ready = view && asked && steps.length > at;
  const last = view?.history.at(-1);
  const mover = step?.to_move ?? null;
  const props = view && { words: gameWords, view, names, watching };
  return (
    <div class="table-page replay" data-game={view?.game}>
      <header class="bar">
        <IconButton icon={icons.back} name={words().table.lobby} onClick={() => go("#/")} />
        <h1 class="status">
          {text.title} · {props && <game.Status {...props} />}
        </h1>
        {info && (
          <>
            <Download {...info} onFault={setUnsaved} />
            <IconButton
              icon={icons.share}
              name={words().friends.share}
              onClick={() => setOpenDialog("share")}
            />
          </>
        )}
        <IconButton
          icon={icons.settings}
          name={words().table.settings}
          onClick={() => setOpenDialog("settings")}
        />
      </header>
      <main class="felt" ref={stage} onPointerDownCapture={() => player.finish()}>
        {!ready && <Waiting />}
        {ready && size.width > 0 && (
          <game.Table
            id={record}
            words={gameWords}
            view={view}
            told={view}
            open={open ? step.views : null}
            scene={player.now.scene}
            from={player.now.from}
            cue={player.now.cue}
            busy={player.now.busy}
            motion={chosen.motion ? MOVE_MS / chosen.speed : 0}
            size={size}
            state="over"
            names={names}
            legal={[]}
            act={() => {}}
            hurry={() => {}}
            watching={watching}
            hint={mover === seat ? hint : open ? onlyBest(hint) : null}
            pick={null}
            suggest={null}
            reason={() => ""}
            played={here?.move}
          />
        )}
        {unsaved && <Trouble text={faultText(unsaved)} onClose={() => setUnsaved(null)} />}
      </main>
      <aside class="side replay-side">
        <div class="steps" role="group" aria-label={text.title}>
          <IconButton icon={icons.first} name={text.first} disabled={at === 0} onClick={() => jump(0)} />
          <IconButton
            icon={icons.previous}
            name={text.back}
            disabled={at === 0}
            onClick={() => jump((now) => now - 1)}
          />
          <input
            type="range"
            min="0"
            max={String(highest)}
            value={String(at)}
            aria-label={text.position(at, highest)}
            onInput={(event) => jump(Number(event.currentTarget.value))}
          />
          <IconButton
            icon={icons.next}
            name={text.forward}
            disabled={at >= highest}
            onClick={() => jump((now) => now + 1)}
          />
          <IconButton
            icon={icons.last}
            name={text.last}
            disabled={at >= highest}
            onClick={() => jump(highest)}
          />
        </div>
        <p class="position" aria-live="polite">
          {text.position(at, highest)}
          {last && ` · ${names[last[0]]}: ${moveText(game, gameWords, last[1], view!)}`}
        </p>
        <div class="replay-options">
          <label class="setting">
            <span>{text.from}</span>
            <select value={String(seat)} onChange={(event) => setSeat(Number(event.currentTarget.value))}>
              {names.map((name, index) => (
                <option key={index} value={String(index)}>
                  {numberFirst(name)}
                </option>
              ))}
            </select>
          </label>
          <label class="setting">
            <span>{text.open}</span>
            <input
              type="checkbox"
              role="switch"
              checked={open}
              onChange={(event) => setOpen(event.currentTarget.checked)}
            />
          </label>
          {hinters.length > 0 && (
            <label class="setting">
              <span>{text.values}</span>
              <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
                <option value="">{text.noValues}</option>
                {hinters.map((card) => (
                  <option key={card.name} value={card.name}>
                    {agentText(card).title}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
        {view && !byLink && !asked && <div class="review-place" />}
        {view && !byLink && asked && (
          <ReplayReview
            key={seat}
            record={record}
            seat={seat}
            own={!watching && info?.own === true}
            open={open}
            game={game}
            gameWords={gameWords}
            lobby={lobby}
            view={view}
            go={go}
            onJump={jump}
          />
        )}
        {judge?.unit && (
          <>
            {judge.unit !== "policy" && (
              <section>
                <h2>{text.costs}</h2>
                <ol class="costs">
                  {judged.fault ? (
                    <li class="fault" role="alert">
                      {faultText(judged.fault)}
                    </li>
                  ) : (
                    !worst.length && (
                      <li class="note">
                        {judged.done ? text.none : `${text.thinking} ${judged.values.length}/${total! - 1}`}
                      </li>
                    )
                  )}
                  {worst.map((entry) => (
                    <li key={entry.seq}>
                      <button
                        type="button"
                        class={entry.seq === at ? "quiet current" : "quiet"}
                        onClick={() => jump(entry.seq)}
                      >
                        <b>{names[entry.seat]}</b> <span>{game.moveText(gameWords, entry.move, view!)}</span>{" "}
                        <small>{text.cost(costText(entry.cost!, judge.unit!, whole))}</small>
                      </button>
                    </li>
                  ))}
                </ol>
              </section>
            )}
            <p class="note">{unitText(game, gameWords, judge.unit)}</p>
            <section>
              {mover !== null && <h2>{text.options(names[mover])}</h2>}
              <ValueList
                hint={hint}
                played={here?.move}
                style={style}
                moveText={(move) => game.moveText(gameWords, move, view!)}
              />
            </section>
          </>
        )}
        {props && (
          <>
            <game.Panel {...props} />
            <section>
              <h2>{words().table.log}</h2>
              <Log game={game} words={gameWords} view={view} names={names} />
            </section>
          </>
        )}
      </aside>
      {openDialog === "settings" && <SettingsDialog onClose={() => setOpenDialog(null)} />}
      {openDialog === "share" && (
        <ShareDialog record={record} move={at} onClose={() => setOpenDialog(null)} />
      )}
    </div>
  );
}

interface ReplayReviewProps {
  record: string;
  seat: number;
  own: boolean;
  open: boolean;
  game: GameModule;
  gameWords: unknown;
  lobby: Lobby;
  view: View;
  go: (hash: string) => void;
  onJump: (seq: number) => void;
}

/** The review of the seat from which one looks; another's than the own one is computed when it is asked for. */
function ReplayReview({ record, seat, open, ...rest }: ReplayReviewProps) {
  const [info, request] = useReview(record, seat);
  const text = words().review;
  return (
    <div class="review-place">
      {info?.review ? (
        <>
          <Review record={record} review={info.review} {...rest} />
          {open && <p class="note">{text.hindsight}</p>}
        </>
      ) : info?.state === "waiting" ? (
        <p class="note">{text.waiting}</p>
      ) : (
        <button type="button" disabled={!info} onClick={request}>
          {text.ask}
        </button>
      )}
    </div>
  );
}

/** The address tells which position is shown: it can be sent to others. */
function useAddress(hash: string | null): void {
  useEffect(() => {
    if (hash) history.replaceState(null, "", hash);
  }, [hash]);
}

/** What the list of records says about this one; of one that is read by a link it says nothing. */
function useRecord(record: string, byLink: boolean): { info: RecordInfo | null; asked: boolean } {
  const { answer, fault } = useAnswer<RecordInfo[]>(byLink ? async () => [] : api.records);
  const info = answer?.find((candidate) => candidate.record === record) ?? null;
  return { info, asked: answer !== null || fault !== null };
}
