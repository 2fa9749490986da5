import { endpoint } from "@/app/api/endpoint";
import { messagesOf, transcript } from "@/lib/chat/sessions/transcript";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/transcript",
  async ({ owner, params: { sessionId }, query }) => {
    const { under, leaf, limit, before, after, oldest, overlays = true } = query;
    const leafId = under ? await (await messagesOf(owner, sessionId)).getLeafUnder(under) : leaf;
    const places = { beforePosition: before, afterPosition: after, oldest };
    return transcript(owner, sessionId, { leafId, limit, ...places, overlays });
  },
);
