import { route } from "@/lib/server/route";

/** Dismisses a failed summary; answers and runs in progress stay. */
export const DELETE = route<{ sessionId: string; runId: string }>(
  async ({ owner, services, params }) => {
    const { id, sessionId } = await services.runner.require(owner, params);
    const isForgotten = await owner.runs.forgetSummary(id);
    if (isForgotten) services.tell(owner.ownerId, { type: "session-changed", sessionId });
    return Response.json({ ok: true });
  },
);
