// A deck of pictures: the shape of its cards and the address of each face.

export interface Deck {
  aspect: number; // width by height
  picture(face: string | null): string;
}

/** Fetches pictures before they are needed, so that no card is ever seen blank. */
export function preload(deck: Deck, faces: readonly (string | null)[]): void {
  for (const face of faces) new Image().src = deck.picture(face);
}
