import { UI_MESSAGE_STREAM_HEADERS } from "ai";

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
 * Server-sent events in the AI SDK's format, read as fast as the viewer takes them; leaving ends `values`. The SDK's own
 * response puts two more streams in between.
 */
export function eventsTo(viewer: Viewer, values: AsyncGenerator<unknown>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const send = (data: string) => controller.enqueue(encoder.encode(`data: ${data}\n\n`));
      try {
        const next = await values.next();
        if (!next.done) return send(JSON.stringify(next.value));
        viewer.leave();
        send("[DONE]");
        controller.close();
      } catch (error) {
        viewer.leave();
        throw error;
      }
    },
    async cancel() {
      viewer.leave();
      await values.return(undefined);
    },
  });
  return new Response(body, { headers: UI_MESSAGE_STREAM_HEADERS });
}

/** Next calls GET for HEAD and drops the body unread. A stream in it would wait for a reader until the server ends. */
export async function answerTo({ method }: Request, response: Response): Promise<Response> {
  if (method !== "HEAD") return response;
  await response.body?.cancel();
  return new Response(null, response);
}
