import type { Metadata } from "next";
import { headers } from "next/headers";
import { isolated } from "@/app/_ui/isolated";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { services } from "@/lib/server/services";

/** Empty without a session, and while the database is away: the browser reads it then. */
export async function titleOf(sessionId: string, prefix = ""): Promise<Metadata> {
  if (isTemporaryId(sessionId)) return { title: `${prefix}Temporary chat` };
  try {
    const identity = await services().identify(await headers());
    if (!identity) return {};
    const owner = await services().ownerOf(identity);
    const session = await owner.store.sessions.get(sessionId);
    return session ? { title: `${prefix}${isolated(session.name) || "New chat"}` } : {};
  } catch {
    return {};
  }
}
