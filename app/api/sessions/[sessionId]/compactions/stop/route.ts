import { requireSession } from "@/lib/chat/transcript";
import { route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, params, services }) => {
  const { sessionId } = params;
  await requireSession(owner, sessionId);
  const stopped = services.compactions.stop({ ownerId: owner.ownerId, sessionId });
  return Response.json({ stopped });
});
