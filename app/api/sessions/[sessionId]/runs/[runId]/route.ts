import { endpoint } from "@/app/api/endpoint";

/** Dismisses a failed summary; answers and runs in progress stay. */
export const DELETE = endpoint(
  "DELETE /api/sessions/:sessionId/runs/:runId",
  async ({ owner, services: { runner }, params }) => {
    await runner.dismissSummary(owner, await runner.require(owner, params));
    return { ok: true };
  },
);
