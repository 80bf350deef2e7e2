// A button that saves a record as a file, and says what went wrong.

import { useState } from "preact/hooks";
import { faultOf } from "../net/api";
import { download } from "../net/download";
import { faultText, words } from "../words";

export function Download({ record, game, created }: { record: string; game: string; created: string }) {
  const [fault, setFault] = useState<string | null>(null);
  const save = () => {
    setFault(null);
    download({ record, game, created }).catch((error) => setFault(faultOf(error).code));
  };
  return (
    <>
      <button type="button" onClick={save}>
        {words().lobby.download}
      </button>
      {fault && (
        <p role="alert" class="fault">
          {faultText(fault)}
        </p>
      )}
    </>
  );
}
