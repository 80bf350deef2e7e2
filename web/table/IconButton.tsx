// A round button with an icon alone. Its name is read aloud, and shown where a mouse rests on it.

import type { ComponentChildren } from "preact";

interface IconButtonProps {
  icon: ComponentChildren;
  name: string;
  onClick: () => void;
  class?: string;
  pressed?: boolean;
  disabled?: boolean;
}

export function IconButton({ icon, name, onClick, class: more, pressed, disabled }: IconButtonProps) {
  return (
    <button
      type="button"
      class={more ? `quiet round ${more}` : "quiet round"}
      aria-label={name}
      aria-pressed={pressed}
      title={name}
      disabled={disabled}
      onClick={onClick}
    >
      {icon}
    </button>
  );
}
