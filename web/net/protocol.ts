// Written by web/protocol.py from src/fuda/serve/schema.json: do not edit. What the fields mean is told in
// src/fuda/serve/protocol.py and docs/protocol.md.

export const VERSION = 1;

/** The move, continue, takeback or resign with this id is stored; `seq` after it. */
export interface Ack {
  type: "ack";
  id: string;
  seq: number;
}

/** An agent of the lobby. */
export interface AgentCard {
  name: string;
  game: string;
  title: string;
  line: string;
  unit: Unit | null;
  bids: boolean;
  learned_options: Options | null;
  rating: number | null;
  rating_stderr: number | null;
  duels: Duel[];
}

/** What a game of the default rules costs an agent on average, by the agent that reviews. */
export interface AgentCost {
  agent: string;
  cost: number;
  stderr: number;
  games: number;
}

/** A seat for an agent of the lobby. */
export interface AgentSeat {
  agent: string;
}

/** Whether this seat agrees to hints: at a table of several persons all must. */
export interface Agree {
  type: "agree";
  hints: boolean;
}

/** What an agent thinks of the own moves in this position; never delays a move. */
export interface AskHint {
  type: "hint";
  seq: number;
  agent: string;
}

/** POST /api/v1/records/{record}/review: have a seat reviewed; persons' seats are without being asked. */
export interface AskReview {
  seat: number;
}

/** POST /api/v1/records/{record}/values: what an agent thinks of some moves of a record. */
export interface AskValues {
  agent: string;
  first?: number;
  count?: number;
}

/** The clock has started or stopped; also told to who comes while it runs. */
export interface Clock {
  type: "clock";
  seq: number;
  left: number | null;
}

/** Go on after a round. */
export interface Continue {
  type: "continue";
  id: string;
  seq: number;
  takebacks?: number;
}

/** The next round was dealt. */
export interface Continued {
  type: "continued";
  seq: number;
  events: GameEvent[];
  state: State;
  view: View;
  views?: View[] | null;
}

/** The owner has deleted the table. */
export interface Deleted {
  type: "deleted";
}

/** The result of a stored duel, from this agent's side. */
export interface Duel {
  opponent: string;
  options: Options;
  games: number;
  win_rate: number;
  win_rate_stderr: number;
  mean_diff: number;
  stderr: number;
  seed: number;
  commit: string | null;
}

/** Somebody resigned. */
export interface Ended {
  type: "ended";
  seq: number;
  state: State;
  view: View;
  result: Result;
}

/** What went wrong: a code, and what the page needs to say it. */
export interface Fault {
  code: string;
  params: Record<string, unknown>;
}

export type FromServer =
  | Welcome
  | Snapshot
  | Moved
  | Continued
  | Ended
  | Ack
  | Refused
  | Hint
  | NoHint
  | Paced
  | Seated
  | Clock
  | SocketError
  | Reviewed
  | Deleted
  | Pong;

/** One thing that a seat saw happen, as `match.events(seat)` gives it; the rest is the game's own. */
export interface GameEvent {
  type: string;
}

/** A game of the lobby. */
export interface GameInfo {
  id: string;
  title: string;
  seats: number;
  rules_version: number;
  fallback: string;
  offered: string;
  options: RuleOption[];
  presets: RulePreset[];
}

/** How the owner gets on in a game. */
export interface GameProgress {
  game: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  rated: number;
  rating: number | null;
  stderr: number | null;
  others: RatedPlayer[];
  unit: "points" | "probability" | null;
  standing: AgentCost[];
  played: PlayedGame[];
}

/** The first message on a socket. */
export interface Hello {
  type: "hello";
  v: number;
  table: string;
  seat: number;
  secret: string;
  watch?: boolean;
  seq?: number | null;
  takebacks?: number;
}

/** The values of the legal moves at `seq`; drop it if that is not the position any more. */
export interface Hint {
  type: "hint";
  seq: number;
  agent: string;
  unit: Unit;
  values: Record<string, number>;
  best: string;
  reasons?: Record<string, Reason>;
}

/** The body of every answer with status 400 and above. */
export interface HttpError {
  error: Fault;
}

/** The answer to Invite, and to a record that is shared. */
export interface Invitation {
  path: string;
  link: string;
  only_here: boolean;
  qr: string[];
}

