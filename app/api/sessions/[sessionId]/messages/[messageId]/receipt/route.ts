import { ChatError } from "@/lib/chat/chat-error";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { route } from "@/lib/server/route";

export const GET = route<{ sessionId: string; messageId: string }>(async ({ owner, params }) => {
  await requireSession(owner, params.sessionId);
  const receipt = await owner.runs.receiptOf(params.sessionId, params.messageId);
  if (!receipt) throw new ChatError("receipt-not-found", "No receipt was kept for this message.");
  return Response.json(receipt);
});
