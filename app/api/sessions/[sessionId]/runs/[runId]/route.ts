import { route } from "@/lib/server/route";

/** Dismisses a failed summary; answers and runs in progress stay. */
export const DELETE = route<{ sessionId: string; runId: string }>(
  async ({ owner, services, params }) => {
    const { runner } = services;
    await runner.dismissSummary(owner, await runner.require(owner, params));
    return Response.json({ ok: true });
  },
);