/** POST /api/v1/tables/{table}/invitations: to an open seat, or to look on. */
export interface Invite {
  seat: number | null;
}

/** POST /api/v1/join: an invitation is taken up. */
export interface Join {
  code: string;
  name?: string;
}

/** The answer to Join. */
export interface Joined {
  table: TableInfo;
  seat: number;
}

/** POST /api/v1/tables/{table}/leave: an agent goes on in a seat of one's own, or of one's own table. */
export interface Leave {
  seat: number;
  agent?: string | null;
}

/** What the page must keep to. */
export interface Limits {
  tables: number;
  upload_bytes: number;
  message_bytes: number;
  name_length: number;
  chunk: number;
}

/** GET /api/v1/lobby. */
export interface Lobby {
  v: 1;
  version: string;
  games: GameInfo[];
  agents: AgentCard[];
  limits: Limits;
}

/** A move: `id` is new for every new move and the same when a message is sent again. */
export interface Move {
  type: "move";
  id: string;
  seq: number;
  takebacks?: number;
  move: string;
}

/** The values of the moves in one position, from the mover's view alone. */
export interface MoveValues {
  seq: number;
  seat: number;
  move: string;
  values: Record<string, number> | null;
  best: string | null;
  cost: number | null;
}

/** A move was committed. */
export interface Moved {
  type: "moved";
  seq: number;
  seat: number;
  move: string | null;
  stand_in?: StandIn | null;
  events: GameEvent[];
  state: State;
  view: View;
  views?: View[] | null;
  result?: Result | null;
}

export type NewSeat = PersonSeat | AgentSeat;

/** POST /api/v1/tables. */
export interface NewTable {
  game: string;
  options?: Record<string, OptionValue>;
  seats: NewSeat[];
  pace?: Pace;
  clock?: number | null;
}

/** There are no values for this position. */
export interface NoHint {
  type: "no_hint";
  seq: number;
  agent: string;
  error: Fault;
}

/** At a paused table without persons: let one move happen. */
export interface OneStep {
  type: "step";
}

export type OptionValue = number | string;

export type Options = Record<string, OptionValue>;

/** POST /api/v1/owners: a new owner's secret, told this one time. */
export interface Owner {
  secret: string;
}

/** How fast agents move: the least time before a move, in milliseconds, and whether they wait. */
export interface Pace {
  delay?: number;
  paused?: boolean;
}

/** The pace of agents was changed, here or in another tab. */
export interface Paced {
  type: "paced";
  pace: Pace;
}

/** A seat for a person, with the name that is shown. */
export interface PersonSeat {
  person: string;
  invited?: boolean;
}

/** Is anybody there? */
export interface Ping {
  type: "ping";
}

/** One of the owner's games. */
export interface PlayedGame {
  created: string | null;
  record: string | null;
  end: "wins" | "draws" | "losses";
  rated: boolean;
  rating: number | null;
  stderr: number | null;
  cost: number | null;
}

/** The answer to ping. */
export interface Pong {
  type: "pong";
}

/** GET /api/v1/me: all that the server has of the owner, but secrets and cards of running games. */
export interface Profile {
  fuda: string;
  exported: string;
  created: string;
  address: string;
  progress: GameProgress[];
  puzzles: ProfilePuzzle[];
  tables: TableInfo[];
  games: ProfileGame[];
}

/** A finished game in a profile. */
export interface ProfileGame {
  info: RecordInfo;
  file: string | null;
  reviews: Review[];
}

/** A position in which the owner erred, in a profile. */
export interface ProfilePuzzle {
  record: string;
  seat: number;
  seq: number;
  erred: string;
  agent: string;
  streak: number;
  due: string | null;
}

/** GET /api/v1/progress: the games that the owner has played. */
export interface Progress {
  games: GameProgress[];
}

/** GET /api/v1/puzzles/{puzzle}: a position in which one erred, as one's seat saw it. */
export interface Puzzle {
  puzzle: string;
  game: string;
  record: string;
  seq: number;
  players: string[];
  agent: string;
  streak: number;
  needed: number;
  view: View;
}

