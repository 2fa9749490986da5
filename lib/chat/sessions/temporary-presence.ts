import type { OwnerData } from "@/lib/chat/core/owner-data";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { InvalidArgumentError } from "@/lib/session";
import { temporaryMs } from "./open-session";

/** After its last tab closed. Long enough for a page that is left by a link to be found again by Back. */
const leftMs = 600_000;

/** Lets a temporary chat end soon after its last tab was closed. @throws {InvalidArgumentError} for any other. */
export async function notePresence(
  { store }: Pick<OwnerData, "store">,
  sessionId: string,
  { isOpen }: { readonly isOpen: boolean },
): Promise<void> {
  if (!isTemporaryId(sessionId)) throw new InvalidArgumentError("This chat does not end.");
  await store.sessions.update(sessionId, { expiresAfterMs: isOpen ? temporaryMs : leftMs });
}
