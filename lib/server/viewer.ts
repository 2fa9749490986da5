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

/** Reads `values` as fast as the viewer takes them; ends them when the viewer leaves. */
export function streamTo<Value>(
  viewer: Viewer,
  values: AsyncGenerator<Value>,
): ReadableStream<Value> {
  return new ReadableStream<Value>({
    async pull(controller) {
      try {
        const next = await values.next();
        if (!next.done) return controller.enqueue(next.value);
        viewer.leave();
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
}

/** Next calls GET for HEAD and drops the body unread. A stream in it would wait for a reader until the server ends. */
export async function answerTo({ method }: Request, response: Response): Promise<Response> {
  if (method !== "HEAD") return response;
  await response.body?.cancel();
  return new Response(null, response);
}
