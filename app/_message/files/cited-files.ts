import { api } from "@/app/_api/api";
import type { FileWire } from "@/lib/chat/wire/files";

interface Asking {
  readonly ids: Set<string>;
  readonly answer: Promise<ReadonlyMap<string, FileWire>>;
}

const mostAtOnce = 50;
let asking: Asking | null = null;

/** Files that an answer cites are asked for in one request. `null` for one that is not stored here. */
export async function citedFile(id: string): Promise<FileWire | null> {
  if (asking === null || asking.ids.size === mostAtOnce) asking = askSoon(new Set());
  asking.ids.add(id);
  return (await asking.answer).get(id) ?? null;
}

function askSoon(ids: Set<string>): Asking {
  const begun = new Promise<void>((resolve) => setTimeout(resolve));
  const answer = begun.then(async () => {
    if (asking?.ids === ids) asking = null;
    const { files } = await api("GET /api/files/facts", { query: { of: [...ids].join(",") } });
    return new Map(files.map(({ asked, ...file }) => [asked, file]));
  });
  return { ids, answer };
}
