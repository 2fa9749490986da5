import { endpoint } from "@/app/api/endpoint";
import { sessionWire } from "@/lib/chat/sessions/transcript";

export const POST = endpoint("POST /api/sessions/:sessionId/restore", async ({ owner, params }) =>
  sessionWire(await owner.store.sessions.restore(params.sessionId)),
);
