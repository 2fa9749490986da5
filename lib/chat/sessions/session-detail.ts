import type { z } from "zod";
import type { OwnerData } from "@/lib/chat/owner-data";
import type {
  changeSessionRequest,
  forkRequest,
  SessionDetailWire,
  SessionWire,
} from "@/lib/chat/wire/sessions";
import { requireSession, sessionWire } from "./transcript";

/** A session with its source, its forks and its active leaf. */
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

/** @throws {MessageNotFoundError} for a leaf of another session. */
export async function changeSession(
  owner: OwnerData,
  sessionId: string,
  changes: z.output<typeof changeSessionRequest>,
): Promise<SessionWire> {
  const { title, activeLeafId, memoryMode, ...rest } = changes;
  if (activeLeafId !== undefined) {
    await requireSession(owner, sessionId);
    await owner.store.messages(sessionId).setActiveLeaf(activeLeafId);
  }
  await owner.store.sessions.update(sessionId, {
    ...rest,
    name: title,
    ...(memoryMode && { metadata: { memoryMode } }),
  });
  return sessionView(owner, sessionId);
}

export async function forkSession(
  owner: OwnerData,
  sessionId: string,
  { id, messageId, title, withSideBranches }: z.output<typeof forkRequest>,
): Promise<SessionWire> {
  const source = await requireSession(owner, sessionId);
  const name = title || (source.name === "" ? "Fork" : `${source.name} (fork)`);
  const info = await owner.store.sessions.fork(sessionId, messageId, name, {
    id,
    withSideBranches,
  });
  return sessionWire(info, { writing: false });
}

async function sessionView(owner: OwnerData, sessionId: string): Promise<SessionWire> {
  const [info, running] = await Promise.all([
    requireSession(owner, sessionId),
    owner.runs.running(sessionId),
  ]);
  return sessionWire(info, { writing: running.length > 0 });
}
