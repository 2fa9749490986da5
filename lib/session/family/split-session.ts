import type { CompactFunction } from "../compaction/create-compact-function";
import type { ContextDefinition } from "../context/context-block";
import { InvalidArgumentError } from "../errors";
import { reportFailure } from "../report-failure";
import type { Session } from "../session";
import type { SessionInfo, SessionStore } from "../session-store";
import { maxIdLength } from "../stored-body";
import { cutText } from "../text";

export interface SplitOptions {
  /** Default: written by the compaction function. */
  readonly summary?: string | undefined;
  /** Default: the old name, marked as continued. */
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  readonly focus?: string | undefined;
}

interface SplitSettings extends SplitOptions {
  readonly compactFunction?: CompactFunction | undefined;
  readonly context: readonly ContextDefinition[];
}

/** The new session starts with a summary and copies of the blocks; the other stays unchanged. */
export async function splitSession(
  store: SessionStore,
  { info, session }: { info: SessionInfo; session: Session },
  settings: SplitSettings,
): Promise<SessionInfo> {
  const summary = settings.summary ?? (await summaryOf(session, settings));
  const split = await store.sessions.create(settings.name ?? `${info.name} (continued)`, {
    id: settings.id,
    parentSessionId: info.id,
    model: info.model ?? undefined,
    source: info.source ?? undefined,
    tags: info.tags,
  });
  await whole(store, { id: split.id, givenId: settings.id }, async () => {
    await copyOwnBlocks(store, { from: info.id, to: split.id, context: settings.context });
    await store.messages(split.id).appendMessage({
      id: idOf("summary-of", info.id),
      role: "user",
      parts: [{ type: "text", text: summary }],
      metadata: { summaryOf: info.id },
    });
  });
  return split;
}

/** Fills a new session, or removes it. A repetition completes another call's with a given id. */
export async function whole(
  store: SessionStore,
  { id, givenId }: { readonly id: string; readonly givenId: string | undefined },
  fill: () => Promise<void>,
): Promise<void> {
  try {
    await fill();
  } catch (error) {
    if (givenId === undefined) {
      const removed = store.sessions.delete(id, { permanently: true });
      await removed.catch((failure: unknown) =>
        reportFailure(failure, { what: "Removing a session made in part", source: store }),
      );
    }
    throw error;
  }
}

export function idOf(kind: string, sessionId: string): string {
  return cutText(`${kind}-${sessionId}`, maxIdLength);
}

async function summaryOf(
  session: Session,
  { compactFunction, focus }: SplitSettings,
): Promise<string> {
  if (!compactFunction?.summarizeAll) {
    throw new InvalidArgumentError(
      "Give a summary, or register a compaction function that can write one.",
    );
  }
  const history = await session.getHistory();
  if (history.length === 0)
    throw new InvalidArgumentError("An empty session cannot be summarized.");
  return (await compactFunction.summarizeAll(history, { focus })).text;
}

export async function copyOwnBlocks(
  store: SessionStore,
  { from, to, context }: { from: string; to: string; context: readonly ContextDefinition[] },
): Promise<void> {
  for (const { label, provider, scope = "session" } of context) {
    if (provider || scope !== "session") continue;
    const content = await store.block({ label, sessionId: from }).get();
    if (content) await store.block({ label, sessionId: to }).set(content);
  }
}
