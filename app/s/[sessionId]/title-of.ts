import type { Metadata } from "next";
import { isolated } from "@/app/_ui/isolated";
import { identity } from "@/app/identity";
import { inOwnSpace } from "@/lib/chat/core/person-in-space";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { services } from "@/lib/server/services";

export async function titleOf(sessionId: string, prefix = ""): Promise<Metadata> {
  if (isTemporaryId(sessionId)) return { title: `${prefix}Temporary chat` };
  try {
    const asking = await identity();
    if (!asking) return {};
    const owner = await services().ownerOf(inOwnSpace(asking.personId));
    const session = await owner.store.sessions.get(sessionId);
    return session ? { title: `${prefix}${isolated(session.name) || "New chat"}` } : {};
  } catch {
    return {};
  }
}
