import type { SummaryListener } from "@/lib/chat/open-session";
import type { CompactionEventWire, CompactionWire } from "@/lib/chat/wire/compaction";
import { errorInStream } from "./http-error";

/**
 * A summary while it is written, as server-sent events. Whoever reads may leave: the summary is written to its end all
 * the same, since other tabs and the next answer build on it.
 */
export function summaryStream(
  write: (listener: SummaryListener) => Promise<CompactionWire>,
): Response {
  const encoder = new TextEncoder();
  let hasReader = true;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: CompactionEventWire) => {
        if (hasReader) controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
      };
      try {
        const compaction = await write({
          onStart: () => send({ type: "started" }),
          onDelta: (text) => send({ type: "text", text }),
        });
        send({ type: "done", compaction });
      } catch (error) {
        send({ type: "failed", ...errorInStream(error) });
      }
      if (hasReader) controller.close();
    },
    cancel() {
      hasReader = false;
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    },
  });
}
