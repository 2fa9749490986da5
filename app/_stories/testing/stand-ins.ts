import type { DocumentNetwork } from "./network";

/** Gives the page its server: `fetch` at its own address, event streams and uploads. Returns what undoes it. */
export function connect(network: DocumentNetwork): () => void {
  const { fetch, EventSource, XMLHttpRequest } = globalThis;
  const own = {
    fetch: (input: RequestInfo | URL, init?: RequestInit) =>
      typeof input === "string" && input.startsWith("/")
        ? network.send(input, init)
        : fetch(input, init),
    EventSource: eventSourceOf(network),
    XMLHttpRequest: requestOf(network),
  };
  Object.assign(globalThis, own);
  return () => Object.assign(globalThis, { fetch, EventSource, XMLHttpRequest });
}

function eventSourceOf(network: DocumentNetwork) {
  return class EventSource {
    static readonly CLOSED = 2;
    readyState = 0;
    onopen: (() => void) | null = null;
    onmessage: ((message: { data: string }) => void) | null = null;
    onerror: (() => void) | null = null;
    readonly #leaving = new AbortController();

    constructor(path: string) {
      this.#read(path)
        .catch(() => undefined)
        .finally(() => {
          if (this.#leaving.signal.aborted) return;
          this.readyState = 2;
          this.onerror?.();
        });
    }

    close() {
      this.readyState = 2;
      this.#leaving.abort();
    }

    async #read(path: string) {
      const response = await network.send(path, { signal: this.#leaving.signal });
      if (!response.ok || !response.body) return;
      this.readyState = 1;
      this.onopen?.();
      let text = "";
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        const events = (text + piece).split("\n\n");
        text = events.pop() ?? "";
        for (const event of events)
          if (event.startsWith("data: ")) this.onmessage?.({ data: event.slice("data: ".length) });
      }
    }
  };
}

function requestOf(network: DocumentNetwork) {
  return class XMLHttpRequest {
    status = 0;
    responseText = "";
    upload: { onprogress: ((progress: { loaded: number; total: number }) => void) | null } = {
      onprogress: null,
    };
    onload: (() => void) | null = null;
    onerror: (() => void) | null = null;
    onabort: (() => void) | null = null;
    readonly #headers = new Headers();
    readonly #leaving = new AbortController();
    #method = "GET";
    #path = "";

    open(method: string, path: string) {
      this.#method = method;
      this.#path = path;
    }

    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value);
    }

    abort() {
      this.#leaving.abort();
      this.onabort?.();
    }

    send(body: Blob) {
      this.#send(body).then(
        () => this.onload?.(),
        () => this.#leaving.signal.aborted || this.onerror?.(),
      );
    }

    async #send(body: Blob) {
      this.upload.onprogress?.({ loaded: body.size, total: body.size });
      const init = { method: this.#method, headers: this.#headers, body };
      const response = await network.send(this.#path, { ...init, signal: this.#leaving.signal });
      this.responseText = await response.text();
      this.status = response.status;
    }
  };
}
