import { endpoint } from "@/app/api/endpoint";
import { forkSession } from "@/lib/chat/sessions/session-detail";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/fork",
  ({ owner, params, body, making }) =>
    forkSession(owner, params.sessionId, { ...body, id: body.id ?? making.id }),
);
