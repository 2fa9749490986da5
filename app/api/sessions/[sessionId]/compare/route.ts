import { compareBranches } from "@/lib/chat/branches/compare-branches";
import { numberIn, requiredIn, route } from "@/lib/server/route";

export const GET = route<{ sessionId: string }>(async ({ owner, params, query }) => {
  const asked = numberIn(query, "limit");
  const sides = {
    left: requiredIn(query, "left"),
    right: requiredIn(query, "right"),
    limit: asked === undefined ? undefined : Math.max(1, Math.trunc(asked)),
  };
  return Response.json(await compareBranches(owner, params.sessionId, sides));
});
