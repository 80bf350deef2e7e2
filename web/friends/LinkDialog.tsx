// A link, to be sent or scanned: to a seat, to look on, or to a finished game.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { faultOf } from "../net/api";
import { Dialog } from "../table/Dialog";
import { Trouble } from "../table/Trouble";
import { faultText, words } from "../words";
import { madeFor, make, toRecord, type Wanted } from "./invitations";
import { QrCode } from "./QrCode";
import "./style.css";

interface LinkDialogProps {
  title: string;
  line: string;
  wanted: Wanted;
  /** The position of a finished game at which the link opens it; the code that can be scanned knows none. */
  move?: number;
  children?: ComponentChildren;
  onClose: () => void;
}

export function LinkDialog({ title, line, wanted, move = 0, children, onClose }: LinkDialogProps) {
  const text = words().friends;
  const [link, setLink] = useState(() => madeFor(wanted));
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    if (!link) make(wanted).then(setLink, (error) => setFault(faultOf(error).code));
  }, []);
  return (
    <Dialog title={title} kind="box" onClose={onClose}>
      <p>{line}</p>
      <input
        class="link"
        type="text"
        readOnly
        aria-label={text.link}
        value={link ? link.link + (move ? `/${move}` : "") : ""}
        onFocus={(event) => event.currentTarget.select()}
      />
      {move === 0 && <QrCode rows={link?.qr ?? []} label={text.link} />}
      {/* Its room is there before one knows. */}
      <p class={link?.only_here ? "note only-here" : "note only-here absent"}>{text.onlyHere}</p>
      {children}
      {fault && <Trouble text={faultText(fault)} onClose={() => setFault(null)} />}
    </Dialog>
  );
}

/** The link to a finished game, for reading alone. */
export function ShareDialog({
  record,
  move = 0,
  onClose,
}: {
  record: string;
  move?: number;
  onClose: () => void;
}) {
  const text = words().friends;
  return (
    <LinkDialog
      title={text.shareTitle}
      line={text.shareLine + (move ? text.shareAt(move) : "")}
      wanted={toRecord(record)}
      move={move}
      onClose={onClose}
    />
  );
}
