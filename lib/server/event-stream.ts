import type { EventWire } from "@/lib/chat/wire/events";
import type { Viewer } from "./viewer";

const keepAliveMs = 15_000;

/** Periodic comments keep the connection open and detect a dead one. */
export function eventStream(
  subscribe: (send: (event: EventWire) => void) => () => void,
  viewer: Viewer,
): Response {
  const encoder = new TextEncoder();
  const { signal } = viewer;
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text));
      write(": connected\n\n");
      const unsubscribe = subscribe((event) => write(`data: ${JSON.stringify(event)}\n\n`));
      const timer = setInterval(() => write(": still here\n\n"), keepAliveMs);
      let isOver = false;
      end = () => {
        if (isOver) return;
        isOver = true;
        clearInterval(timer);
        unsubscribe();
        if (signal.aborted) controller.close();
        viewer.leave();
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    },
    cancel: () => end(),
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    },
  });
}
