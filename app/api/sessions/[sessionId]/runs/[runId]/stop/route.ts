import { route } from "@/lib/server/route";
import { runOf } from "@/lib/server/run-of";

export const POST = route<{ sessionId: string; runId: string }>(
  async ({ owner, services, params }) => {
    const run = await runOf({ owner, runner: services.runner }, params);
    await services.runner.stop(owner, run.id);
    return Response.json({ ok: true });
  },
);
