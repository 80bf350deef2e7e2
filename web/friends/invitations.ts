// The invitations that this browser has made: asking for another one would end the link that was sent. One that
// leads nowhere but here is not kept: the next start of the server may know a better address.

import { api } from "../net/api";
import type { Invitation } from "../net/protocol";

const KEY = "fuda.links";
const MOST = 12; // older ones are forgotten

type Made = [string, Invitation][]; // by table and seat, the newest first

const read = (): Made => JSON.parse(localStorage.getItem(KEY) ?? "[]");
const nameOf = (table: string, seat: number): string => `${table}/${seat}`;

/** The invitation to a seat, if there is one. */
export const madeFor = (table: string, seat: number): Invitation | null =>
  read().find(([name]) => name === nameOf(table, seat))?.[1] ?? null;

/** A new invitation to a seat. */
export async function make(table: string, seat: number): Promise<Invitation> {
  const invitation = await api.invite(table, seat);
  if (!invitation.only_here) {
    const made: Made = [[nameOf(table, seat), invitation], ...read()];
    localStorage.setItem(KEY, JSON.stringify(made.slice(0, MOST)));
  }
  return invitation;
}
