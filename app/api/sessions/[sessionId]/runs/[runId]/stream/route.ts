import { createUIMessageStreamResponse } from "ai";
import { numberIn, route } from "@/lib/server/route";
import { streamOf } from "@/lib/server/stream-of";

export const GET = route<{ sessionId: string; runId: string }>(
  async ({ owner, services, params, query, request }) => {
    const run = await services.runner.require(owner, params);
    const after = Math.max(0, Math.trunc(numberIn(query, "after") ?? 0));
    const chunks = services.runner.follow(owner, {
      runId: run.id,
      after,
      signal: AbortSignal.any([request.signal, services.closing.signal]),
    });
    return createUIMessageStreamResponse({ stream: streamOf(chunks) });
  },
);
