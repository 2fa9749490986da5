import { sessionWire } from "@/lib/chat/sessions/transcript";
import { route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, params, services }) => {
  const info = await owner.store.sessions.restore(params.sessionId);
  services.tell(owner.ownerId, { type: "session-changed", sessionId: info.id });
  return Response.json(sessionWire(info, { writing: false }));
});
