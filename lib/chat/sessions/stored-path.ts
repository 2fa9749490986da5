import type { SessionTreeProvider, StoredMessage } from "grove-session";

const readAtOnce = 1_000;

/** Batches come from the path's end, each oldest first. */
export async function* storedPath(
  messages: Pick<SessionTreeProvider, "getWindow">,
  leafId: string,
): AsyncGenerator<StoredMessage[]> {
  let beforePosition: number | undefined;
  for (;;) {
    const page = { leafId, beforePosition, limit: readAtOnce, overlays: false };
    const { entries, hasMore } = await messages.getWindow(page);
    if (entries.length > 0) yield entries.map(({ message }) => message);
    beforePosition = entries[0]?.position;
    if (!hasMore || beforePosition === undefined) return;
  }
}
