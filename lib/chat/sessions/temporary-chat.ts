import { InvalidArgumentError, isSessionError, type SessionInfo } from "grove-session";
import { searchableText } from "grove-session/ports";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { isTemporaryId, keptIdOf } from "@/lib/chat/wire/temporary-id";
import { titleFromQuestion } from "@/lib/llm";
import { temporaryMs } from "./open-session";
import { requireSession } from "./transcript";

export async function endTemporaryChat(owner: OwnerData, sessionId: string): Promise<void> {
  await assertNothingRuns(owner, sessionId);
  await owner.store.sessions.delete(sessionId, { permanently: true });
}

export interface TemporaryOwner extends OwnerData {
  /** Messages sent meanwhile are refused. @returns false while an answer is being written. */
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
 * A repeated request gives the same chat. @throws {ChatError} `answer-running`. @throws {SessionExistsError} when
 * another chat has its id.
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
    .getWindow({ oldest: true, limit: 1, overlays: false });
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

/** Long enough for Back to find the chat again after following a link. */
const leftMs = 600_000;

export async function notePresence(
  { store }: Pick<OwnerData, "store">,
  sessionId: string,
  { isOpen }: { readonly isOpen: boolean },
): Promise<void> {
  if (!isTemporaryId(sessionId)) throw new InvalidArgumentError("This chat does not end.");
  await store.sessions.update(sessionId, { expiresAfterMs: isOpen ? temporaryMs : leftMs });
}
