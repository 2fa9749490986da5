import { endpoint } from "@/app/api/endpoint";
import { messagesOf } from "@/lib/chat/sessions/transcript";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/messages/restore",
  async ({ owner, params, body }) => {
    await (await messagesOf(owner, params.sessionId)).restoreMessages(body.deletionId);
    return { ok: true };
  },
);
