import { endpoint } from "@/app/api/endpoint";

export const DELETE = endpoint(
  "DELETE /api/sessions/:sessionId/runs/:runId",
  async ({ owner, services: { runner }, params }) => {
    await runner.dismissSummary(owner, await runner.require(owner, params));
    return { ok: true };
  },
);
