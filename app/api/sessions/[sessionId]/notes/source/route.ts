import { noteSource } from "@/lib/chat/branches/notes";
import { requiredIn, route, textIn } from "@/lib/server/route";

export const GET = route<{ sessionId: string }>(async ({ owner, params, query }) => {
  const places = { from: requiredIn(query, "from"), to: textIn(query, "to") ?? null };
  return Response.json(await noteSource(owner, params.sessionId, places));
});
