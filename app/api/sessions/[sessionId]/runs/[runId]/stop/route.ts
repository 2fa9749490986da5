import { route } from "@/lib/server/route";

export const POST = route<{ sessionId: string; runId: string }>(
  async ({ owner, services, params }) => {
    const run = await services.runner.require(owner, params);
    await services.runner.stop(owner, run.id);
    return Response.json({ ok: true });
  },
);
