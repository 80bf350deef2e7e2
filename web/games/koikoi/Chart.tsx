// All that there is to know by heart: the cards of the twelve months, and the yaku.

import { allCards, hanafuda, month } from "../../decks/hanafuda";
import type { Options } from "../../net/protocol";
import { Fan } from "../../table/Fan";
import { isViewing, legend, yakuName } from "./cards";
import type { KoikoiWords } from "./words/en";

export function Chart({ words, options }: { words: KoikoiWords; options: Options }) {
  return (
    <div class="rules">
      <h3>{words.rules.sheetTitle}</h3>
      <YakuSheet words={words} yaku={yakuUnder(words, options)} />
      <h3>{words.monthsTitle}</h3>
      <p class="note marks">{legend(words)}</p>
      <ul class="combos months">
        {words.months.map((name, index) => (
          <li key={name}>
            <b>{name}</b> <span class="note">{words.flowers[index]}</span>
            <Fan deck={hanafuda} cards={allCards.filter((card) => month(card) === index + 1)} small />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The yaku that count under some options, with their points there. */
export function yakuUnder({ rules }: KoikoiWords, { viewing = "rising" }: Options) {
  if (viewing === "rising") return rules.yaku;
  return rules.yaku
    .filter(({ name }) => viewing !== "off" || !isViewing(name))
    .map((yaku) => (isViewing(yaku.name) ? { ...yaku, points: String(viewing) } : yaku));
}

/** The yaku with their points and cards. */
export function YakuSheet({ words, yaku }: { words: KoikoiWords; yaku: KoikoiWords["rules"]["yaku"] }) {
  return (
    <ul class="combos">
      {yaku.map((one) => (
        <li key={one.name}>
          <div>
            <b>{yakuName(words, one.name)}</b>
            <span class="worth">{one.points}</span>
            <p>{one.text}</p>
          </div>
          <Fan deck={hanafuda} cards={one.cards} small />
        </li>
      ))}
    </ul>
  );
}
