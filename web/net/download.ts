// Saves what the server has as a file.

import { api } from "./api";

export async function download({ record, game, created }: { record: string; game: string; created: string }) {
  save(await api.recordFile(record), `${game}-${created.slice(0, 10)}-${record.slice(0, 6)}.jsonl`);
}

export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
