// A table: top bar, the stage of its game, the side panel, dialogs.

import { useEffect, useRef, useState } from "preact/hooks";
import { api, faultOf } from "../net/api";
import type { AgentCard, Lobby, StandIn, TableInfo, View } from "../net/protocol";
import { Review } from "../review/Review";
import { useReview } from "../review/useReview";
import { change, useSettings } from "../settings";
import { allOptions } from "../rules";
import { agentTitle, faultText, gameTitle, unlearnedTitles, words } from "../words";
import { useKept } from "./byItself";
import { Download } from "./Download";
import { preload } from "../decks/deck";
import { ChosenRules } from "./ChosenRules";
import { Dialog } from "./Dialog";
import { Friends } from "../friends/Friends";
import { InvitationDialog } from "../friends/InvitationDialog";
import { madeFor, toTable } from "../friends/invitations";
import { LinkDialog, ShareDialog } from "../friends/LinkDialog";
import type { GameModule } from "../games/game";
import { Gone } from "./Gone";
import { endOf } from "./endOf";
import { endGuide, Guide } from "./Guide";
import { figureStyle, Hints, unitText } from "./Hints";
import { IconButton } from "./IconButton";
import { icons } from "./icons";
import { seatTitles } from "./names";
import { Petals } from "./Petals";
import { usePlayer } from "./player";
import { useSession, type Change, type Position } from "./session";
import { sound } from "./sound";
import { SettingsDialog } from "./SettingsDialog";
import { Sure } from "./Sure";
import { Trouble } from "./Trouble";
import { TableClock, TimeLeft } from "./TimeLeft";
import { useSize } from "./useSize";
import { useSuggestion } from "./useSuggestion";
import { figureText } from "./values";
import { Log } from "./Log";
import { Watch } from "./Watch";

export const MOVE_MS = 320;

type Open = "rules" | "chart" | "settings" | "menu" | "sheet" | "takeback" | "resign" | "watchers" | null;

interface TablePageProps {
  table: string; // its id, or the code of a link to look on
  byLink: boolean;
  game: GameModule;
  gameWords: unknown;
  lobby: Lobby;
  go: (hash: string) => void;
}

