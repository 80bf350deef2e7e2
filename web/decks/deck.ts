// A deck of pictures: the shape of its cards, what is in their corners, and the address of each face.

/** The decks that there are; styles/lobby.css has the shape of their cards. */
export type DeckName = "french" | "hanafuda";

export interface Deck {
  aspect: number; // width by height
  corner: number; // how far down rank and suit reach in a corner, as a share of the height; 0: there are none
  picture(face: string | null): string;
}

/** Fetches pictures before they are needed, so that no card is ever seen blank. */
export function preload(deck: Deck, faces: readonly (string | null)[]): void {
  for (const face of faces) new Image().src = deck.picture(face);
}
