// What is played at a table: the preset, and the options that are named.

import type { GameInfo, Options } from "../net/protocol";
import { presetOf } from "../rules";
import { optionTitle, optionValue, presetText, words } from "../words";

export function ChosenRules({ game, options }: { game: GameInfo; options: Options }) {
  const preset = presetOf(game, options);
  return (
    <section class="chosen-rules">
      {game.presets.length > 0 && (
        <p>
          <b>{preset ? presetText(game.id, preset).title : words().lobby.ownRules}</b>
          {preset && <span>{presetText(game.id, preset).line}</span>}
        </p>
      )}
      <dl>
        {Object.entries(options).map(([name, value]) => (
          <div key={name}>
            <dt>{optionTitle(game.id, name)}</dt>
            <dd>{optionValue(game.id, name, value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
