import "server-only";
import { isOwnSpace } from "@/lib/chat/core/person-in-space";
import {
  type ForgettingKey,
  forgettingKeys,
  outdatedChats,
} from "@/lib/storage/settings/outdated-chats";
import type { Services } from "./services";

const atOnce = 200;
const aDay = 24 * 60 * 60 * 1_000;

type Shared = Pick<Services, "sql" | "acting" | "closing" | "projects">;

export async function deleteOutdatedChats(shared: Shared): Promise<void> {
  for (const key of await forgettingKeys(shared.sql)) {
    const { sessions } = shared.acting(key).store;
    for (let isMore = true; isMore && !shared.closing.signal.aborted; ) {
      if (!(await mayForget(shared, key))) break;
      const found = await outdatedChats(shared.sql, key, atOnce);
      for (const id of found) await sessions.delete(id, { deletionId: crypto.randomUUID() });
      isMore = found.length === atOnce;
    }
  }
}

/** A restored project has all that it had, and its chats have their days again. */
async function mayForget({ projects }: Shared, key: ForgettingKey): Promise<boolean> {
  if (isOwnSpace(key)) return true;
  const project = await projects.get(key);
  const restoredAt = project?.restoredAt?.getTime() ?? 0;
  return project?.deletedAt === null && restoredAt < Date.now() - key.days * aDay;
}
