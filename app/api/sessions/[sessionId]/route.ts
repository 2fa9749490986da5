import { changeSession, sessionDetail } from "@/lib/chat/sessions/session-detail";
import { changeSessionRequest } from "@/lib/chat/wire/sessions";
import { bodyOf, route } from "@/lib/server/route";

interface Params {
  sessionId: string;
}

export const GET = route<Params>(async ({ owner, params }) =>
  Response.json(await sessionDetail(owner, params.sessionId)),
);

export const PATCH = route<Params>(async ({ owner, params, request }) => {
  const changes = await bodyOf(request, changeSessionRequest);
  return Response.json(await changeSession(owner, params.sessionId, changes));
});

export const DELETE = route<Params>(async ({ owner, params }) => {
  await owner.store.sessions.delete(params.sessionId);
  return Response.json({ ok: true });
});
