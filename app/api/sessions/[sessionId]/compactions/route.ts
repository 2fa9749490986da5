import { startCompaction } from "@/lib/chat/compaction/compact-session";
import { requireSession, summaryRunWire } from "@/lib/chat/sessions/transcript";
import { compactRequest } from "@/lib/chat/wire/compaction";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(
  async ({ owner, answering, params: { sessionId }, request }) => {
    const wanted = await bodyOf(request, compactRequest);
    const info = await requireSession(owner, sessionId);
    const resolved = await answering.chooseModel(info.model);
    const run = await startCompaction(answering, { ...wanted, sessionId, resolved });
    return Response.json({ summary: summaryRunWire(run) }, { status: 201 });
  },
);
