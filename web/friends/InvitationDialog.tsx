// The link to an open seat; or an agent takes it.

import { useState } from "preact/hooks";
import { api, faultOf } from "../net/api";
import { Trouble } from "../table/Trouble";
import { faultText, words } from "../words";
import { toTable } from "./invitations";
import { LinkDialog } from "./LinkDialog";

interface InvitationDialogProps {
  table: string;
  seat: number;
  onClose: () => void;
}

export function InvitationDialog({ table, seat, onClose }: InvitationDialogProps) {
  const text = words().friends;
  const [fault, setFault] = useState<string | null>(null);
  const seatAgent = () => {
    setFault(null);
    api.leave(table, seat).then(onClose, (error) => setFault(faultOf(error).code));
  };
  return (
    <LinkDialog
      title={text.inviteTitle}
      line={text.inviteLine}
      wanted={toTable(table, seat)}
      onClose={onClose}
    >
      <div class="actions">
        <button type="button" onClick={seatAgent}>
          {text.agentInstead}
        </button>
      </div>
      {fault && <Trouble text={faultText(fault)} onClose={() => setFault(null)} />}
    </LinkDialog>
  );
}