/** Enough to fetch a puzzle, and what its game needs. */
export interface PuzzleName {
  puzzle: string;
  game: string;
}

/** The answer to Solve. */
export interface PuzzleVerdict {
  puzzle: string;
  right: boolean;
  move: string;
  best: string;
  erred: string;
  agent: string;
  unit: "points" | "probability";
  values: Record<string, number>;
  cost: number;
  reasons: Record<string, Reason>;
  streak: number;
  due: string | null;
}

/** GET /api/v1/puzzles: how many there are. */
export interface Puzzles {
  due: number;
  first: PuzzleName | null;
  later: number;
  next: string | null;
  solved: number;
}

/** Somebody whom the owner has met in rated games. */
export interface RatedPlayer {
  kind: "agent" | "person";
  name: string;
  games: number;
  rating: number;
  stderr: number;
}

/** Why a move may be right or wrong, in a few words that the page has; the rest is the game's own. */
export interface Reason {
  type: string;
}

/** A finished game, or an uploaded record. */
export interface RecordInfo {
  record: string;
  game: string;
  options: Options;
  players: string[];
  persons: number[];
  seat?: number | null;
  source: "table" | "upload";
  moves: number;
  scores: number[] | null;
  margins: number[] | null;
  resigned: number | null;
  hints: boolean;
  same_deal: boolean;
  takebacks: number;
  created: string;
  table: string | null;
  own?: boolean;
  damaged?: boolean;
}

/** The answer to AskValues. */
export interface RecordValues {
  record: string;
  agent: string;
  unit: Unit;
  values: MoveValues[];
}

/** GET /api/v1/records, the newest first. */
export interface Records {
  records: RecordInfo[];
}

/** Nothing was changed; a fresh snapshot follows the code `stale`. */
export interface Refused {
  type: "refused";
  id: string;
  error: Fault;
  seq: number;
  snapshot?: Snapshot | null;
}

/** POST /api/v1/tables/{table}/rematch, once the table is over. */
export interface Rematch {
  same_deal?: boolean;
  seats?: NewSeat[] | null;
}

/** GET /api/v1/records/{record}/replay?first=0&count=32: positions first to first+count-1. */
export interface Replay {
  record: string;
  game: string;
  players?: string[] | null;
  total: number;
  steps: Step[];
}

/** A seat's view in a replay: the keys that all games share. The game's RULES.md lists the rest. */
export interface ReplayView {
  game: string;
  seat: number;
  to_move: number | null;
  legal?: string[];
  options: Options;
}

/** Give up: the table is over. */
export interface Resign {
  type: "resign";
  id: string;
  seq: number;
}

/** How a table ended; all cards are open now. */
export interface Result {
  reason: "played" | "resigned";
  resigned: number | null;
  scores: number[] | null;
  margins: number[] | null;
  views: View[];
  record: string;
}

/** GET /api/v1/results. */
export interface Results {
  results: Standing[];
}

/** What a seat's moves gave away, judged by what it saw then; all figures are in `unit`. */
export interface Review {
  game: string;
  players: string[];
  seat: number;
  agent: string;
  weights: string | null;
  looker: string;
  scenarios: number;
  unit: "points" | "probability";
  over: boolean;
  moves: number;
  start: number;
  result: number;
  luck: number;
  cost: number;
  others_cost: number;
  opening: ReviewSwing;
  decisions: ReviewDecision[];
  mistakes: ReviewMistake[];
  costs_by_kind: Record<string, number>;
  standing?: AgentCost[];
  unlearned?: Options;
}

/** A choice of the seat, and all until its next one. */
export interface ReviewDecision {
  result: number;
  luck: number;
  cost: number;
  others_cost: number;
  index: number;
  deal: number;
  kind: string;
  move: string;
  best: string;
  before: number;
  after: number;
}

/** GET /api/v1/records/{record}/review?seat=0, and the answer to AskReview. */
export interface ReviewInfo {
  record: string;
  seat: number;
  state: "none" | "waiting" | "ready" | "failed";
  review: Review | null;
}

/** A move that cost something also by a second, deeper look, whose standard error is told. */
export interface ReviewMistake {
  index: number;
  move: string;
  best: string;
  cost: number;
  stderr: number;
  second_cost: number;
}

