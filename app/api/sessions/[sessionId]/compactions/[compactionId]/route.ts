import { endpoint } from "@/app/api/endpoint";
import { messagesOf } from "@/lib/chat/sessions/transcript";

export const PATCH = endpoint(
  "PATCH /api/sessions/:sessionId/compactions/:compactionId",
  async ({ owner, params: { sessionId, compactionId }, body }) => {
    await (await messagesOf(owner, sessionId)).updateCompaction(compactionId, body.summary);
    return { ok: true };
  },
);

export const DELETE = endpoint(
  "DELETE /api/sessions/:sessionId/compactions/:compactionId",
  async ({ owner, params: { sessionId, compactionId } }) => {
    await (await messagesOf(owner, sessionId)).removeCompaction(compactionId);
    return { ok: true };
  },
);
