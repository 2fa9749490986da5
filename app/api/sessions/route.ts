import { endpoint } from "@/app/api/endpoint";
import { createSession } from "@/lib/chat/sessions/open-session";
import { sessionWire } from "@/lib/chat/sessions/transcript";

export const GET = endpoint("GET /api/sessions", async ({ owner, query }) => {
  const [{ sessions, nextCursor }, running] = await Promise.all([
    owner.store.sessions.list(query),
    owner.runs.running(),
  ]);
  const writing = new Set(running.map((run) => run.sessionId));
  return {
    sessions: sessions.map((info) => sessionWire(info, { writing: writing.has(info.id) })),
    nextCursor,
  };
});

export const POST = endpoint("POST /api/sessions", async ({ owner, body }) =>
  sessionWire(await createSession(owner, body), { writing: false }),
);
