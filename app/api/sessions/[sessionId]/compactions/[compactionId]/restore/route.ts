import { messagesOf } from "@/lib/chat/sessions/transcript";
import { route } from "@/lib/server/route";

export const POST = route<{ sessionId: string; compactionId: string }>(
  async ({ owner, params, services }) => {
    const messages = await messagesOf(owner, params.sessionId);
    await messages.restoreCompaction(params.compactionId);
    services.tell(owner.ownerId, { type: "session-changed", sessionId: params.sessionId });
    return Response.json({ ok: true });
  },
);
