import { endpoint } from "@/app/api/endpoint";
import { startCompaction } from "@/lib/chat/compaction/compact-session";
import { requireSession, summaryRunWire } from "@/lib/chat/sessions/transcript";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/compactions",
  async ({ owner, answering, params: { sessionId }, body }) => {
    const info = await requireSession(owner, sessionId);
    await answering.runner.assertMayAsk(owner);
    const resolved = await answering.chooseModel(info.model);
    const run = await startCompaction(answering, { ...body, sessionId, resolved });
    return { summary: summaryRunWire(run) };
  },
);
