// A modal dialog on the browser's own element: focus, Escape and the backdrop come with it.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../words";
import { icons } from "./icons";

interface DialogProps {
  title: string;
  kind?: "sheet" | "box"; // a sheet fills the height at the side or from below; a box stands in the middle
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, kind = "sheet", onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  const onBackdrop = (event: MouseEvent) => event.target === element.current && onClose();
  return (
    <dialog
      ref={element}
      class={`dialog ${kind}`}
      aria-labelledby={heading}
      onClick={onBackdrop}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" class="quiet round" aria-label={words().table.close} onClick={onClose}>
          {icons.close}
        </button>
      </header>
      <div class="content" tabIndex={0} role="region" aria-labelledby={heading}>
        {children}
      </div>
    </dialog>
  );
}
