import { endpoint } from "@/app/api/endpoint";
import { searchEverything } from "@/lib/chat/sessions/search";

export const GET = endpoint("GET /api/search", ({ owner, request, query: { q, session, limit } }) =>
  searchEverything(owner, {
    input: q ?? "",
    sessionId: session ?? null,
    limit,
    signal: request.signal,
  }),
);
