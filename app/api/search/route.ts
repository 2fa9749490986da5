import { numberIn, route, textIn } from "@/lib/server/route";
import { searchEverything } from "@/lib/server/search-everything";

const maxLimit = 100;

export const GET = route(async ({ owner, services, query }) => {
  const limit = Math.min(maxLimit, Math.max(1, numberIn(query, "limit") ?? 20));
  const sessionId = textIn(query, "session") ?? null;
  return Response.json(
    await searchEverything(services, owner, { input: query.get("q") ?? "", sessionId, limit }),
  );
});
