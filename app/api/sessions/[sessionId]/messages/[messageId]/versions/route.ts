import { endpoint } from "@/app/api/endpoint";
import { answerVersions } from "@/lib/chat/branches/keep-answer";
import { requireSession } from "@/lib/chat/sessions/transcript";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/messages/:messageId/versions",
  async ({ owner, params }) => {
    await requireSession(owner, params.sessionId);
    return { versions: await answerVersions(owner, params) };
  },
);
