// The links that this browser has made: asking for another one to a seat would end the one that was sent. One that
// leads nowhere but here is not kept: the next start of the server may know a better address.

import { api } from "../net/api";
import type { Invitation } from "../net/protocol";

const KEY = "fuda.links";
const MOST = 12; // older ones are forgotten

type Made = [string, Invitation][]; // by name, the newest first

/** What a link leads to, and how to ask for one. */
export interface Wanted {
  name: string;
  ask: () => Promise<Invitation>;
}

/** To an open seat of a table, or (null) to look on. */
export const toTable = (table: string, seat: number | null): Wanted => ({
  name: `${table}/${seat ?? "watch"}`,
  ask: () => api.invite(table, seat),
});

/** To a finished game. */
export const toRecord = (record: string): Wanted => ({
  name: `record/${record}`,
  ask: () => api.share(record),
});

const read = (): Made => JSON.parse(localStorage.getItem(KEY) ?? "[]");

/** The link that was made, if there is one. */
export const madeFor = (wanted: Wanted): Invitation | null =>
  read().find(([name]) => name === wanted.name)?.[1] ?? null;

/** A new link. */
export async function make(wanted: Wanted): Promise<Invitation> {
  const invitation = await wanted.ask();
  if (!invitation.only_here) {
    const made: Made = [[wanted.name, invitation], ...read()];
    localStorage.setItem(KEY, JSON.stringify(made.slice(0, MOST)));
  }
  return invitation;
}
