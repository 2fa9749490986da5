import type { ToolSet } from "ai";
import { Session, SessionExistsError, type SessionInfo, SessionManager } from "grove-session";
import type { AskingMessage } from "grove-session/ports";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { AssistantRef } from "@/lib/chat/wire/assistants";
import type { ChatParameters } from "@/lib/chat/wire/request-fields";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { type BlockDefinition, blocksOf, providerOf } from "./blocks";

export async function openSession(owner: OwnerData, sessionId: string): Promise<Session> {
  return openWith(owner, sessionId, await blocksOf(owner, sessionId));
}

export function openWith(
  owner: OwnerData,
  sessionId: string | null,
  blocks: readonly BlockDefinition[],
): Session {
  return openInPassing(owner, sessionId, blocks).withCachedPrompt();
}

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

export const temporaryMs = 24 * 60 * 60 * 1_000;

export interface NewSession {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
  readonly parameters?: ChatParameters | undefined;
  readonly assistant?: AssistantRef | undefined;
}

/**
 * A repeated id returns the existing session, even after a rename. @throws {SessionExistsError} for an id of another
 * title.
 */
export async function createSession(
  owner: OwnerData,
  { id, title = "", model, parameters, assistant }: NewSession,
): Promise<SessionInfo> {
  const memoryMode = await owner.defaultMemoryMode();
  const metadata = {
    memoryMode,
    ...(parameters && { parameters }),
    ...(assistant && { assistant }),
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
