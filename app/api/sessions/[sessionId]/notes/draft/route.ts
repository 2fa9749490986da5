import { endpoint } from "@/app/api/endpoint";
import { draftNote } from "@/lib/chat/branches/notes";
import { requireSession } from "@/lib/chat/sessions/transcript";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/notes/draft",
  async ({ owner, answering, params: { sessionId }, body, request }) => {
    const info = await requireSession(owner, sessionId);
    await answering.runner.assertMayAsk(owner);
    const resolved = await answering.chooseModel(info.model);
    return draftNote(owner, sessionId, { ...body, resolved, signal: request.signal });
  },
);
