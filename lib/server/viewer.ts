import { UI_MESSAGE_STREAM_HEADERS } from "ai";
import { logFailure } from "./log";

/** One reader of a response: leaves when one of `sources` aborts, which may live as long as the server. */
export class Viewer {
  readonly #leaving = new AbortController();
  readonly #sources: readonly AbortSignal[];
  readonly #leave = () => this.leave();

  constructor(sources: readonly AbortSignal[]) {
    this.#sources = sources;
    for (const source of sources) source.addEventListener("abort", this.#leave);
    if (sources.some(({ aborted }) => aborted)) this.leave();
  }

  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Removes its listeners; `AbortSignal.any` would keep them until a source aborts. */
  leave(): void {
    for (const source of this.#sources) source.removeEventListener("abort", this.#leave);
    this.#leaving.abort();
  }
}

/**
 * Server-sent events in the AI SDK's format, read as fast as the viewer takes them; leaving ends `batches`. The SDK's
 * own response puts two more streams in between.
 */
export function eventsTo(viewer: Viewer, batches: AsyncGenerator<readonly unknown[]>): Response {
  const body = eventBody(batches, {
    end: "[DONE]",
    onEnd: () => viewer.leave(),
    lineOf: (value) => `data: ${JSON.stringify(value)}\n\n`,
  });
  return new Response(body, { headers: UI_MESSAGE_STREAM_HEADERS });
}

/** Values that are there together are one piece of the response. */
export function eventBody<Value>(
  batches: AsyncGenerator<readonly Value[]>,
  {
    end,
    onEnd,
    lineOf,
  }: { end?: string | undefined; onEnd?: () => void; lineOf: (value: Value) => string },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      try {
        let next = await batches.next();
        while (!next.done && next.value.length === 0) next = await batches.next();
        if (!next.done) return send(next.value.map(lineOf).join(""));
        onEnd?.();
        if (end !== undefined) send(`data: ${end}\n\n`);
        controller.close();
      } catch (error) {
        onEnd?.();
        throw error;
      }
    },
    async cancel() {
      onEnd?.();
      await batches.return(undefined);
    },
  });
}

/**
 * Next drops the body unread of a HEAD request, which it answers with GET, and of one whose client has gone. A stream in
 * it would hold what it reads from, such as a connection to the database, until the server ends.
 */
export async function answerTo(request: Request, response: Response): Promise<Response> {
  const { body } = response;
  if (request.method === "HEAD" || request.signal.aborted) {
    await body?.cancel();
    return new Response(null, response);
  }
  const onGone = () => {
    if (body && !body.locked)
      body.cancel().catch((error) => logFailure("Ending a response", error));
  };
  if (body) request.signal.addEventListener("abort", onGone, { once: true });
  return response;
}
