import { createUIMessageStreamResponse } from "ai";
import { endpoint } from "@/app/api/endpoint";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/runs/:runId/stream",
  async ({ owner, services, params, query: { after }, request }) => {
    const run = await services.runner.require(owner, params);
    const signal = AbortSignal.any([request.signal, services.closing.signal]);
    const chunks = services.runner.follow(owner, { runId: run.id, after, signal });
    return createUIMessageStreamResponse({ stream: streamOf(chunks) });
  },
);

/** Turns a generator into a stream with backpressure; cancelling the stream ends the generator. */
function streamOf<Value>(values: AsyncGenerator<Value>): ReadableStream<Value> {
  return new ReadableStream<Value>({
    async pull(controller) {
      const next = await values.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await values.return(undefined);
    },
  });
}
