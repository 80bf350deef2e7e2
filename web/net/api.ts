// Requests to the server. The browser is an owner: its secret is fetched once and kept.

import type {
  AskReview,
  AskValues,
  Fault,
  Invitation,
  Invite,
  Join,
  Joined,
  Leave,
  Lobby,
  NewTable,
  Owner,
  Progress,
  Puzzle,
  Puzzles,
  PuzzleVerdict,
  RecordInfo,
  Records,
  RecordValues,
  Rematch,
  Replay,
  Results,
  ReviewInfo,
  Solve,
  TableInfo,
  Tables,
  TryAgain,
  Upload,
} from "./protocol";

const OWNER = "fuda.owner";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly fault: Fault,
  ) {
    super(fault.code);
  }
}

/** What went wrong, of anything that a request threw. */
export const faultOf = (error: unknown): Fault =>
  error instanceof ApiError ? error.fault : { code: "failed", params: {} };

async function send(method: string, path: string, secret: string | null, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = {};
  if (secret) headers["Authorization"] = `Bearer ${secret}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(`/api/v1/${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, { code: "offline", params: {} });
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => null);
  throw new ApiError(response.status, answer?.error ?? { code: "failed", params: {} });
}

/** Fetched at most once at a time, however many requests are waiting for it. */
let owner: Promise<string> | null = null;

export function ownerSecret(): Promise<string> {
  owner ??= (async () => {
    const kept = localStorage.getItem(OWNER);
    if (kept) return kept;
    const { secret } = await json<Owner>(send("POST", "owners", null, {}));
    localStorage.setItem(OWNER, secret);
    return secret;
  })();
  owner.catch(() => (owner = null));
  return owner;
}

/** A request as the owner. A server that does not know the secret (a new database) gives a new one, once. */
async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  try {
    return await send(method, path, await ownerSecret(), body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.fault.code !== "wrong_secret") throw error;
    localStorage.removeItem(OWNER);
    owner = null;
    return send(method, path, await ownerSecret(), body);
  }
}

const json = async <T>(response: Promise<Response>): Promise<T> => (await response).json();

export const api = {
  lobby: () => json<Lobby>(send("GET", "lobby", null)),
  tables: async () => (await json<Tables>(ask("GET", "tables"))).tables,
  table: (table: string) => json<TableInfo>(ask("GET", `tables/${table}`)),
  open: (table: NewTable) => json<TableInfo>(ask("POST", "tables", table)),
  remove: (table: string) => ask("DELETE", `tables/${table}`),
  invite: (table: string, seat: number | null) =>
    json<Invitation>(ask("POST", `tables/${table}/invitations`, { seat } satisfies Invite)),
  join: (given: Join) => json<Joined>(ask("POST", "join", given)),
  leave: (table: string, seat: number) => ask("POST", `tables/${table}/leave`, { seat } satisfies Leave),
  /** For who has a link: no owner is needed. */
  watched: (code: string) => json<TableInfo>(send("GET", `watched/${code}`, null)),
  sharedReplay: (code: string, first: number, count: number) =>
    json<Replay>(send("GET", `shared/${code}/replay?first=${first}&count=${count}`, null)),
  share: (record: string) => json<Invitation>(ask("POST", `records/${record}/share`, {})),
  rematch: (table: string, wanted: Rematch) =>
    json<TableInfo>(ask("POST", `tables/${table}/rematch`, wanted)),
  records: async () => (await json<Records>(ask("GET", "records"))).records,
  upload: (upload: Upload) => json<RecordInfo>(ask("POST", "records", upload)),
  removeRecord: (record: string) => ask("DELETE", `records/${record}`),
  replay: (record: string, first: number, count: number) =>
    json<Replay>(ask("GET", `records/${record}/replay?first=${first}&count=${count}`)),
  values: (record: string, question: AskValues) =>
    json<RecordValues>(ask("POST", `records/${record}/values`, question)),
  review: (record: string, seat: number) =>
    json<ReviewInfo>(ask("GET", `records/${record}/review?seat=${seat}`)),
  askReview: (record: string, asked: AskReview) =>
    json<ReviewInfo>(ask("POST", `records/${record}/review`, asked)),
  again: (record: string, wanted: TryAgain) =>
    json<TableInfo>(ask("POST", `records/${record}/again`, wanted)),
  puzzles: () => json<Puzzles>(ask("GET", "puzzles")),
  puzzle: (puzzle: string) => json<Puzzle>(ask("GET", `puzzles/${puzzle}`)),
  solve: (puzzle: string, solved: Solve) => json<PuzzleVerdict>(ask("POST", `puzzles/${puzzle}`, solved)),
  forgetPuzzle: (puzzle: string) => ask("DELETE", `puzzles/${puzzle}`),
  results: async () => (await json<Results>(ask("GET", "results"))).results,
  progress: async () => (await json<Progress>(ask("GET", "progress"))).games,
  profile: async () => (await ask("GET", "me")).blob(),
  /** Deletes all that the server has of this browser, which is a new owner from then on. */
  forget: async () => {
    await ask("DELETE", "me");
    localStorage.removeItem(OWNER);
    owner = null;
  },
  recordFile: async (record: string) => (await ask("GET", `records/${record}/file`)).blob(),
};
