import { compareBranches } from "@/lib/chat/compare-branches";
import { requiredIn, route } from "@/lib/server/route";

export const GET = route<{ sessionId: string }>(async ({ owner, params, query }) => {
  const sides = { left: requiredIn(query, "left"), right: requiredIn(query, "right") };
  return Response.json(await compareBranches(owner, params.sessionId, sides));
});
