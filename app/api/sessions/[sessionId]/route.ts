import { endpoint } from "@/app/api/endpoint";
import { deleteSession } from "@/lib/chat/data/deletions";
import { changeSession, sessionDetail } from "@/lib/chat/sessions/session-detail";

export const GET = endpoint("GET /api/sessions/:sessionId", ({ owner, params }) =>
  sessionDetail(owner, params.sessionId),
);

export const PATCH = endpoint("PATCH /api/sessions/:sessionId", ({ owner, params, body }) =>
  changeSession(owner, params.sessionId, body),
);

export const DELETE = endpoint("DELETE /api/sessions/:sessionId", ({ owner, params, query }) =>
  deleteSession(owner, params.sessionId, query.deletionId),
);
