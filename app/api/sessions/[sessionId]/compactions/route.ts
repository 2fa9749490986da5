import { compactSession } from "@/lib/chat/compact-session";
import type { SummaryListener } from "@/lib/chat/open-session";
import { requireSession } from "@/lib/chat/transcript";
import { type CompactionWire, compactRequest } from "@/lib/chat/wire/compaction";
import { bodyOf, route } from "@/lib/server/route";
import { summaryStream } from "@/lib/server/summary-stream";

export const POST = route<{ sessionId: string }>(
  async ({ owner, answering, params, request, services }) => {
    const wishes = await bodyOf(request, compactRequest);
    const info = await requireSession(owner, params.sessionId);
    const resolved = await answering.chooseModel(info.model);
    const { sessionId } = params;
    const { ownerId } = owner;
    const write = (listener: SummaryListener): Promise<CompactionWire> =>
      services.compactions.run({ ownerId, sessionId }, async (signal) => {
        const asked = { ...wishes, sessionId, resolved, listener, signal };
        const compaction = await compactSession(owner, asked);
        services.tell(ownerId, { type: "session-changed", sessionId });
        return compaction;
      });
    if (request.headers.get("accept")?.includes("text/event-stream")) return summaryStream(write);
    return Response.json(await write({}), { status: 201 });
  },
);
