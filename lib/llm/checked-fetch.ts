import { AsyncLocalStorage } from "node:async_hooks";
import type { ModelLimits } from "./model-limits";
import { ProviderFaultError } from "./provider-fault";
import { streamOf } from "./transform-stream";

export type Fetch = typeof globalThis.fetch;
type StreamLimits = Pick<ModelLimits, "firstByteMs" | "nextByteMs" | "maxBytes">;
type BodyReader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** Closing the body with an error would discard text not read yet. */
export interface StreamingCall {
  fault: unknown;
}

export const streamingCall = new AsyncLocalStorage<StreamingCall>();

/**
 * Ends a call whose provider is silent too long, exceeds `maxBytes`, or answers a stream with HTML. @throws
 * {ProviderFaultError}
 */
export function checkedFetch(fetch: Fetch, limits: StreamLimits): Fetch {
  return async (input, init = {}) => {
    const call = new AbortController();
    const { signal: caller } = init;
    const abort = () => call.abort(caller?.reason);
    if (caller?.aborted) abort();
    caller?.addEventListener("abort", abort, { once: true });
    const release = () => caller?.removeEventListener("abort", abort);
    try {
      const connection = new Connection(call, limits);
      const response = await connection.begin(fetch(input, { ...init, signal: call.signal }));
      if (!connection.reader) {
        release();
        return response;
      }
      const streaming = response.ok ? streamingCall.getStore() : undefined;
      if (streaming) connection.assertStream();
      let isOver = false;
      const end = (error?: unknown) => {
        release();
        // A reader that has read enough closes the connection, which makes its last read fail.
        if (isOver) return undefined;
        isOver = true;
        if (error === undefined || caller?.aborted || !streaming) return error;
        streaming.fault = error;
        return undefined;
      };
      return new Response(connection.body(end), response);
    } catch (error) {
      release();
      call.abort(error);
      throw error;
    }
  };
}

class Connection {
  reader: BodyReader | null = null;
  readonly #call: AbortController;
  readonly #limits: StreamLimits;
  #timer: NodeJS.Timeout | undefined;
  #isWaiting = false;
  #first: Uint8Array<ArrayBuffer> | undefined;
  #bytes = 0;

  constructor(call: AbortController, limits: StreamLimits) {
    this.#call = call;
    this.#limits = limits;
  }

  async begin(responding: Promise<Response>): Promise<Response> {
    this.#timer = this.#ending("silent", this.#limits.firstByteMs);
    this.#isWaiting = true;
    try {
      const response = await responding;
      this.reader = response.body?.getReader() ?? null;
      this.#first = (await this.reader?.read())?.value;
      this.#count(this.#first);
      return response;
    } finally {
      this.#stopWaiting();
    }
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWaiting = false;
  }

  assertStream(): void {
    if (!this.#first) {
      throw new ProviderFaultError(
        "no-body",
        "The provider sent an empty response. Try again or choose another model.",
      );
    }
    const start = new TextDecoder().decode(this.#first).trimStart();
    if (start.startsWith("<")) {
      throw new ProviderFaultError(
        "web-page",
        "The provider's address answers with a web page. Check its base URL in Settings → Models.",
      );
    }
  }

  body(end: (error?: unknown) => unknown): ReadableStream<Uint8Array<ArrayBuffer>> {
    const over = { done: true, value: undefined } as const;
    return streamOf<Uint8Array<ArrayBuffer>>({
      read: async () => {
        try {
          const value = await this.#next();
          if (value) return { done: false, value };
          this.#stopWaiting();
          end();
        } catch (error) {
          this.#stopWaiting();
          const fault = end(error);
          if (fault !== undefined) throw fault;
        }
        return over;
      },
      cancel: async (reason) => {
        this.#stopWaiting();
        end();
        this.#call.abort(reason);
      },
    });
  }

  async #next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const first = this.#first;
    this.#first = undefined;
    if (first) return first;
    // Another timer for each chunk would cost a tenth of it.
    if (this.#timer) this.#timer.refresh();
    else this.#timer = this.#ending("fell-silent", this.#limits.nextByteMs);
    this.#isWaiting = true;
    try {
      const chunk = (await this.reader?.read())?.value;
      this.#count(chunk);
      return chunk;
    } finally {
      this.#isWaiting = false;
    }
  }

  #ending(fault: "silent" | "fell-silent", ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.#isWaiting) this.#call.abort(silence(fault, ms));
    }, ms);
  }

  #count(chunk: Uint8Array | undefined): void {
    this.#bytes += chunk?.byteLength ?? 0;
    if (this.#bytes <= this.#limits.maxBytes) return;
    const megabytes = Math.round(this.#limits.maxBytes / 2 ** 20);
    const error = new ProviderFaultError(
      "too-long",
      `The provider sent more than ${megabytes} MB for one answer. Choose another model.`,
    );
    this.#call.abort(error);
    throw error;
  }
}

function silence(fault: "silent" | "fell-silent", ms: number): ProviderFaultError {
  const what = fault === "silent" ? "sent nothing" : "stopped sending";
  const message = `The provider ${what} for ${ms / 1_000} seconds. Try again or choose another model.`;
  return new ProviderFaultError(fault, message);
}
