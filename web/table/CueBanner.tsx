// Something said large over the table for a moment.

import type { Cue } from "./scene";

export function CueBanner({ cue }: { cue: Cue | null }) {
  return (
    <div class="cue-place" aria-live="assertive">
      {cue && (
        // Another text is another banner: what takes the place of the one before has not moved.
        <div key={[cue.title, ...(cue.lines ?? [])].join()} class={`cue ${cue.tone}`}>
          <strong>{cue.title}</strong>
          {cue.lines?.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </div>
      )}
    </div>
  );
}
