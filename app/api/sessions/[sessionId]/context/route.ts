import { endpoint } from "@/app/api/endpoint";
import { contextView } from "@/lib/chat/answering/context-view";
import { requireSession } from "@/lib/chat/sessions/transcript";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/context",
  async ({ owner, answering, params: { sessionId }, query }) => {
    const info = await requireSession(owner, sessionId);
    const resolved = await answering.chooseModel(info.model);
    return contextView(owner, { sessionId, leafId: query.start ? null : query.leaf, resolved });
  },
);
