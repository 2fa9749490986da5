import { endpoint } from "@/app/api/endpoint";
import { choiceFor } from "@/lib/chat/answering/send-message";
import { createSession } from "@/lib/chat/sessions/open-session";
import { listSessions } from "@/lib/chat/sessions/session-detail";
import { sessionWire } from "@/lib/chat/sessions/transcript";
import { changeSessions } from "@/lib/server/changed-sessions";

export const GET = endpoint("GET /api/sessions", ({ owner, query: { own, program, ...query } }) =>
  listSessions(owner, { ...query, program: program ?? (own ? null : undefined) }),
);

export const PATCH = endpoint("PATCH /api/sessions", ({ body, ...context }) =>
  changeSessions(context, body.changes),
);

export const POST = endpoint("POST /api/sessions", async ({ answering, body, making }) => {
  const begun = { ...body, ...(await choiceFor(answering, body)), id: body.id ?? making.id };
  return sessionWire(await createSession(answering.owner, begun));
});
