// Asks before something that cannot be undone.

import { words } from "../words";
import { Dialog } from "./Dialog";

interface SureProps {
  title: string; // also on the button that does it
  text: string;
  onYes: () => void;
  onClose: () => void;
}

export function Sure({ title, text, onYes, onClose }: SureProps) {
  return (
    <Dialog title={title} kind="box" onClose={onClose}>
      <p>{text}</p>
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => {
            onYes();
            onClose();
          }}
        >
          {title}
        </button>
        <button type="button" onClick={onClose}>
          {words().table.close}
        </button>
      </div>
    </Dialog>
  );
}
