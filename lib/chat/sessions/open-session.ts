import type { ToolSet } from "ai";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import type { ModelParameters } from "@/lib/llm";
import { Session, SessionExistsError, type SessionInfo, SessionManager } from "@/lib/session";
import type { AskingMessage } from "@/lib/session/internal";
import { type BlockDefinition, blocksOf, providerOf } from "./blocks";

export async function openSession(owner: OwnerData, sessionId: string): Promise<Session> {
  return openWith(owner, sessionId, await blocksOf(owner, sessionId));
}

/** `null` for blocks of every session. */
export function openWith(
  owner: OwnerData,
  sessionId: string | null,
  blocks: readonly BlockDefinition[],
): Session {
  return openInPassing(owner, sessionId, blocks).withCachedPrompt();
}

/** The frozen prompt is not shared. */
export function openInPassing(
  owner: OwnerData,
  sessionId: string | null,
  blocks: readonly BlockDefinition[],
): Session {
  const session = new Session(owner.store, { sessionId: sessionId ?? "", createsSession: false });
  for (const definition of blocks) {
    const { id, label, description, maxTokens, writers, initial } = definition;
    session.withContext(label, {
      blockId: id,
      description,
      initial,
      ...(writers !== "nobody" && { writers }),
      provider: providerOf(owner, definition, sessionId),
      ...(maxTokens !== null && { maxTokens }),
    });
  }
  return session;
}

export function pastConversations(owner: OwnerData, asking?: AskingMessage): ToolSet {
  return SessionManager.create(owner.store).tools({ asking });
}

/** From the last message. */
export const temporaryMs = 24 * 60 * 60 * 1_000;

interface NewSession {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
  readonly parameters?: ModelParameters | undefined;
}

/**
 * Creates a session with the owner's defaults; a repeated id returns the existing one, whatever it is called since.
 *
 * @throws {SessionExistsError} when the id was given to one of another title.
 */
export async function createSession(
  owner: OwnerData,
  { id, title = "", model, parameters }: NewSession,
): Promise<SessionInfo> {
  const memoryMode = await owner.defaultMemoryMode();
  const metadata = {
    memoryMode,
    ...(parameters && { parameters }),
    ...(title !== "" && { givenTitle: title }),
  };
  const session = await owner.store.sessions.create(title, {
    ...{ id, model, source: "web", metadata },
    ...(id !== undefined && isTemporaryId(id) && { expiresAfterMs: temporaryMs }),
  });
  const given = session.metadata.givenTitle ?? session.name;
  if (!session.changed && title !== "" && title !== given) throw new SessionExistsError(session.id);
  return session;
}
