// In place of what the server has still to tell: nothing at first, and soon a word.

import { words } from "../words";

export const Waiting = () => (
  <p class="waiting" role="status">
    {words().lobby.loading}
  </p>
);
