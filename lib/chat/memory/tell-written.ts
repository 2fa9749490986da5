import type { OwnerData } from "@/lib/chat/owner-data";
import type { SessionEventMap } from "@/lib/session";

/**
 * Tells the library's listeners, in every process, that a person has written into memory: what a session writes itself, it
 * tells itself.
 */
export function tellWritten(
  owner: OwnerData,
  sessionId: string | null,
  write: Omit<SessionEventMap["block-write"], "author">,
): void {
  owner.store.events?.emit<"block-write">(sessionId, "block-write", { ...write, author: "person" });
}
