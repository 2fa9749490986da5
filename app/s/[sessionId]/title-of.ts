import type { Metadata } from "next";
import { isolated } from "@/app/_ui/isolated";
import { pageOwner } from "@/app/page-owner";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";

interface SessionPlace {
  readonly sessionId: string;
  readonly spaceId?: string;
}

export async function titleOf(
  { sessionId, spaceId }: SessionPlace,
  prefix = "",
): Promise<Metadata> {
  if (isTemporaryId(sessionId)) return { title: `${prefix}Temporary chat` };
  try {
    const owner = await pageOwner(spaceId ?? null);
    const session = await owner?.store.sessions.get(sessionId);
    return session ? { title: `${prefix}${isolated(session.name) || "New chat"}` } : {};
  } catch {
    return {};
  }
}
