import { endpoint } from "@/app/api/endpoint";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/runs/:runId/stop",
  async ({ owner, services, params }) => {
    const run = await services.runner.require(owner, params);
    await services.runner.stop(owner, run.id);
    return { ok: true };
  },
);
