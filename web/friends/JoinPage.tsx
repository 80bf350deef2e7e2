// Who has opened an invitation gives a name and sits down.

import { useState } from "preact/hooks";
import { Head } from "../lobby/LobbyPage";
import { api, faultOf } from "../net/api";
import type { Lobby } from "../net/protocol";
import { change, useSettings } from "../settings";
import { SettingsDialog } from "../table/SettingsDialog";
import { Trouble } from "../table/Trouble";
import { faultText, noName, words } from "../words";

interface JoinPageProps {
  code: string;
  lobby: Lobby;
  go: (hash: string) => void;
}

export function JoinPage({ code, lobby, go }: JoinPageProps) {
  const chosen = useSettings();
  const text = words().friends;
  const [fault, setFault] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [sending, setSending] = useState(false);
  const join = () => {
    setSending(true);
    setFault(null);
    api.join({ code, name: chosen.name.trim() || noName() }).then(
      ({ table }) => go(`#/table/${table.table}`),
      (error) => {
        setSending(false);
        setFault(faultOf(error).code);
      },
    );
  };
  return (
    <div class="lobby">
      <Head onSettings={() => setOpen(true)} />
      <main class="new-game join">
        <h1>{text.invited}</h1>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            join();
          }}
        >
          <label class="setting">
            <span>{words().lobby.yourName}</span>
            <input
              type="text"
              dir="auto"
              maxLength={lobby.limits.name_length}
              value={chosen.name}
              placeholder={text.unnamed}
              onInput={(event) => change({ name: event.currentTarget.value })}
            />
          </label>
          <div class="submit">
            <button type="submit" class="primary large" disabled={sending}>
              {text.sitDown}
            </button>
            {fault && <Trouble text={faultText(fault)} onClose={() => setFault(null)} />}
          </div>
        </form>
      </main>
      {open && <SettingsDialog onClose={() => setOpen(false)} />}
    </div>
  );
}
