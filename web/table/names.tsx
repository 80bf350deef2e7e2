// What the seats are called: equal names get numbers.

import type { TableSeat } from "../net/protocol";
import { agentText, friendName, personName, words } from "../words";

const NUMBERED = /^(.*)\u00a0(\d+)$/s; // never a person's own name: that ends with the mark that keeps it apart

/** The same names, numbered where there are equal ones. */
export const tellApart = (titles: string[]): string[] =>
  titles.map((title, index) =>
    titles.indexOf(title) === titles.lastIndexOf(title)
      ? title
      : `${title}\u00a0${titles.slice(0, index + 1).filter((other) => other === title).length}`,
  );

function seatTitle(seat: TableSeat): string {
  if (seat.kind === "agent") return agentText(seat).title;
  if (seat.open) return words().friends.open;
  return seat.secret ? personName(seat.name) : friendName(seat.name);
}

export const seatTitles = (seats: TableSeat[]): string[] => tellApart(seats.map(seatTitle));

/** For lists, which cut off the end. */
export const numberFirst = (name: string): string => name.replace(NUMBERED, "$2 · $1");

/** The number first: there it is not cut off, and stays where it is whatever room the name has. */
export function SeatName({ name }: { name: string }) {
  const [, title, number] = name.match(NUMBERED) ?? [undefined, name];
  return (
    <span class="seat-name">
      {number && <span class="number">{number}</span>}
      <span class="title">{title}</span>
    </span>
  );
}