/** How the expectation of a seat changed, and why: result = luck - cost + others_cost, exactly. */
export interface ReviewSwing {
  result: number;
  luck: number;
  cost: number;
  others_cost: number;
}

/** The review of a seat in the finished game is there, or has failed. */
export interface Reviewed {
  type: "reviewed";
  record: string;
  seat: number;
}

/** A rule option: one of some words, or a whole number from low to high. */
export interface RuleOption {
  name: string;
  line: string;
  default: OptionValue;
  words?: string[] | null;
  low?: number | null;
  high?: number | null;
  neutral: boolean;
}

/** Rules that players know by a name; the page has its own words for those that it knows. */
export interface RulePreset {
  id: string;
  title: string;
  line: string;
  options: Options;
}

/** Somebody has come, left or agreed to hints. */
export interface Seated {
  type: "seated";
  table: TableInfo;
}

/** Change the pace of agents. */
export interface SetPace {
  type: "pace";
  pace: Pace;
}

/** Where the table stands, for one seat. Replaces all that the page knew. */
export interface Snapshot {
  type: "snapshot";
  seq: number;
  takebacks: number;
  state: State;
  view: View;
  events?: GameEvent[];
  views?: View[] | null;
  result?: Result | null;
}

/** A message could not be used. Faults that end the connection are followed by a close. */
export interface SocketError {
  type: "error";
  error: Fault;
}

/** POST /api/v1/puzzles/{puzzle}: a move for a puzzle that is due. */
export interface Solve {
  move: string;
}

/** Another agent made this move. */
export interface StandIn {
  agent: string;
  reason: "deadline" | "crash" | "illegal" | "missing" | "busy" | "clock";
}

/** The owner's results in a game against the same agents. */
export interface Standing {
  game: string;
  agents: string[];
  plain: Tally;
  assisted: Tally;
}

export type State = "playing" | "between" | "over";

/** A position of a replay: what each seat saw happen with a move, and sees after it. */
export interface Step {
  seq: number;
  seat: number | null;
  move: string | null;
  hidden: number[][];
  events: GameEvent[][];
  views: ReplayView[];
  to_move: number | null;
  legal: string[];
}

/** A table, as its owner and its players see it. */
export interface TableInfo {
  table: string;
  game: string;
  rules_version: number;
  options: Options;
  seats: TableSeat[];
  state: State;
  seq: number;
  to_move: number | null;
  hints: boolean;
  same_deal: boolean;
  takebacks: number;
  pace: Pace;
  clock?: number | null;
  agreed?: number[];
  created: string;
  changed: string;
  record: string | null;
  playable: boolean;
  own?: boolean;
  damaged?: boolean;
}

/** Who sits in a seat. */
export interface TableSeat {
  kind: "person" | "agent";
  name: string;
  title: string;
  changed?: "weights" | "missing" | null;
  open?: boolean;
  secret?: string | null;
}

/** GET /api/v1/tables: the owner's tables that are not over, the last changed first. */
export interface Tables {
  tables: TableInfo[];
}

/** Back to the own last choice, for a person alone with agents; the game does not count any more. */
export interface Takeback {
  type: "takeback";
  id: string;
  seq: number;
  takebacks?: number;
}

/** Counted games. */
export interface Tally {
  games: number;
  wins: number;
  draws: number;
  losses: number;
  resigned: number;
}

export type ToServer =
  | Hello
  | Move
  | Continue
  | Takeback
  | Resign
  | AskHint
  | SetPace
  | Agree
  | OneStep
  | Ping;

/** POST /api/v1/records/{record}/again: a table that stands where the game stood after `seq` moves. */
export interface TryAgain {
  seq: number;
}

export type Unit = "points" | "probability" | "policy";

/** POST /api/v1/records: the whole text of a record's file, as downloaded or as `fuda` saves it. */
export interface Upload {
  file: string;
}

/** A seat's view, as `match.view(seat)` gives it. */
export interface View {
  game: string;
  seat: number;
  to_move: number | null;
  legal?: string[];
  options: Options;
  history: [number, string | null][];
}

/** The answer to hello; the missing moves or a snapshot follow. */
export interface Welcome {
  type: "welcome";
  v: 1;
  table: TableInfo;
  seat: number;
}