export function TablePage({ table, byLink, game, gameWords, lobby, go }: TablePageProps) {
  const chosen = useSettings();
  const text = words().table;
  const [from, setFrom] = useState(0);
  const [open, setOpen] = useState<Open>(null);
  const [dismissed, setDismissed] = useState(-1); // the seq whose summary was put away
  const player = usePlayer<Position>(chosen.motion, chosen.speed);
  const [inviting, setInviting] = useState<number | null>(null); // the seat
  const names = useRef<string[]>([]);

  const onChange = ({ before, after }: Change) => {
    const views = after.result?.views ?? after.views;
    const scene = game.scene(after.view, views);
    if (!before) return player.show(scene, after);
    player.play(game.frames(gameWords, before.view, after.events, after.view, names.current, views), after);
  };
  const [session, actions] = useSession(table, byLink, from, onChange);
  const { info, at } = session;
  const rules = lobby.games.find(({ id }) => id === info?.game);
  const options = info && rules ? allOptions(rules, info.options) : {};
  names.current = info ? seatTitles(info.seats) : [];

  const own = !byLink && (info?.seats.some((seat) => seat.kind === "person") ?? false);
  const several = useRef(false); // also when all but one have left: nothing on the page moves then
  several.current ||= (info?.seats.filter((seat) => seat.kind === "person").length ?? 0) > 1;
  const ownTurn = own && at !== null && at.state === "playing" && at.view.to_move === session.seat;
  const myTurn = ownTurn && !session.sending;
  const away = session.link === "lost";
  const settled = at !== null && (game.settled?.(at.view) ?? false);
  const hinters = lobby.agents.filter((agent) => agent.game === info?.game && agent.unit);
  const hinter = pickHinter(hinters, info?.game, chosen.hintAgent);
  const hinterCard = hinters.find(({ name }) => name === hinter);
  const curve = useCurve(table, session.hint);
  const asking = myTurn && hinter && !settled ? () => actions.askHint(hinter) : null;
  const suggestion = useSuggestion(at?.seq ?? 0, session.hint, asking);

  useEffect(() => {
    if (chosen.hints) asking?.();
  }, [chosen.hints, myTurn, hinter, at?.seq, settled]);

  const unasked = info?.own && info.state !== "over" ? info.seats.findIndex((seat) => seat.open) : -1;
  useEffect(() => {
    if (unasked >= 0 && !madeFor(toTable(table, unasked))) setInviting(unasked);
  }, [unasked]);

  useEffect(() => preload(game.deck, [null, ...game.faces]), [game, chosen.fourColours]);
  useTitle(info && gameTitle(lobby, info.game), myTurn);
  const [stage, size] = useSize<HTMLDivElement>();
  useEffect(() => {
    if (own && info && at && at.state !== "playing") endGuide(info.game);
  }, [at?.state]);
  const ended = at?.state === "over" && !player.now.busy && session.cameAt !== at.seq && at.result;
  const won = ended && own && endOf(ended.margins ?? [], session.seat) === "won";
  useEffect(() => {
    if (ended && own) sound(won ? "won" : "lost");
  }, [Boolean(ended)]);

  const act = (move: string) => {
    if (myTurn) actions.act(move);
  };
  // Any input ends a running animation, and then does what it does: a press counts only if what was pressed is still there.
  const interrupt = () => player.now.busy && player.finish();

  const mayTakeBack =
    own &&
    !several.current &&
    at !== null &&
    at.state !== "over" &&
    at.view.history.some(([seat]) => seat === session.seat);
  const takeBack = () => {
    const counts = !(info!.takebacks || info!.hints || info!.same_deal);
    setOpen(counts ? "takeback" : null);
    if (!counts) actions.takeBack();
  };
  useUndoKey(mayTakeBack && !session.sending ? takeBack : null);

  if (session.failed || session.link === "closed")
    return (
      <Gone
        text={
          session.closeCode === 4409
            ? text.otherRules
            : session.failed
              ? faultText(session.failed)
              : text.closed
        }
      />
    );

  const view = at?.view as View;
  const views = at ? (at.result?.views ?? at.views) : null;
  const thinking =
    at?.state === "playing" && at.view.to_move !== null && !(own && at.view.to_move === session.seat);
  // What is told beside the cards waits for them: while a move is animated, all figures are those before it.
  const told = (player.now.seen ?? at)?.view as View;
  const props = at && { words: gameWords, view: told, names: names.current, watching: !own };
  const showSummary =
    at && at.state !== "playing" && !player.now.busy && dismissed !== at.seq && size.width > 0;
  const mayGoOn = at?.state === "between" && !byLink;
  const reviewable = own && at?.state === "over" && at.seq > 0;
  const { hint } = session;
  const reason = (move: string) => {
    const found = hint?.reasons?.[move];
    return (found && game.reasonText?.(gameWords, found, view, names.current)) ?? "";
  };
  const hintsPart = at && (
    <Hints
      agents={hinters}
      agent={hinter}
      hint={hint}
      silent={settled ? text.settled : session.hintFault ? text.noHintHere : null}
      waiting={myTurn}
      game={view.game}
      moveText={(move) => game.moveText(gameWords, move, view)}
      figure={(move) => (hint ? figureText(hint, move, figureStyle(game, gameWords)) : "")}
      unitText={(unit) => unitText(game, gameWords, unit)}
      reason={reason}
      curve={curve}
      onPick={
        myTurn && game.picks
          ? (move) => {
              if (!game.picks!(move)) return;
              suggestion.choose(move);
              setOpen(null);
            }
          : undefined
      }
      unlearned={hinterCard && rules ? unlearnedTitles(rules, hinterCard, info!.options) : []}
    />
  );
  // Beside the table, or in a dialog where there is no room beside it.
  const guided = at && info && myTurn && !player.now.busy && size.width > 0 && !chosen.guided[info.game];
  const sheet = at && info && (
    <>
      {!own && !byLink && (
        <Watch info={info} names={names.current} from={from} onFrom={setFrom} actions={actions} />
      )}
      <game.Panel {...props!} />
      {own && several.current && (
        <Friends
          info={info}
          seat={session.seat}
          over={at?.state === "over"}
          names={names.current}
          agree={(hints) => actions.agree(hints)}
          invite={setInviting}
          lookOn={() => setOpen("watchers")}
          go={go}
        />
      )}
      {own && chosen.hints && (
        <section>
          <h2>{text.hints}</h2>
          {hintsPart}
        </section>
      )}
      <section>
        <h2>{text.log}</h2>
        <Log game={game} words={gameWords} view={told} names={names.current} />
      </section>
    </>
  );
  const unadvised = suggestion.suggest?.waiting && session.hintFault;
  const trouble = [
    away && text.lost,
    session.fault && faultText(session.fault),
    unadvised && (unadvised === "no_values" ? text.noHintHere : faultText(unadvised)),
  ];
  const urgent =
    trouble.filter(Boolean).join(" ") ||
    (session.standIn
      ? standInText(session.standIn, names.current, lobby)
      : session.refused
        ? text.refused
        : "");

  const clock = info?.clock
    ? {
        seconds: info.clock,
        seat: at?.state === "playing" ? at.view.to_move : null,
        ends: session.clock && session.clock.seq === at?.seq ? session.clock.ends : null,
      }
    : null;
  const page = (
    <div
      class="table-page"
      data-game={info?.game}
      data-seq={at?.seq}
      data-state={at?.state}
      data-busy={player.now.busy || undefined}
      onPointerDownCapture={interrupt}
      onKeyDownCapture={interrupt}
    >
      <header class="bar">
        <IconButton icon={icons.back} name={text.lobby} onClick={() => go("#/")} />
        <h1 class="status">{props ? <game.Status {...props} /> : info && gameTitle(lobby, info.game)}</h1>
        <p class="turn" aria-live="polite">
          {player.now.busy
            ? ""
            : myTurn
              ? text.yourTurn
              : !thinking
                ? ""
                : info!.pace.paused
                  ? text.paused
                  : info!.seats[at!.view.to_move!].open
                    ? words().friends.waiting
                    : text.thinking(names.current[at!.view.to_move!])}
        </p>
        {own && (
          <IconButton
            pressed={chosen.hints}
            icon={icons.hint}
            name={chosen.hints ? text.hintsOff : text.hintsOn}
            onClick={() => change({ hints: !chosen.hints })}
          />
        )}
        <IconButton
          class="narrow-only"
          icon={icons.sheet}
          name={text.sheet}
          onClick={() => setOpen("sheet")}
        />
        <IconButton
          icon={chosen.sound ? icons.sound : icons.silence}
          name={chosen.sound ? text.soundOff : text.soundOn}
          onClick={() => change({ sound: !chosen.sound })}
        />
        <IconButton icon={icons.chart} name={text.chart} onClick={() => setOpen("chart")} />
        <IconButton
          class="not-narrowest"
          icon={icons.rules}
          name={text.rules}
          onClick={() => setOpen("rules")}
        />
        <IconButton icon={icons.menu} name={text.menu} onClick={() => setOpen("menu")} />
      </header>
      <main class="felt" ref={stage}>
        {at && size.width > 0 && (
          <game.Table
            key={info?.takebacks}
            id={info?.takebacks ? `${table}.${info.takebacks}` : table}
            words={gameWords}
            view={view}
            told={told}
            open={views}
            scene={player.now.scene}
            from={player.now.from}
            cue={player.now.cue}
            busy={player.now.busy}
            motion={chosen.motion ? MOVE_MS / chosen.speed : 0}
            size={size}
            state={at.state}
            names={names.current}
            legal={myTurn || (ownTurn && away) ? (at.view.legal ?? []) : []}
            act={act}
            hint={chosen.hints && myTurn ? hint : null}
            pick={suggestion.pick}
            suggest={player.now.busy ? null : suggestion.suggest}
            reason={reason}
            hurry={player.finish}
            watching={!own}
          />
        )}
        {guided && (
          <Guide
            key={info.game}
            table={table}
            game={info.game}
            steps={game.guide(gameWords, view)}
            scene={player.now.scene}
          />
        )}
        <Toast
          text={
            urgent ||
            (!info || at?.seq !== session.cameAt
              ? ""
              : byLink
                ? words().friends.lookingOn
                : changedText(info, names.current, lobby))
          }
          passing={!urgent}
        />
      </main>
      <aside class="side">{sheet}</aside>
      {showSummary && (
        <Dialog
          title={
            at.state === "over"
              ? outcome(at.result, session.seat, own, names.current)
              : gameTitle(lobby, info!.game)
          }
          kind={reviewable ? "box tall" : "box"}
          onClose={() => (mayGoOn ? actions.goOn() : setDismissed(at.seq))}
        >
          {won && chosen.motion && <Petals />}
          <game.Summary {...props!} view={view} state={at.state} events={at.events} result={at.result} />
          {reviewable && (
            <AfterReview
              record={at.result!.record}
              seat={session.seat}
              own={info!.own ?? false}
              news={session.reviewed}
              game={game}
              gameWords={gameWords}
              lobby={lobby}
              view={view}
              go={go}
            />
          )}
          <div class="actions">
            {mayGoOn && (
              <button type="button" class="primary" onClick={() => actions.goOn()}>
                {text.goOn} <TimeLeft seat={null} />
              </button>
            )}
            {at.state === "over" && (
              <AfterGame info={info!} record={byLink ? null : at.result!.record} go={go} />
            )}
            {away && <Trouble text={text.lost} />}
          </div>
        </Dialog>
      )}
      {at?.state === "over" && dismissed === at.seq && (
        <button type="button" class="primary reopen" onClick={() => setDismissed(-1)}>
          {outcome(at.result, session.seat, own, names.current)}
        </button>
      )}
      {inviting !== null && info?.seats[inviting].open && (
        <InvitationDialog key={inviting} table={table} seat={inviting} onClose={() => setInviting(null)} />
      )}
      {open === "rules" && (
        <Dialog title={text.rules} onClose={() => setOpen(null)}>
          {info && rules && <ChosenRules game={rules} options={info.options} />}
          <game.Rules words={gameWords} options={options} />
        </Dialog>
      )}
      {open === "chart" && (
        <Dialog title={text.chart} onClose={() => setOpen(null)}>
          <game.Chart words={gameWords} options={options} />
        </Dialog>
      )}
      {open === "settings" && (
        <SettingsDialog
          onClose={() => setOpen(null)}
          onDelay={byLink ? undefined : (delay) => actions.setPace({ ...info!.pace, delay })}
        />
      )}
      {open === "sheet" && (
        <Dialog title={text.sheet} onClose={() => setOpen(null)}>
          {sheet}
        </Dialog>
      )}
      {open === "menu" && (
        <Dialog title={text.menu} kind="box" onClose={() => setOpen(null)}>
          <div class="menu">
            <button type="button" onClick={() => setOpen("settings")}>
              {text.settings}
            </button>
            {own && at?.state !== "over" && (
              <button type="button" onClick={() => setOpen("resign")}>
                {text.resign}
              </button>
            )}
            {mayTakeBack && (
              <button type="button" aria-keyshortcuts="Control+Z Meta+Z" onClick={takeBack}>
                {text.takeBack}
              </button>
            )}
            {info?.own && at?.state !== "over" && (
              <button type="button" onClick={() => setOpen("watchers")}>
                {words().friends.lookOn}
              </button>
            )}
            <button type="button" onClick={() => go("#/")}>
              {byLink ? text.toLobby : text.leave}
            </button>
            <button type="button" onClick={() => setOpen("rules")}>
              {text.rules}
            </button>
            {own && (
              <button
                type="button"
                onClick={() => {
                  sessionStorage.removeItem(`fuda.guide.${table}`);
                  change({ guided: { ...chosen.guided, [info!.game]: false } });
                  setOpen(null);
                }}
              >
                {text.guideShow}
              </button>
            )}
          </div>
        </Dialog>
      )}
      {open === "watchers" && (
        <LinkDialog
          title={words().friends.lookOn}
          line={words().friends.lookOnLine}
          wanted={toTable(table, null)}
          onClose={() => setOpen(null)}
        />
      )}
      {open === "takeback" && (
        <Sure
          title={text.takeBack}
          text={text.takeBackSure}
          onYes={() => actions.takeBack()}
          onClose={() => setOpen(null)}
        />
      )}
      {open === "resign" && (
        <Sure
          title={text.resign}
          text={text.resignSure}
          onYes={() => actions.resign()}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
  return <TableClock.Provider value={clock}>{page}</TableClock.Provider>;
}

interface AfterGameProps {
  info: TableInfo;
  record: string | null; // null for who looks on by a link
  go: (hash: string) => void;
}

/** What can be done when a game is over. */
function AfterGame({ info, record, go }: AfterGameProps) {
  const text = words().table;
  const [sharing, setSharing] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const again = (sameDeal: boolean) => {
    setFault(null);
    api.rematch(info.table, { same_deal: sameDeal }).then(
      (next) => go(`#/table/${next.table}`),
      (error) => setFault(faultOf(error).code),
    );
  };
  return (
    <>
      {info.own && (
        <>
          <button type="button" class="primary" onClick={() => again(false)}>
            {text.rematch}
          </button>
          <button type="button" onClick={() => again(true)}>
            {text.sameDeal}
          </button>
        </>
      )}
      {record && (
        <>
          <button type="button" class={info.own ? "" : "primary"} onClick={() => go(`#/replay/${record}`)}>
            {text.seeReplay}
          </button>
          <Download {...info} record={record} onFault={setFault} />
          {/* Where there is no room for it, the replay has it. */}
          <button type="button" class="not-narrowest" onClick={() => setSharing(true)}>
            {words().friends.share}
          </button>
        </>
      )}
      <button type="button" onClick={() => go("#/")}>
        {text.toLobby}
      </button>
      {sharing && <ShareDialog record={record!} onClose={() => setSharing(false)} />}
      {fault && <Trouble text={faultText(fault)} onClose={() => setFault(null)} />}
    </>
  );
}

interface AfterReviewProps {
  record: string;
  seat: number;
  own: boolean; // whether this browser may play a position again
  news: number;
  game: GameModule;
  gameWords: unknown;
  lobby: Lobby;
  view: View;
  go: (hash: string) => void;
}

/** The review of the game that has just ended, once it is whole. */
function AfterReview({ record, seat, news, ...rest }: AfterReviewProps) {
  const [info] = useReview(record, seat, news);
  if (info?.review) return <Review record={record} review={info.review} {...rest} />;
  if (info?.state === "none" || info?.state === "failed") return null;
  return <p class="note">{words().review.waiting}</p>;
}

const LATE = ["deadline", "busy"];

/** Who has moved for an agent, and why. */
function standInText({ seat, agent, reason }: StandIn & { seat: number }, names: string[], lobby: Lobby) {
  const why = reason === "missing" || reason === "clock" ? reason : LATE.includes(reason) ? "late" : "failed";
  return words().table.standIn[why](names[seat], agentTitle(lobby, agent));
}

/** What is not as it was when the table began: said to those who come back to it, until a move is made. */
function changedText(info: TableInfo, names: string[], lobby: Lobby): string {
  if (info.state === "over") return "";
  const fallback = lobby.games.find((game) => game.id === info.game)!.fallback;
  const lines = info.seats.map(({ changed }, seat) =>
    changed ? words().table.changed[changed](names[seat], agentTitle(lobby, fallback)) : "",
  );
  return lines.filter(Boolean).join(" ");
}

/** A line over the table; each is a box of its own, so that none shifts to fit the next. */
function Toast({ text, passing }: { text: string; passing: boolean }) {
  return (
    <p class="toast" role="status">
      {text && (
        <span key={text} class={passing ? "passing" : ""}>
          {text}
        </span>
      )}
    </p>
  );
}

/** Who won, in words. */
function outcome(
  result: { reason: string; resigned: number | null; margins: number[] | null } | null,
  seat: number,
  own: boolean,
  names: string[],
): string {
  const text = words().table;
  if (!result) return "";
  if (result.reason === "resigned")
    return result.resigned === seat ? text.youResigned : words().friends.gaveUp(names[result.resigned!]);
  const margins = result.margins ?? [];
  if (!own) {
    const best = Math.max(...margins);
    return best === 0
      ? text.draw
      : text.wins(names.filter((_, index) => margins[index] === best).join(" & "));
  }
  const ended = endOf(margins, seat);
  return typeof ended === "number"
    ? text.place(ended)
    : { won: text.youWin, lost: text.youLose, drawn: text.draw }[ended];
}

function pickHinter(
  hinters: AgentCard[],
  game: string | undefined,
  chosen: Record<string, string>,
): string | null {
  const wanted = game ? chosen[game] : undefined;
  return (
    hinters.find((agent) => agent.name === wanted)?.name ??
    hinters.find((agent) => agent.unit === "probability")?.name ??
    hinters[0]?.name ??
    null
  );
}

/** The chances to win at each of the own turns for which a hint came, kept over reloads of the page. */
function useCurve(
  table: string,
  hint: { seq: number; unit: string; best: string; values: Record<string, number> } | null,
): number[] {
  const [points, setPoints] = useKept<[number, number][]>(`fuda.curve.${table}`, []);
  useEffect(() => {
    if (hint?.unit !== "probability") return;
    setPoints([...points.filter(([seq]) => seq < hint.seq), [hint.seq, hint.values[hint.best]]]);
  }, [hint]);
  return points.map(([, value]) => value);
}

/** What undoes elsewhere takes a move back here. */
function useUndoKey(undo: (() => void) | null): void {
  useEffect(() => {
    if (!undo) return;
    const onKey = (event: KeyboardEvent) => {
      const wanted = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
      if (!wanted || (event.target as HTMLElement).closest("input, dialog")) return;
      event.preventDefault();
      undo();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}

function useTitle(game: string | null, myTurn: boolean): void {
  useEffect(() => {
    document.title = game ? `${myTurn ? "● " : ""}${game} · fuda` : "fuda";
    return () => void (document.title = "fuda");
  }, [game, myTurn]);
}
