import { StorageFullError } from "@/lib/postgres/storage";
import "server-only";
import { InvalidArgumentError, isSessionError, SessionExistsError } from "grove-session";
import { ChatError } from "@/lib/chat/core/chat-error";
import { inOwnSpace, type SpaceId } from "@/lib/chat/core/person-in-space";
import { giveAssistants } from "@/lib/chat/memory/assistants";
import { blocksOf } from "@/lib/chat/sessions/blocks";
import { sessionDetail } from "@/lib/chat/sessions/session-detail";
import { requireSession } from "@/lib/chat/sessions/transcript";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { MissingProjectError, moveChat, movedTo } from "@/lib/storage/spaces/move-chat";
import { accessTo, type SpaceAccess, spaceNotFound } from "./access";
import type { Identity } from "./owner-of";
import type { OwnerServices } from "./owner-services";
import type { Services } from "./services";

export interface MoveContext {
  readonly services: Services;
  readonly identity: Identity;
  readonly owner: OwnerServices;
}

/**
 * `null` moves a chat to the person's own chats. Repeating a move changes nothing. @throws {ChatError}
 * `answer-running`, `storage-full`. @throws {SessionExistsError} when another chat there has its id.
 */
export async function moveToSpace(
  { services, identity, owner }: MoveContext,
  { sessionId, space }: { readonly sessionId: string; readonly space: string | null },
): Promise<SessionWire> {
  const need = { space: space ?? identity.personId, need: "writes" } as const;
  const access = await accessTo(services, identity, need);
  const target = await services.ownerOf(access);
  const { personId, spaceId: from } = owner;
  const to = access.spaceId;
  if (from !== to && (await movedTo(services.sql, { spaceId: from, sessionId })) !== to) {
    await assertMovable(owner, sessionId);
    await blocksOf(target, null);
    // One of Grove's own answers on there.
    await giveAssistants(target);
    const move = { personId, from, to, sessionId };
    if (!(await moveChat(services.sql, move).catch((error) => explain(error, access))))
      throw new ChatError(
        "answer-running",
        "An answer is being written in this chat, or waits for you. Stop it, or wait for it, then move the chat.",
      );
    owner.store.events.emit({ type: "session", sessionId, action: "delete" });
    target.store.events.emit({ type: "data", sessionId: null, action: "import" });
  }
  return (await sessionDetail(target, sessionId)).session;
}

async function assertMovable(owner: OwnerServices, sessionId: string): Promise<void> {
  if (isTemporaryId(sessionId))
    throw new InvalidArgumentError("A temporary chat cannot be moved. Keep it first.");
  const { metadata, parentSessionId } = await requireSession(owner, sessionId);
  if ("program" in metadata && parentSessionId === null)
    throw new InvalidArgumentError(
      "This chat belongs to a program, which finds it here alone. Branch it in a new chat, then move that one.",
    );
}

function explain(error: unknown, access: SpaceAccess): never {
  if (error instanceof MissingProjectError) throw spaceNotFound();
  if (error instanceof StorageFullError)
    throw new ChatError("storage-full", error.message, { cause: error });
  if (error instanceof SessionExistsError)
    throw new ChatError(
      "session-exists",
      `A copy of this chat is in ${nameOf(access)} already, perhaps among what was deleted there. Delete the copy for good, then move this one.`,
      { cause: error },
    );
  throw error;
}

/** `null` where the person has no such chat, and for one that was never moved. */
export async function placeOfMoved(
  services: Services,
  identity: Identity,
  moved: { readonly spaceId: SpaceId; readonly sessionId: string },
): Promise<SpaceAccess | null> {
  const { personId } = identity;
  const { sessionId } = moved;
  let at: SpaceId | null = null;
  for (let next: SpaceId | null = moved.spaceId; next !== null; ) {
    next = await movedTo(services.sql, { spaceId: next, sessionId });
    at = next ?? at;
  }
  if (at === null) return null;
  const who = { personId, spaceId: at };
  const isOwn = inOwnSpace(personId).spaceId === at;
  const project = isOwn ? null : await services.projects.get(who);
  if (!isOwn && (!project || project.deletedAt)) return null;
  const found = await services.acting(who).store.sessions.get(sessionId);
  return found && { ...who, project };
}

export async function refusalOfMoved(
  services: Services,
  identity: Identity,
  { spaceId, sessionId }: { readonly spaceId: SpaceId; readonly sessionId: unknown },
  error: unknown,
): Promise<unknown> {
  const code = isSessionError(error) ? error.code : null;
  const isMissing = code === "session-not-found" || code === "session-exists";
  if (!isMissing || typeof sessionId !== "string") return error;
  const place = await placeOfMoved(services, identity, { spaceId, sessionId });
  if (!place) return error;
  return new ChatError(
    "chat-moved",
    `This chat was moved, and is in ${nameOf(place)} now. Nothing was changed by this; try again there.`,
  );
}

function nameOf({ project }: SpaceAccess): string {
  return project ? `the project “${project.name}”` : "My chats";
}
