import { endpoint } from "@/app/api/endpoint";
import { messagesOf } from "@/lib/chat/sessions/transcript";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/compactions/:compactionId/restore",
  async ({ owner, params: { sessionId, compactionId } }) => {
    await (await messagesOf(owner, sessionId)).restoreCompaction(compactionId);
    return { ok: true };
  },
);
