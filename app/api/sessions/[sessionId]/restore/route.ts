import { sessionWire } from "@/lib/chat/sessions/transcript";
import { route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, params }) => {
  const info = await owner.store.sessions.restore(params.sessionId);
  return Response.json(sessionWire(info, { writing: false }));
});
