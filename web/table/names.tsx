// What the seats are called: equal names get numbers, and a number is never cut off.

import type { TableSeat } from "../net/protocol";
import { agentText, personName } from "../words";

const NUMBERED = /^(.*)\u00a0(\d+)$/s; // never a person's own name: that ends with the mark that keeps it apart

/** The same names, numbered where there are equal ones. */
export const tellApart = (titles: string[]): string[] =>
  titles.map((title, index) =>
    titles.indexOf(title) === titles.lastIndexOf(title)
      ? title
      : `${title}\u00a0${titles.slice(0, index + 1).filter((other) => other === title).length}`,
  );

export const seatTitles = (seats: TableSeat[]): string[] =>
  tellApart(seats.map((seat) => (seat.kind === "agent" ? agentText(seat).title : personName(seat.name))));

/** For lists that cut off the end. */
export const numberFirst = (name: string): string => name.replace(NUMBERED, "$2 · $1");

export function SeatName({ name }: { name: string }) {
  const [, title, number] = name.match(NUMBERED) ?? [undefined, name];
  return (
    <span class="seat-name">
      <span class="title">{title}</span>
      {number && <span> {number}</span>}
    </span>
  );
}
