// Puts something into a box of the stage.

import type { ComponentChildren } from "preact";
import type { Box } from "./zones";

export function Place({
  box,
  class: name,
  children,
}: {
  box: Box;
  class?: string;
  children: ComponentChildren;
}) {
  const style = {
    transform: `translate(${box.x.toFixed(1)}px, ${box.y.toFixed(1)}px)`,
    width: `${box.width.toFixed(1)}px`,
    height: `${box.height.toFixed(1)}px`,
  };
  return (
    <div class={name ? `place ${name}` : "place"} style={style}>
      {children}
    </div>
  );
}
