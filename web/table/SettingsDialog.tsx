// The settings of this browser.

import { fronts } from "../games";
import { change, flip, useSettings, useSwitches, type Settings } from "../settings";
import { languages, words } from "../words";
import { Dialog } from "./Dialog";

function Switch({ label, on, onFlip }: { label: string; on: boolean; onFlip: (on: boolean) => void }) {
  return (
    <label class="setting">
      <span>{label}</span>
      <input
        type="checkbox"
        role="switch"
        checked={on}
        onChange={(event) => onFlip(event.currentTarget.checked)}
      />
    </label>
  );
}

/** The switches that a game has for itself. */
function OwnSwitches({ game, first }: { game: string; first: Record<string, boolean> }) {
  const { title, switches } = words().games[game];
  return Object.entries(useSwitches(game, first)).map(([name, on]) => (
    <Switch
      key={name}
      label={words().settings.ofGame(switches?.[name] ?? name, title)}
      on={on}
      onFlip={(on) => flip(game, name, on)}
    />
  ));
}

function Choice({
  label,
  value,
  choices,
  onPick,
}: {
  label: string;
  value: string;
  choices: [string, string][];
  onPick: (value: string) => void;
}) {
  return (
    <label class="setting">
      <span>{label}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {choices.map(([code, text]) => (
          <option key={code} value={code}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

const byNumber = (texts: Record<string, string>): [string, string][] =>
  Object.entries(texts).sort((a, b) => Number(a[0]) - Number(b[0]));

export function SettingsDialog({
  onClose,
  onDelay,
}: {
  onClose: () => void;
  onDelay?: (delay: number) => void;
}) {
  const chosen = useSettings();
  const text = words().settings;
  return (
    <Dialog title={words().table.settings} onClose={onClose}>
      <div class="settings">
        <Choice
          label={text.language}
          value={chosen.language}
          choices={languages.map(({ code, name }) => [code, name])}
          onPick={(language) => change({ language: language as Settings["language"] })}
        />
        <Choice
          label={text.theme}
          value={chosen.theme}
          choices={Object.entries(text.themes)}
          onPick={(theme) => change({ theme: theme as Settings["theme"] })}
        />
        <Switch label={text.motion} on={chosen.motion} onFlip={(motion) => change({ motion })} />
        <Switch label={text.sound} on={chosen.sound} onFlip={(sound) => change({ sound })} />
        <Choice
          label={text.speed}
          value={String(chosen.speed)}
          choices={byNumber(text.speeds)}
          onPick={(speed) => change({ speed: Number(speed) })}
        />
        <Choice
          label={text.delay}
          value={String(chosen.delay)}
          choices={byNumber(text.delays)}
          onPick={(delay) => {
            change({ delay: Number(delay) });
            onDelay?.(Number(delay));
          }}
        />
        <Switch label={text.confirm} on={chosen.confirm} onFlip={(confirm) => change({ confirm })} />
        <Switch label={text.labels} on={chosen.labels} onFlip={(labels) => change({ labels })} />
        <Switch
          label={text.fourColours}
          on={chosen.fourColours}
          onFlip={(fourColours) => change({ fourColours })}
        />
        <Choice
          label={text.sort}
          value={chosen.sort}
          choices={Object.entries(text.sorts)}
          onPick={(sort) => change({ sort: sort as Settings["sort"] })}
        />
        {Object.entries(fronts).map(
          ([game, { switches }]) => switches && <OwnSwitches key={game} game={game} first={switches} />,
        )}
      </div>
    </Dialog>
  );
}
