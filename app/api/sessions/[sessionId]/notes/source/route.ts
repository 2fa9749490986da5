import { endpoint } from "@/app/api/endpoint";
import { noteSource } from "@/lib/chat/branches/notes";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/notes/source",
  ({ owner, params, query: { from, to = null } }) =>
    noteSource(owner, params.sessionId, { from, to }),
);
