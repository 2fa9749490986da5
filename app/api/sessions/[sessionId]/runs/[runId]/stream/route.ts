import { endpoint } from "@/app/api/endpoint";
import { leavingOf } from "@/lib/server/route";
import { eventsTo, Viewer } from "@/lib/server/viewer";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/runs/:runId/stream",
  async ({ owner, services, params, query: { after, part }, request, identity }) => {
    const run = await services.runner.require(owner, params);
    const viewer = new Viewer([
      request.signal,
      services.closing.signal,
      ...leavingOf({ services, identity, owner }),
    ]);
    const { signal } = viewer;
    const place = { runId: run.id, part, after, signal };
    return eventsTo(viewer, services.runner.followBatches(owner, place));
  },
);
