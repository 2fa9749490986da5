import { forkSession } from "@/lib/chat/sessions/session-detail";
import { forkRequest } from "@/lib/chat/wire/sessions";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, params, request, services }) => {
  const body = await bodyOf(request, forkRequest);
  const session = await forkSession(owner, params.sessionId, body);
  // The source lists its forks.
  for (const sessionId of [session.id, params.sessionId]) {
    services.tell(owner.ownerId, { type: "session-changed", sessionId });
  }
  return Response.json(session, { status: 201 });
});
