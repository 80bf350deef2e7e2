// A button that saves a record as a file.

import { faultOf } from "../net/api";
import { download } from "../net/download";
import { words } from "../words";

interface DownloadProps {
  record: string;
  game: string;
  created: string;
  onFault: (code: string | null) => void; // null: it is tried anew
}

export function Download({ record, game, created, onFault }: DownloadProps) {
  const save = () => {
    onFault(null);
    download({ record, game, created }).catch((error) => onFault(faultOf(error).code));
  };
  return (
    <button type="button" onClick={save}>
      {words().lobby.download}
    </button>
  );
}
