import { changeSession, sessionDetail } from "@/lib/chat/sessions/session-detail";
import { changeSessionRequest } from "@/lib/chat/wire/sessions";
import { bodyOf, route } from "@/lib/server/route";

interface Params {
  sessionId: string;
}

export const GET = route<Params>(async ({ owner, params }) =>
  Response.json(await sessionDetail(owner, params.sessionId)),
);

export const PATCH = route<Params>(async ({ owner, params, request, services }) => {
  const changes = await bodyOf(request, changeSessionRequest);
  const session = await changeSession(owner, params.sessionId, changes);
  services.tell(owner.ownerId, { type: "session-changed", sessionId: params.sessionId });
  return Response.json(session);
});

export const DELETE = route<Params>(async ({ owner, params, services }) => {
  await owner.store.sessions.delete(params.sessionId);
  services.tell(owner.ownerId, { type: "session-removed", sessionId: params.sessionId });
  return Response.json({ ok: true });
});
