import { InvalidArgumentError } from "grove-session";
import type { ListSessionsOptions } from "grove-session/ports";
import type { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type {
  changeSessionRequest,
  forkRequest,
  SessionDetailWire,
  SessionPageWire,
  SessionWire,
} from "@/lib/chat/wire/sessions";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { requireSession, sessionWire } from "./transcript";

export async function sessionDetail(
  owner: OwnerData,
  sessionId: string,
): Promise<SessionDetailWire> {
  const info = await requireSession(owner, sessionId);
  const { sessions } = owner.store;
  const [parent, forks, leaf, session] = await Promise.all([
    info.parentSessionId === null ? null : sessions.get(info.parentSessionId),
    sessions.forks(sessionId),
    owner.store.messages(sessionId).getLatestLeaf(),
    sessionView(owner, sessionId),
  ]);
  return {
    session,
    parent: parent && { id: parent.id, title: parent.name },
    forks: forks.map(({ id, name }) => ({ id, title: name })),
    activeLeafId: leaf?.id ?? null,
  };
}

export async function changeSession(
  owner: OwnerData,
  sessionId: string,
  changes: z.output<typeof changeSessionRequest>,
): Promise<SessionWire> {
  const { title, activeLeafId, memoryMode, parameters, assistant, ...rest } = changes;
  if (isTemporaryId(sessionId) && memoryMode !== undefined && memoryMode !== "off")
    throw new InvalidArgumentError("A temporary chat never changes memory. Keep it first.");
  if (activeLeafId !== undefined) {
    await requireSession(owner, sessionId);
    await owner.store.messages(sessionId).setActiveLeaf(activeLeafId);
  }
  await owner.store.sessions.update(sessionId, {
    ...rest,
    name: title,
    ...((memoryMode || parameters || assistant !== undefined) && {
      metadata: {
        ...(memoryMode && { memoryMode }),
        ...(parameters && { parameters }),
        ...(assistant !== undefined && { assistant }),
      },
    }),
  });
  return sessionView(owner, sessionId);
}

export async function forkSession(
  owner: OwnerData,
  sessionId: string,
  { id, messageId, title, withSideBranches }: z.output<typeof forkRequest>,
): Promise<SessionWire> {
  if (isTemporaryId(sessionId))
    throw new InvalidArgumentError("A temporary chat cannot be forked. Keep it first.");
  const source = await requireSession(owner, sessionId);
  const name = title || (source.name === "" ? "Branch" : `${source.name} (branch)`);
  const info = await owner.store.sessions.fork(sessionId, messageId, name, {
    id,
    withSideBranches,
  });
  return sessionWire(info);
}

async function sessionView(owner: OwnerData, sessionId: string): Promise<SessionWire> {
  const [info, marks] = await Promise.all([
    requireSession(owner, sessionId),
    owner.runs.marks([sessionId]),
  ]);
  return sessionWire(info, marks.get(sessionId));
}

export async function listSessions(
  owner: OwnerData,
  options: ListSessionsOptions,
): Promise<SessionPageWire> {
  const { sessions, nextCursor } = await owner.store.sessions.list(options);
  const marks = await owner.runs.marks(sessions.map(({ id }) => id));
  return { sessions: sessions.map((info) => sessionWire(info, marks.get(info.id))), nextCursor };
}
