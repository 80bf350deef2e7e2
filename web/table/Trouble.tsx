// What went wrong, told over the page: it comes and goes without moving anything, however late an answer is.

import { words } from "../words";
import { icons } from "./icons";

export function Trouble({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <div class="trouble">
      <p role="alert">{text}</p>
      <button type="button" class="quiet round" aria-label={words().table.close} onClick={onClose}>
        {icons.close}
      </button>
    </div>
  );
}
