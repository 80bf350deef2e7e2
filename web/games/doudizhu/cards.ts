// Suits are only for show: the rules know ranks. Each rank's four cards are handed out here, so that every card that is
// to be seen is another one and keeps its face: the own ones from one end, those of the others from the other.

import { byRank, countRanks, laidDown, plays, RANKS, type DoudizhuView } from "./view";

const SUITS = "SHDC";
const NOBODY = -1;

/** The picture of the nth card of a rank; the order of the suits differs from rank to rank. */
function picture(rank: string, nth: number): string {
  if (rank === "B" || rank === "R") return rank;
  const shift = RANKS.indexOf(rank);
  return SUITS[(nth + shift) % 4] + (rank === "T" ? "10" : rank);
}

export const rankOf = (face: string): string =>
  face === "B" || face === "R" ? face : face.slice(1) === "10" ? "T" : face.slice(1);

export interface Faces {
  hand: string[];
  /** All hands, where they are open; else only the own one. */
  hands: string[][];
  bottom: string[];
  /** What each seat has played, move by move. */
  played: [seat: number, faces: string[]][];
}

/** The faces of all cards that the seat can see, and with the views of all seats of all cards. */
export function faces(view: DoudizhuView, open: DoudizhuView[] | null = null): Faces {
  const isKnown = view.hand !== "" || view.hand_sizes[view.seat] === 0;
  const me = isKnown ? view.seat : NOBODY; // who looks on has no cards of his own
  const kept = countRanks(view.hand);
  const mine = new Map<string, number>(); // how many of a rank were the own ones at the start
  for (const rank of RANKS)
    mine.set(rank, (kept.get(rank) ?? 0) + (countRanks(view.played[me] ?? "").get(rank) ?? 0));
  const hand = [...view.hand].sort(byRank);
  const nth = new Map<string, number>();
  const take = (rank: string): number => {
    const number = nth.get(rank) ?? 0;
    nth.set(rank, number + 1);
    return number;
  };
  const handFaces = hand.map((rank) => picture(rank, take(rank)));

  // The last of a rank is played first. Cards of the others count from the far end; the bottom's come first there.
  const far = new Map<string, number>();
  const reserved = new Map<string, string[]>();
  const fromFar = (rank: string): string => {
    const number = far.get(rank) ?? 0;
    far.set(rank, number + 1);
    return picture(rank, 3 - number);
  };
  const bottom = [...(view.bottom ?? "")].sort(byRank).map((rank, index, all) => {
    if (view.landlord === me)
      return picture(
        rank,
        mine.get(rank)! - 1 - all.slice(0, index).filter((other) => other === rank).length,
      );
    const face = fromFar(rank);
    reserved.set(rank, [...(reserved.get(rank) ?? []), face]);
    return face;
  });
  const ownLeft = new Map(mine);
  const played = plays(view)
    .filter(([, move]) => move !== "pass")
    .map(([seat, move]): [number, string[]] => [
      seat,
      laidDown(move).map((rank) => {
        if (seat === me) {
          ownLeft.set(rank, ownLeft.get(rank)! - 1);
          return picture(rank, ownLeft.get(rank)!);
        }
        return (seat === view.landlord ? reserved.get(rank)?.shift() : undefined) ?? fromFar(rank);
      }),
    ]);
  const hands = view.hand_sizes.map((_, seat) => {
    if (seat === me) return handFaces;
    return [...(open?.[seat].hand ?? "")]
      .sort(byRank)
      .map((rank) => (seat === view.landlord ? reserved.get(rank)?.shift() : undefined) ?? fromFar(rank));
  });
  return { hand: handFaces, hands, bottom, played };
}
