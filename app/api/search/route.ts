import { searchEverything } from "@/lib/chat/sessions/search";
import { numberIn, route, textIn } from "@/lib/server/route";

const maxLimit = 100;

export const GET = route(async ({ owner, query }) => {
  const limit = Math.min(maxLimit, Math.max(1, numberIn(query, "limit") ?? 20));
  const sessionId = textIn(query, "session") ?? null;
  return Response.json(
    await searchEverything(owner, { input: query.get("q") ?? "", sessionId, limit }),
  );
});
