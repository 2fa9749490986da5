import { requireSession } from "@/lib/chat/sessions/transcript";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { route } from "@/lib/server/route";

export const GET = route<{ sessionId: string; messageId: string }>(async ({ owner, params }) => {
  await requireSession(owner, params.sessionId);
  const receipt = await owner.runs.receiptOf(params.sessionId, params.messageId);
  // Imported answers and those shared with a fork's source have no receipt in this session.
  return Response.json({ uses: (receipt as ReceiptWire | null)?.used ?? [] });
});
