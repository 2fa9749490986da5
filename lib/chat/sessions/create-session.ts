import type { OwnerData } from "@/lib/chat/owner-data";
import type { SessionInfo } from "@/lib/session";

export interface NewSession {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
}

/** Creates a session with the owner's defaults; a repeated id returns the existing one. */
export async function createSession(
  owner: OwnerData,
  { id, title = "", model }: NewSession,
): Promise<SessionInfo> {
  const memoryMode = await owner.defaultMemoryMode();
  return owner.store.sessions.create(title, { id, model, source: "web", metadata: { memoryMode } });
}
