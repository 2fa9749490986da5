import { createSession } from "@/lib/chat/sessions/create-session";
import { sessionWire } from "@/lib/chat/sessions/transcript";
import { createSessionRequest, type SessionPageWire } from "@/lib/chat/wire/sessions";
import { bodyOf, numberIn, route, textIn } from "@/lib/server/route";

export const GET = route(async ({ owner, query }) => {
  const [page, running] = await Promise.all([
    owner.store.sessions.list({
      archived: query.get("archived") === "1",
      tag: textIn(query, "tag"),
      cursor: textIn(query, "cursor"),
      limit: numberIn(query, "limit"),
    }),
    owner.runs.running(),
  ]);
  const writing = new Set(running.map((run) => run.sessionId));
  const answer: SessionPageWire = {
    sessions: page.sessions.map((info) => sessionWire(info, { writing: writing.has(info.id) })),
    nextCursor: page.nextCursor,
  };
  return Response.json(answer);
});

export const POST = route(async ({ owner, request }) => {
  const info = await createSession(owner, await bodyOf(request, createSessionRequest));
  return Response.json(sessionWire(info, { writing: false }), { status: 201 });
});
