import { messagesOf, transcript } from "@/lib/chat/sessions/transcript";
import { numberIn, route, textIn } from "@/lib/server/route";

const maxLimit = 500;

export const GET = route<{ sessionId: string }>(async ({ owner, params, query }) => {
  const under = textIn(query, "under");
  const leafId = under
    ? await (await messagesOf(owner, params.sessionId)).getLeafUnder(under)
    : textIn(query, "leaf");
  const limit = numberIn(query, "limit") ?? 50;
  return Response.json(
    await transcript(owner, params.sessionId, {
      leafId,
      limit: Math.min(maxLimit, Math.max(1, Math.trunc(limit))),
      beforePosition: numberIn(query, "before"),
      afterPosition: numberIn(query, "after"),
      overlays: query.get("overlays") !== "0",
    }),
  );
});
