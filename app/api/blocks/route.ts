import { blockViews } from "@/lib/chat/context-view";
import { route, textIn } from "@/lib/server/route";

export const GET = route(async ({ owner, query }) => {
  return Response.json({ blocks: await blockViews(owner, textIn(query, "session") ?? null) });
});
