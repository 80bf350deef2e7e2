// What went wrong, told over the page: it comes and goes without moving anything, however late an answer is.
// Without `onClose` it goes by itself, once it is over.

import { words } from "../words";
import { IconButton } from "./IconButton";
import { icons } from "./icons";

export function Trouble({ text, onClose }: { text: string; onClose?: () => void }) {
  return (
    <div class="trouble">
      <p role="alert">{text}</p>
      {onClose && <IconButton icon={icons.close} name={words().table.close} onClick={onClose} />}
    </div>
  );
}
