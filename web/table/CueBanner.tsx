// Something said large over the table for a moment.

import type { Cue } from "./scene";

export function CueBanner({ cue }: { cue: Cue | null }) {
  return (
    <div class="cue-place" aria-live="assertive">
      {cue && (
        <div class={`cue ${cue.tone}`}>
          <strong>{cue.title}</strong>
          {cue.lines?.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </div>
      )}
    </div>
  );
}
