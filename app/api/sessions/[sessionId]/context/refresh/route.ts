import { endpoint } from "@/app/api/endpoint";
import { promptOf } from "@/lib/chat/answering/answer-input";
import { contextView } from "@/lib/chat/answering/context-view";
import { openSession } from "@/lib/chat/sessions/open-session";
import { requireSession } from "@/lib/chat/sessions/transcript";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/context/refresh",
  async ({ owner, answering, params: { sessionId } }) => {
    const info = await requireSession(owner, sessionId);
    const resolved = await answering.chooseModel(info.model);
    await promptOf(owner, await openSession(owner, sessionId, resolved), { renews: true });
    return contextView(owner, { sessionId, resolved });
  },
);
