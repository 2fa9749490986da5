import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { keptIdOf } from "@/lib/chat/wire/temporary-id";
import { titleFromQuestion } from "@/lib/llm";
import type { SessionInfo } from "@/lib/session";
import { isSessionError, searchableText } from "@/lib/session/internal";
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

/** Temporary chats of an owner, and how one becomes the owner's. */
export interface TemporaryOwner extends OwnerData {
  /**
   * All at once: messages that are sent meanwhile wait, and are then refused.
   *
   * @returns false while an answer is being written.
   */
  keep(
    sessionId: string,
    as: string,
    given: { readonly title: string; readonly metadata: Readonly<Record<string, unknown>> },
  ): Promise<boolean>;
}

interface Keeping {
  readonly temporary: TemporaryOwner;
  readonly kept: OwnerData;
}

/**
 * Makes a temporary chat one of the owner's, with all its branches and under a title; a repeated request gives the same.
 *
 * @throws {ChatError} `answer-running`. @throws {SessionNotFoundError} when it has ended.
 * @throws {SessionExistsError} when another chat has its id.
 */
export async function keepTemporaryChat(
  { temporary, kept }: Keeping,
  sessionId: string,
): Promise<SessionInfo> {
  const id = keptIdOf(sessionId);
  const known = await kept.store.sessions.get(id);
  if (known && !(await temporary.store.sessions.get(sessionId))) return known;
  const title = await titleOf(temporary, sessionId);
  const metadata = { memoryMode: await kept.defaultMemoryMode() };
  try {
    if (!(await temporary.keep(sessionId, id, { title, metadata }))) throw answerRunning();
  } catch (error) {
    // Another request was first.
    const isOver = isSessionError(error) && error.code === "session-not-found";
    const made = isOver ? await kept.store.sessions.get(id) : null;
    if (made) return made;
    throw error;
  }
  return requireSession(kept, id);
}

async function titleOf({ store }: OwnerData, sessionId: string): Promise<string> {
  const { entries } = await store
    .messages(sessionId)
    .getWindow({ afterPosition: 0, beforePosition: 2, limit: 1, overlays: false });
  const first = entries[0]?.message;
  return first ? titleFromQuestion(searchableText(first)) : "";
}

async function assertNothingRuns({ runs }: OwnerData, sessionId: string): Promise<void> {
  if ((await runs.running(sessionId)).length > 0) throw answerRunning();
}

function answerRunning(): ChatError {
  const message = "An answer is being written. Stop it or wait for it, then try again.";
  return new ChatError("answer-running", message);
}

/**
 * The refusal of a request for a temporary chat that was kept meanwhile; any other error as it is.
 */
export async function refusalOfKept(
  kept: Pick<OwnerData, "store">,
  sessionId: string,
  error: unknown,
): Promise<unknown> {
  const code = isSessionError(error) ? error.code : null;
  if (code !== "session-not-found" && code !== "session-exists") return error;
  if (!(await kept.store.sessions.get(keptIdOf(sessionId)))) return error;
  return new ChatError(
    "chat-kept",
    "This chat was kept meanwhile, and is now in your list of chats. Nothing was changed by this; try again there.",
  );
}
