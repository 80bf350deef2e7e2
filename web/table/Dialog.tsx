// A modal dialog on the browser's own element: focus, Escape and the backdrop come with it.

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../words";
import { IconButton } from "./IconButton";
import { icons } from "./icons";

interface DialogProps {
  title: string;
  kind?: "sheet" | "box" | "box tall"; // a sheet fills the height at the side; a box stands in the middle
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, kind = "sheet", onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Open as soon as it is there: a key that comes right after the press goes to it.
  useLayoutEffect(() => {
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
        <IconButton icon={icons.close} name={words().table.close} onClick={onClose} />
      </header>
      <div class="content" tabIndex={0} role="region" aria-labelledby={heading}>
        {children}
      </div>
    </dialog>
  );
}
