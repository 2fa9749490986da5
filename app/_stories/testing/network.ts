import { serve } from "./server";

interface Answer {
  readonly status?: number;
  readonly json?: unknown;
  readonly body?: string;
  readonly contentType?: string;
}

export interface HeldRequest {
  method(): string;
  url(): string;
  postData(): string | null;
}

/** An answer as the page gets it. */
export interface SeenResponse {
  status(): number;
  url(): string;
  headers(): Record<string, string>;
  text(): Promise<string>;
  json<T>(): Promise<T>;
}

/** A request that a story holds. */
export interface Route {
  request(): HeldRequest;
  continue(): Promise<void>;
  fallback(): Promise<void>;
  /** Lets it reach the server, whose answer the story has alone. */
  fetch(): Promise<void>;
  abort(): Promise<void>;
  fulfill(answer: Answer): Promise<void>;
}

type Pattern = string | RegExp;
type Handler = (route: Route) => unknown;

interface Held {
  readonly pattern: Pattern;
  readonly handler: Handler;
}
type Listener = (request: HeldRequest, response: SeenResponse) => void;
type RequestListener = (request: HeldRequest) => void;

/** Everything between the documents of a page and their server. */
export class Network {
  readonly owner: string;
  readonly #listeners = new Set<Listener>();
  readonly #requestListeners = new Set<RequestListener>();
  readonly #underWay = new Set<Promise<Response>>();
  #routes: readonly Held[] = [];

  constructor(owner: string) {
    this.owner = owner;
  }

  route(pattern: Pattern, handler: Handler): void {
    this.#routes = [{ pattern, handler }, ...this.#routes];
  }

  unroute(pattern: Pattern): void {
    this.#routes = this.#routes.filter((route) => route.pattern !== pattern);
  }

  onResponse(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onRequest(listener: RequestListener): () => void {
    this.#requestListeners.add(listener);
    return () => this.#requestListeners.delete(listener);
  }

  /** Waits until the server has answered everything that was asked. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  async send(url: string, init: RequestInit): Promise<Response> {
    const held = heldRequest(url, init);
    for (const listener of this.#requestListeners) listener(held);
    const routes = this.#routes.filter(({ pattern }) => matches(pattern, url));
    const response = await this.#answer(routes, held, init);
    for (const listener of this.#listeners) listener(held, seenResponse(url, response));
    return response;
  }

  async #answer(
    [route, ...others]: readonly Held[],
    held: HeldRequest,
    init: RequestInit,
  ): Promise<Response> {
    if (!route) return this.#serve(new Request(held.url(), init));
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const pass = async (rest: readonly Held[]) =>
      this.#answer(rest, held, init).then(resolve, reject);
    await route.handler({
      request: () => held,
      continue: () => pass([]),
      fallback: () => pass(others),
      fetch: async () => void (await this.#answer([], held, init)),
      abort: async () => reject(new TypeError("Failed to fetch")),
      fulfill: async (answer) => resolve(responseOf(answer)),
    });
    return promise;
  }

  async #serve(request: Request): Promise<Response> {
    const answer = serve(request, this.owner);
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }
}

/** The network as one document has it: once it is left, its scripts ask nothing more and get no answers. */
export class DocumentNetwork {
  readonly #network: Network;
  readonly #tabId: string;
  readonly #leaving = new AbortController();

  constructor(network: Network, tabId: string) {
    this.#network = network;
    this.#tabId = tabId;
  }

  leave(): void {
    this.#leaving.abort();
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const left = this.#leaving.signal;
    // Timers of a document that is left run on in this process.
    const tabId = new Headers(init.headers).get("x-grove-tab") ?? this.#tabId;
    if (left.aborted || tabId !== this.#tabId) return new Promise(() => undefined);
    const url = new URL(path, location.href).href;
    const outlives = init.keepalive === true;
    const signals = [...(outlives ? [] : [left]), ...(init.signal ? [init.signal] : [])];
    const signal = AbortSignal.any(signals);
    const answer = this.#network.send(url, { ...init, signal });
    const response = await unlessLeft(untilAborted(answer, init.signal), left);
    return whileReading(response, { left, signal: init.signal });
  }
}

function heldRequest(url: string, { method = "GET", body }: RequestInit): HeldRequest {
  return {
    url: () => url,
    method: () => method,
    postData: () => (typeof body === "string" ? body : null),
  };
}

function responseOf({ status = 200, json, body, contentType }: Answer): Response {
  const headers = {
    "content-type": contentType ?? (json === undefined ? "text/plain" : "application/json"),
  };
  return new Response(json === undefined ? (body ?? "") : JSON.stringify(json), {
    status,
    headers,
  });
}

/** Read apart from the page, which may leave a stream. */
function seenResponse(url: string, response: Response): SeenResponse {
  const headers = Object.fromEntries(response.headers);
  const isStream = headers["content-type"]?.startsWith("text/event-stream");
  const copy = isStream ? null : response.clone();
  return {
    status: () => response.status,
    url: () => url,
    headers: () => headers,
    text: async () => copy?.text() ?? "",
    json: async () => copy?.json(),
  };
}

/** Patterns are read the way Playwright does: `**` is anything, `*` anything but a slash. */
export function matches(pattern: Pattern, url: string): boolean {
  if (pattern instanceof RegExp) return pattern.test(url);
  const source = pattern
    .replace(/[.+^${}()|[\]\\?]/g, "\\$&")
    .replace(/\*+/g, (stars) => (stars.length > 1 ? ".*" : "[^/]*"));
  return new RegExp(`^${source}$`).test(url);
}

async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | null | undefined,
): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([promise, aborted]).finally(() => {
    signal.removeEventListener("abort", onAbort);
  });
}

/** Never settles once `left`: scripts do not see that their document is left. */
function unlessLeft<T>(promise: Promise<T>, left: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    promise.then(
      (value) => left.aborted || resolve(value),
      (error: unknown) => left.aborted || reject(error),
    );
  });
}

/** Leaving an answer ends it, as over a connection. */
function whileReading(
  response: Response,
  { left, signal }: { left: AbortSignal; signal: AbortSignal | null | undefined },
): Response {
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  const end = AbortSignal.any([left, ...(signal ? [signal] : [])]);
  const reader = response.body.pipeThrough(new TransformStream(), { signal: end }).getReader();
  const pull = async (page: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await unlessLeft(reader.read(), left);
    if (done) page.close();
    else page.enqueue(value);
  };
  const cancel = (reason: unknown) => reader.cancel(reason);
  const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
  return new Response(body, { status, statusText, headers });
}
