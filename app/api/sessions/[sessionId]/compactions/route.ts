import { compactSession } from "@/lib/chat/compact-session";
import { requireSession } from "@/lib/chat/transcript";
import { compactRequest } from "@/lib/chat/wire";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(
  async ({ owner, answering, params, request, services }) => {
    const { leafId, focus } = await bodyOf(request, compactRequest);
    const info = await requireSession(owner, params.sessionId);
    const resolved = await answering.chooseModel(info.model);
    const { sessionId } = params;
    const compaction = await compactSession(owner, { sessionId, leafId, focus, resolved });
    services.tell(owner.ownerId, { type: "session-changed", sessionId });
    return Response.json(compaction, { status: 201 });
  },
);
