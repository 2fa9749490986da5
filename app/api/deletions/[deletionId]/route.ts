import { endpoint } from "@/app/api/endpoint";
import { removeDeletion } from "@/lib/chat/data/deletions";

export const DELETE = endpoint("DELETE /api/deletions/:deletionId", async ({ owner, params }) => {
  await removeDeletion(owner, params.deletionId);
  return { ok: true };
});
