import { messagesOf } from "@/lib/chat/sessions/transcript";
import { route } from "@/lib/server/route";

export const POST = route<{ sessionId: string; compactionId: string }>(
  async ({ owner, params }) => {
    const messages = await messagesOf(owner, params.sessionId);
    await messages.restoreCompaction(params.compactionId);
    return Response.json({ ok: true });
  },
);
