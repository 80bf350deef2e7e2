// The server's messages, as docs/protocol.md describes them (version 1). Only what the page uses.

export const VERSION = 1;

export type State = "playing" | "between" | "over";
export type Unit = "points" | "probability";
export type OptionValue = number | string;

/** A seat's view: the keys that all games share. Each game's own type adds the rest. */
export interface View {
  game: string;
  seat: number;
  to_move: number | null;
  legal?: string[];
  history: [number, string][];
  options: Record<string, OptionValue>;
  phase: string;
}

export interface GameEvent {
  type: string;
  [key: string]: unknown;
}

export interface Pace {
  delay: number;
  paused: boolean;
}

export interface RuleOption {
  name: string;
  line: string;
  default: OptionValue;
  words: string[] | null;
  low: number | null;
  high: number | null;
}

export interface GameInfo {
  id: string;
  title: string;
  seats: number;
  rules_version: number;
  fallback: string;
  offered: string;
  options: RuleOption[];
}

export interface Rating {
  opponent: string;
  options: Record<string, OptionValue>;
  games: number;
  win_rate: number;
  win_rate_stderr: number;
  mean_diff: number;
  stderr: number;
}

export interface AgentCard {
  name: string;
  game: string;
  title: string;
  line: string;
  unit: Unit | null;
  bids: boolean;
  level: number | null;
  ratings: Rating[];
}

export interface Lobby {
  version: string;
  games: GameInfo[];
  agents: AgentCard[];
  limits: { tables: number; upload_bytes: number; name_length: number; chunk: number };
}

export interface TableSeat {
  kind: "person" | "agent";
  name: string;
  title: string;
  changed?: "weights" | "missing" | null;
  secret?: string | null;
}

export interface Result {
  reason: "played" | "resigned";
  resigned: number | null;
  scores: number[] | null;
  margins: number[] | null;
  views: View[];
  record: string;
}

export interface TableInfo {
  table: string;
  game: string;
  options: Record<string, OptionValue>;
  seats: TableSeat[];
  state: State;
  seq: number;
  to_move: number | null;
  hints: boolean;
  same_deal: boolean;
  pace: Pace;
  created: string;
  changed: string;
  record: string | null;
  playable: boolean;
}

export interface RecordInfo {
  record: string;
  game: string;
  options: Record<string, OptionValue>;
  players: string[];
  persons: number[];
  source: "table" | "upload";
  moves: number;
  scores: number[] | null;
  margins: number[] | null;
  resigned: number | null;
  hints: boolean;
  same_deal: boolean;
  created: string;
  table: string | null;
}

export interface Step {
  seq: number;
  seat: number | null;
  move: string | null;
  events: GameEvent[][];
  views: View[];
  to_move: number | null;
  legal: string[];
}

export interface Replay {
  record: string;
  game: string;
  total: number;
  steps: Step[];
}

export interface MoveValues {
  seq: number;
  seat: number;
  move: string;
  values: Record<string, number> | null;
  best: string | null;
  cost: number | null;
}

export interface RecordValues {
  agent: string;
  unit: Unit;
  values: MoveValues[];
}

export interface Tally {
  games: number;
  wins: number;
  draws: number;
  losses: number;
  resigned: number;
}

export interface Standing {
  game: string;
  agents: string[];
  plain: Tally;
  assisted: Tally;
}

export interface Fault {
  code: string;
  params: Record<string, unknown>;
}

export type NewSeat = { person: string } | { agent: string };

export interface NewTable {
  game: string;
  options: Record<string, OptionValue>;
  seats: NewSeat[];
  pace: Pace;
}

export interface Snapshot {
  type: "snapshot";
  seq: number;
  state: State;
  view: View;
  events: GameEvent[];
  views: View[] | null;
  result: Result | null;
}

export interface StandIn {
  agent: string;
  reason: "deadline" | "busy" | "crash" | "illegal" | "missing";
}

export interface Moved {
  type: "moved";
  seq: number;
  seat: number;
  move: string;
  stand_in: StandIn | null;
  events: GameEvent[];
  state: State;
  view: View;
  views: View[] | null;
  result: Result | null;
}

export interface Hint {
  type: "hint";
  seq: number;
  agent: string;
  unit: Unit;
  values: Record<string, number>;
  best: string;
}

export type FromServer =
  | { type: "welcome"; table: TableInfo; seat: number }
  | Snapshot
  | Moved
  | { type: "continued"; seq: number; events: GameEvent[]; state: State; view: View; views: View[] | null }
  | { type: "ended"; seq: number; state: State; view: View; result: Result }
  | { type: "ack"; id: string; seq: number }
  | { type: "refused"; id: string; error: Fault; seq: number; snapshot: Snapshot | null }
  | Hint
  | { type: "no_hint"; seq: number; agent: string; error: Fault }
  | { type: "paced"; pace: Pace }
  | { type: "error"; error: Fault }
  | { type: "deleted" }
  | { type: "pong" };
