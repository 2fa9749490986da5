import { endpoint } from "@/app/api/endpoint";
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

export const POST = endpoint("POST /api/sessions", async ({ owner, body, making }) =>
  sessionWire(await createSession(owner, { ...body, id: body.id ?? making.id })),
);
