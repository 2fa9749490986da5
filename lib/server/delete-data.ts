import type { DataCountsWire } from "@/lib/chat/wire/data";
import { countData, deleteEverything } from "@/lib/postgres";
import { HttpError } from "./http-error";
import type { OwnerServices } from "./owner-services";
import type { Services } from "./services";

export function dataCounts({ sql }: Services, { ownerId }: OwnerServices): Promise<DataCountsWire> {
  return countData(sql, ownerId);
}

/**
 * Permanently deletes everything of an owner. @returns the counts. @throws {HttpError} 409 while an answer is
 * written.
 */
export async function deleteData(
  services: Services,
  owner: OwnerServices,
): Promise<DataCountsWire> {
  const { ownerId } = owner;
  if ((await owner.runs.running()).length > 0) {
    throw new HttpError(
      409,
      "answer-running",
      "An answer is being written. Stop it, or wait for its end, and delete then.",
    );
  }
  const counts = await dataCounts(services, owner);
  const sessionIds = await deleteEverything(services.sql, ownerId);
  services.models.forget(ownerId);
  for (const sessionId of sessionIds)
    await services.tell(ownerId, { type: "session-removed", sessionId });
  await services.tell(ownerId, { type: "memory-changed", label: "memory", sessionId: null });
  return counts;
}
