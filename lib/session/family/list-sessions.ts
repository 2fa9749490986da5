import type { ListSessionsOptions, SessionInfo, SessionRegistry } from "../session-store";

const maxPageSize = 500;

export async function listSessions(
  sessions: SessionRegistry,
  { limit = Number.POSITIVE_INFINITY, ...filter }: Omit<ListSessionsOptions, "cursor">,
): Promise<SessionInfo[]> {
  const listed: SessionInfo[] = [];
  for (let cursor: string | null | undefined; cursor !== null && listed.length < limit; ) {
    const size = Math.min(maxPageSize, limit - listed.length);
    const page = await sessions.list({ ...filter, limit: size, cursor });
    listed.push(...page.sessions);
    cursor = page.nextCursor;
  }
  return listed;
}

/** Parents before children. */
export async function descendantsOf(
  sessions: SessionRegistry,
  sessionId: string,
): Promise<SessionInfo[]> {
  const found = new Map<string, SessionInfo>();
  const parents = new Set([sessionId]);
  for (const parentSessionId of parents) {
    for (const child of await listSessions(sessions, { parentSessionId })) {
      if (child.id !== sessionId) found.set(child.id, child);
      parents.add(child.id);
    }
  }
  return [...found.values()];
}
