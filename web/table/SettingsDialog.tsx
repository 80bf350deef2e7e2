// The settings of this browser.

import { change, useSettings, type Settings } from "../settings";
import { languages, words } from "../words";
import { Dialog } from "./Dialog";

function Switch({
  label,
  name,
}: {
  label: string;
  name: "motion" | "confirm" | "labels" | "fourColours" | "counter" | "autoPass";
}) {
  const chosen = useSettings();
  return (
    <label class="setting">
      <span>{label}</span>
      <input
        type="checkbox"
        role="switch"
        checked={chosen[name]}
        onChange={(event) => change({ [name]: event.currentTarget.checked })}
      />
    </label>
  );
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
        <Switch label={text.motion} name="motion" />
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
        <Switch label={text.confirm} name="confirm" />
        <Switch label={text.labels} name="labels" />
        <Switch label={text.fourColours} name="fourColours" />
        <Choice
          label={text.sort}
          value={chosen.sort}
          choices={Object.entries(text.sorts)}
          onPick={(sort) => change({ sort: sort as Settings["sort"] })}
        />
        <Switch label={text.counter} name="counter" />
        <Switch label={text.autoPass} name="autoPass" />
      </div>
    </Dialog>
  );
}
