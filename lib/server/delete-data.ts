import type { DataCountsWire } from "@/lib/chat/wire/data";
import { countData } from "@/lib/postgres";
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
  if ((await owner.runs.running()).length > 0) {
    throw new HttpError(
      409,
      "answer-running",
      "An answer is being written. Stop it, or wait for its end, and delete then.",
    );
  }
  const counts = await dataCounts(services, owner);
  await owner.data.deleteAll();
  return counts;
}
