import "server-only";
import { deleteSession } from "@/lib/chat/data/deletions";
import { changeSession } from "@/lib/chat/sessions/session-detail";
import { sessionWire } from "@/lib/chat/sessions/transcript";
import type { ChangedSessionsWire, OneChange, SessionWire } from "@/lib/chat/wire/sessions";
import { errorWire } from "./http-error";
import { type MoveContext, moveToSpace, refusalOfMoved } from "./moved-chats";

/** One after the other: a list changes at once for the person, and the database serves others meanwhile. */
export async function changeSessions(
  context: MoveContext,
  changes: readonly OneChange[],
): Promise<ChangedSessionsWire> {
  const results: ChangedSessionsWire["results"][number][] = [];
  for (const change of changes) {
    try {
      results.push({ session: await changeOne(context, change) });
    } catch (error) {
      const { services, identity, owner } = context;
      const chat = { spaceId: owner.spaceId, sessionId: change.id };
      results.push(errorWire(await refusalOfMoved(services, identity, chat, error)));
    }
  }
  return { results };
}

async function changeOne(
  context: MoveContext,
  { id, ...change }: OneChange,
): Promise<SessionWire | null> {
  const { owner } = context;
  if ("space" in change) return moveToSpace(context, { sessionId: id, ...change });
  if ("isRestored" in change) return sessionWire(await owner.store.sessions.restore(id));
  if ("deletionId" in change) {
    await deleteSession(owner, id, change.deletionId);
    return null;
  }
  return changeSession(owner, id, change);
}
