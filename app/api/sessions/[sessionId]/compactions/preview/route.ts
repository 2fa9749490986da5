import { compactionPreview } from "@/lib/chat/compaction/compact-session";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { route, textIn } from "@/lib/server/route";

export const GET = route<{ sessionId: string }>(async ({ owner, answering, params, query }) => {
  const info = await requireSession(owner, params.sessionId);
  const resolved = await answering.chooseModel(info.model);
  const leafId = textIn(query, "leaf");
  return Response.json(
    await compactionPreview(owner, { sessionId: params.sessionId, leafId, resolved }),
  );
});
