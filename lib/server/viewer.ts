import { UI_MESSAGE_STREAM_HEADERS } from "ai";
import { logFailure } from "./log";

/** `sources` may live as long as the server. */
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

  /** `AbortSignal.any` would keep its listeners until a source aborts. */
  leave(): void {
    for (const source of this.#sources) source.removeEventListener("abort", this.#leave);
    this.#leaving.abort();
  }
}

const requests = new WeakMap<AbortSignal, Request>();

/**
 * A request follows the signal it is made with by a weak reference: one collected while its answer streams would never
 * say that the caller has gone.
 */
export function heldBySignal(request: Request): Request {
  requests.set(request.signal, request);
  return request;
}

/** The SDK's own response puts two more streams in between. */
export function eventsTo(viewer: Viewer, batches: AsyncGenerator<readonly unknown[]>): Response {
  const body = eventBody(batches, {
    end: "[DONE]",
    onEnd: () => viewer.leave(),
    lineOf: (value) => `data: ${JSON.stringify(value)}\n\n`,
  });
  return new Response(body, { headers: UI_MESSAGE_STREAM_HEADERS });
}

/** Proxies and clients close connections that are silent for half a minute or so. */
const usualQuietMs = 15_000;

export function eventBody<Value>(
  batches: AsyncGenerator<readonly Value[]>,
  {
    end,
    onEnd,
    lineOf,
    quietMs = usualQuietMs,
  }: {
    end?: string | undefined;
    onEnd?: () => void;
    lineOf: (value: Value) => string;
    quietMs?: number;
  },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let coming: Promise<IteratorResult<readonly Value[]>> | null = null;
  const nextOrQuiet = async () => {
    coming ??= batches.next();
    const next = await within(coming, quietMs);
    if (next) coming = null;
    return next;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      try {
        let next = await nextOrQuiet();
        while (next && !next.done && next.value.length === 0) next = await nextOrQuiet();
        if (!next) return send(": waiting\n\n");
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

async function within<Result>(work: Promise<Result>, ms: number): Promise<Result | null> {
  const waited = Promise.withResolvers<null>();
  const timer = setTimeout(() => waited.resolve(null), ms);
  try {
    return await Promise.race([work, waited.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Next drops the body unread of a HEAD request, and of one whose client has gone; a stream in it would hold its source.
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
