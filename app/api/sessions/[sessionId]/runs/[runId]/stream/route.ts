import { createUIMessageStreamResponse } from "ai";
import { endpoint } from "@/app/api/endpoint";
import { streamOf } from "@/lib/server/stream-of";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/runs/:runId/stream",
  async ({ owner, services, params, query: { after }, request }) => {
    const run = await services.runner.require(owner, params);
    const signal = AbortSignal.any([request.signal, services.closing.signal]);
    const chunks = services.runner.follow(owner, { runId: run.id, after, signal });
    return createUIMessageStreamResponse({ stream: streamOf(chunks) });
  },
);
