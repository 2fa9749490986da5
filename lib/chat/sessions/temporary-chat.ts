import { ChatError } from "@/lib/chat/chat-error";
import type { PortableData } from "@/lib/chat/data/portable-data";
import type { OwnerData } from "@/lib/chat/owner-data";
import { keptIdOf } from "@/lib/chat/wire/temporary-id";
import { titleFromQuestion } from "@/lib/llm";
import { SessionExistsError, type SessionInfo, SessionNotFoundError } from "@/lib/session";
import { searchableText } from "@/lib/session/internal";
import { requireSession } from "./transcript";

/**
 * Deletes a temporary chat for good; of one that has ended, does nothing.
 *
 * @throws {ChatError} `answer-running`.
 */
export async function endTemporaryChat(owner: OwnerData, sessionId: string): Promise<void> {
  await assertNothingRuns(owner, sessionId);
  await owner.store.sessions.delete(sessionId, { permanently: true });
}

interface Keeping {
  readonly temporary: OwnerData & { readonly data: PortableData };
  readonly kept: OwnerData & { readonly data: PortableData };
}

/**
 * Makes a temporary chat one of the owner's, with all its branches and under a title; a repeated request gives the same.
 *
 * @throws {ChatError} `answer-running`. @throws {SessionNotFoundError} when it has ended.
 */
export async function keepTemporaryChat(
  { temporary, kept }: Keeping,
  sessionId: string,
): Promise<SessionInfo> {
  const id = keptIdOf(sessionId);
  const known = await kept.store.sessions.get(id);
  const isThere = (await temporary.store.sessions.get(sessionId)) !== null;
  if (known && !isThere) return known;
  await requireSession(temporary, sessionId);
  await assertNothingRuns(temporary, sessionId);
  if (known) await assertSameChat({ temporary, kept }, sessionId);
  await kept.data.import(temporary.data.export({ sessionId }), {
    onSettings: async () => [],
  });
  if (!(await kept.store.sessions.get(id))) throw new SessionNotFoundError(id);
  await kept.store.sessions.update(id, {
    name: await titleOf(kept, id),
    metadata: { memoryMode: await kept.defaultMemoryMode() },
  });
  await temporary.store.sessions.delete(sessionId, { permanently: true });
  return requireSession(kept, id);
}

/** An attempt that was cut off may have left it. */
async function assertSameChat({ temporary, kept }: Keeping, sessionId: string): Promise<void> {
  const leaf = await temporary.store.messages(sessionId).getLatestLeaf();
  const copy = leaf && (await kept.store.messages(keptIdOf(sessionId)).getMessage(leaf.id));
  if (!copy) throw new SessionExistsError(keptIdOf(sessionId));
}

async function titleOf({ store }: OwnerData, sessionId: string): Promise<string> {
  const { entries } = await store
    .messages(sessionId)
    .getWindow({ afterPosition: 0, beforePosition: 2, limit: 1, overlays: false });
  const first = entries[0]?.message;
  return first ? titleFromQuestion(searchableText(first)) : "";
}

async function assertNothingRuns({ runs }: OwnerData, sessionId: string): Promise<void> {
  if ((await runs.running(sessionId)).length === 0) return;
  const message = "An answer is being written. Stop it or wait for it, then try again.";
  throw new ChatError("answer-running", message);
}
