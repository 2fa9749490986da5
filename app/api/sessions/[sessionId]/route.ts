import { endpoint } from "@/app/api/endpoint";
import { changeSession, sessionDetail } from "@/lib/chat/sessions/session-detail";
import { SessionNotFoundError } from "@/lib/session";

export const GET = endpoint("GET /api/sessions/:sessionId", ({ owner, params }) =>
  sessionDetail(owner, params.sessionId),
);

export const PATCH = endpoint("PATCH /api/sessions/:sessionId", ({ owner, params, body }) =>
  changeSession(owner, params.sessionId, body),
);

export const DELETE = endpoint("DELETE /api/sessions/:sessionId", async ({ owner, params }) => {
  const { sessionId } = params;
  if (!(await owner.store.sessions.delete(sessionId))) throw new SessionNotFoundError(sessionId);
  return { ok: true };
});
