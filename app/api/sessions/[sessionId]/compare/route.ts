import { endpoint } from "@/app/api/endpoint";
import { compareBranches } from "@/lib/chat/branches/compare-branches";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/compare",
  ({ owner, params, query: { left, right, limit } }) =>
    compareBranches(owner, params.sessionId, {
      left,
      right,
      limit: limit === undefined ? undefined : Math.max(1, Math.trunc(limit)),
    }),
);
