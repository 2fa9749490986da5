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
    const session = await openSession(owner, sessionId, resolved);
    await promptOf(owner, session, { renews: true, model: resolved });
    return contextView(owner, { sessionId, resolved });
  },
);
