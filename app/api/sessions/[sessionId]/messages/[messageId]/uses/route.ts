import { endpoint } from "@/app/api/endpoint";
import { storedReceiptOf } from "@/lib/chat/answering/answer-receipt";
import { requireSession } from "@/lib/chat/sessions/transcript";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/messages/:messageId/uses",
  async ({ owner, params: { sessionId, messageId } }) => {
    await requireSession(owner, sessionId);
    // Imported answers and a fork's shared ones have no receipt here.
    return { uses: (await storedReceiptOf(owner, sessionId, messageId))?.used ?? [] };
  },
);
