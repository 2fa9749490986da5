import type { PostgresSessionStore } from "@/lib/postgres";
import type { SessionInfo } from "@/lib/session";

const maxLookedAt = 50;

/** The session that `in:` means; `isSure` is false when others are called so, too. */
export interface NamedSession {
  readonly session: SessionInfo;
  readonly isSure: boolean;
}

/**
 * The session with this id; else the one whose title this is, in any case of letters; else one whose title holds it. Of
 * several the one used last. `null` when there is none.
 */
export async function sessionNamed(
  sessions: Pick<PostgresSessionStore["sessions"], "get" | "searchTitles">,
  name: string,
): Promise<NamedSession | null> {
  const known = await sessions.get(name);
  if (known) return { session: known, isSure: true };
  return bestNamed(await sessions.searchTitles(name, maxLookedAt), name);
}

function bestNamed(holding: readonly SessionInfo[], name: string): NamedSession | null {
  const wanted = name.toLowerCase();
  const exact = holding.filter((session) => session.name.toLowerCase() === wanted);
  const candidates = exact.length > 0 ? exact : holding;
  const [session] = candidates;
  return session ? { session, isSure: candidates.length === 1 } : null;
}
