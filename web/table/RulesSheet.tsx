// How to play, step by step with cards; the game may put its own sheet of yaku, moves or points in between.

import type { ComponentChildren } from "preact";
import { words } from "../words";
import type { Deck } from "../decks/deck";
import { Fan } from "./Fan";

export interface RulesText {
  aim: string;
  steps: { title: string; text: string; cards: string[] }[];
  sheetTitle?: string;
  notes: string[];
  differs: string[];
}

interface RulesSheetProps {
  deck: Deck;
  rules: RulesText;
  children?: ComponentChildren;
}

export function RulesSheet({ deck, rules, children }: RulesSheetProps) {
  return (
    <div class="rules">
      <p>{rules.aim}</p>
      {rules.steps.map((step) => (
        <section key={step.title}>
          <h3>{step.title}</h3>
          <p>{step.text}</p>
          <Fan deck={deck} cards={step.cards} />
        </section>
      ))}
      {children && (
        <>
          <h3>{rules.sheetTitle}</h3>
          {children}
        </>
      )}
      <Notes lines={rules.notes} />
      <h3>{words().table.differs}</h3>
      <Notes lines={rules.differs} />
    </div>
  );
}

const Notes = ({ lines }: { lines: string[] }) => (
  <ul>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
