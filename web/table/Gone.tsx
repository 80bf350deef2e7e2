// In place of a table or a replay that cannot be shown.

import { words } from "../words";

export function Gone({ text }: { text: string }) {
  return (
    <main class="gone">
      <p>{text}</p>
      <a class="button primary" href="#/">
        {words().table.toLobby}
      </a>
    </main>
  );
}
