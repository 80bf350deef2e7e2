// The link to an open seat, to be sent or scanned.

import { useEffect, useState } from "preact/hooks";
import { api, faultOf } from "../net/api";
import { Dialog } from "../table/Dialog";
import { Trouble } from "../table/Trouble";
import { faultText, words } from "../words";
import { madeFor, make } from "./invitations";
import { QrCode } from "./QrCode";
import "./style.css";

interface InvitationDialogProps {
  table: string;
  seat: number;
  onClose: () => void;
}

export function InvitationDialog({ table, seat, onClose }: InvitationDialogProps) {
  const text = words().friends;
  const [link, setLink] = useState(() => madeFor(table, seat));
  const [fault, setFault] = useState<string | null>(null);
  const attempt = (doing: Promise<void>) => {
    setFault(null);
    doing.catch((error) => setFault(faultOf(error).code));
  };
  useEffect(() => {
    if (!link) attempt(make(table, seat).then(setLink));
  }, []);
  return (
    <Dialog title={text.inviteTitle} kind="box" onClose={onClose}>
      <p>{text.inviteLine}</p>
      {link?.only_here && <p class="note">{text.onlyHere}</p>}
      <input
        class="link"
        type="text"
        readOnly
        aria-label={text.link}
        value={link?.link ?? ""}
        onFocus={(event) => event.currentTarget.select()}
      />
      <QrCode rows={link?.qr ?? []} label={text.link} />
      <div class="actions">
        <button type="button" onClick={() => attempt(api.leave(table, seat).then(onClose))}>
          {text.agentInstead}
        </button>
      </div>
      {fault && <Trouble text={faultText(fault)} onClose={() => setFault(null)} />}
    </Dialog>
  );
}
