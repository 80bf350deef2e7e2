// In place of what cannot be shown: a table, a replay, an address that leads nowhere.

import { words } from "../words";

export function Gone({ text, lobby = "#/" }: { text: string; lobby?: string }) {
  return (
    <main class="gone">
      <p>{text}</p>
      <a class="button primary" href={lobby}>
        {words().table.toLobby}
      </a>
    </main>
  );
}
