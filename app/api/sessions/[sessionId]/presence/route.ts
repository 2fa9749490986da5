import { endpoint } from "@/app/api/endpoint";
import { notePresence } from "@/lib/chat/sessions/temporary-chat";

export const PUT = endpoint(
  "PUT /api/sessions/:sessionId/presence",
  async ({ owner, params, body }) => {
    await notePresence(owner, params.sessionId, body);
    return { ok: true };
  },
);
