import { endpoint } from "@/app/api/endpoint";
import { compactionPreview } from "@/lib/chat/compaction/compact-session";
import { requireSession } from "@/lib/chat/sessions/transcript";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/compactions/preview",
  async ({ owner, answering, params: { sessionId }, query }) => {
    const info = await requireSession(owner, sessionId);
    const resolved = await answering.chooseModel(info.model);
    return compactionPreview(owner, { sessionId, leafId: query.leaf, resolved });
  },
);
