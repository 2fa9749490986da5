import { endpoint } from "@/app/api/endpoint";
import { restoreDeletion } from "@/lib/chat/data/deletions";

export const POST = endpoint(
  "POST /api/deletions/:deletionId/restore",
  async ({ owner, params }) => {
    await restoreDeletion(owner, params.deletionId);
    return { ok: true };
  },
);
