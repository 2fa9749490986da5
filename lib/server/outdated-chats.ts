import "server-only";
import { isOwnSpace, type PersonInSpace } from "@/lib/chat/core/person-in-space";
import { forgettingKeys, outdatedChats } from "@/lib/storage/settings/outdated-chats";
import type { Services } from "./services";

const atOnce = 200;

type Shared = Pick<Services, "sql" | "acting" | "closing" | "projects">;

export async function deleteOutdatedChats(shared: Shared): Promise<void> {
  for (const key of await forgettingKeys(shared.sql)) {
    if (!(await isThere(shared, key))) continue;
    const { sessions } = shared.acting(key).store;
    for (let isMore = true; isMore && !shared.closing.signal.aborted; ) {
      const found = await outdatedChats(shared.sql, key, atOnce);
      for (const id of found) await sessions.delete(id, { deletionId: crypto.randomUUID() });
      isMore = found.length === atOnce;
    }
  }
}

/** A deleted project is restored with all that it had. */
async function isThere({ projects }: Shared, who: PersonInSpace): Promise<boolean> {
  return isOwnSpace(who) || (await projects.get(who))?.deletedAt === null;
}
