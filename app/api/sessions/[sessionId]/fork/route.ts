import { forkSession } from "@/lib/chat/sessions/session-detail";
import { forkRequest } from "@/lib/chat/wire/sessions";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, params, request }) => {
  const body = await bodyOf(request, forkRequest);
  return Response.json(await forkSession(owner, params.sessionId, body), { status: 201 });
});
