import "server-only";
import { asSpace, personInSpace } from "@/lib/chat/core/person-in-space";
import { outdatedChats } from "@/lib/storage/settings/outdated-chats";
import type { Services } from "./services";

const atOnce = 200;

/** Deletes as a person does: tabs are notified, and the chats can be restored for a while. */
export async function deleteOutdatedChats(
  shared: Pick<Services, "sql" | "acting" | "closing">,
): Promise<void> {
  for (let isMore = true; isMore && !shared.closing.signal.aborted; ) {
    const found = await outdatedChats(shared.sql, atOnce);
    for (const { owner, id } of found) {
      const { sessions } = shared.acting(personInSpace(asSpace(owner))).store;
      await sessions.delete(id, { deletionId: crypto.randomUUID() });
    }
    isMore = found.length === atOnce;
  }
}
