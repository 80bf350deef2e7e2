// Something said large over the table for a moment. Each is a box of its own, so that none shifts to fit the next.

import type { Cue } from "./scene";

export function CueBanner({ cue }: { cue: Cue | null }) {
  return (
    <div class="cue-place" aria-live="assertive">
      {cue && (
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
