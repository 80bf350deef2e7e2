// Saves a record as a file.

import { api } from "./api";

export async function download({ record, game, created }: { record: string; game: string; created: string }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await api.recordFile(record));
  link.download = `${game}-${created.slice(0, 10)}-${record.slice(0, 6)}.jsonl`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
