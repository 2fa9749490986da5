import { endpoint } from "@/app/api/endpoint";
import { receiptOf } from "@/lib/chat/answering/answer-receipt";
import { ChatError } from "@/lib/chat/core/chat-error";
import { requireSession } from "@/lib/chat/sessions/transcript";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/messages/:messageId/receipt",
  async ({ owner, params: { sessionId, messageId } }) => {
    await requireSession(owner, sessionId);
    const receipt = await receiptOf(owner, sessionId, messageId);
    if (!receipt) throw new ChatError("receipt-not-found", "No receipt was kept for this message.");
    return receipt;
  },
);
