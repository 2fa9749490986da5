import "server-only";
import { deleteSession } from "@/lib/chat/data/deletions";
import { changeSession } from "@/lib/chat/sessions/session-detail";
import { sessionWire } from "@/lib/chat/sessions/transcript";
import type { ErrorWire } from "@/lib/chat/wire/events";
import type { ChangedSessionsWire, OneChange, SessionWire } from "@/lib/chat/wire/sessions";
import { reported } from "./http-error";
import { type MoveContext, moveToSpace, refusalOfMoved } from "./moved-chats";

/** One after the other, so that the database serves others meanwhile; none follow one that Grove failed to change. */
export async function changeSessions(
  context: MoveContext,
  changes: readonly OneChange[],
): Promise<ChangedSessionsWire> {
  const results: ChangedSessionsWire["results"][number][] = [];
  let away: ErrorWire | null = null;
  for (const change of changes) {
    try {
      results.push(away ?? { session: await changeOne(context, change) });
    } catch (error) {
      const { status, body } = await refused(context, change, error);
      if (status >= 500) away = body;
      results.push(body);
    }
  }
  return { results };
}

async function refused(
  { services, identity, owner }: MoveContext,
  { id }: OneChange,
  error: unknown,
): Promise<ReturnType<typeof reported>> {
  const chat = { spaceId: owner.spaceId, sessionId: id };
  try {
    return reported(await refusalOfMoved(services, identity, chat, error));
  } catch (failure) {
    return reported(failure);
  }
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
