import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";

type Json = Readonly<Record<string, unknown>>;

export interface Asked {
  /** HTTP method. */
  readonly verb: string;
  /** MCP method; empty without a body. */
  readonly method: string;
  readonly path: string;
  readonly session: string | undefined;
  readonly params: Json;
  /** Requests of the same method before it. */
  readonly earlier: number;
}

/** Bytes of an HTTP response; `cut` closes the connection after them, `hang` keeps it open. */
export interface Bytes {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly end?: "cut" | "hang";
}

/** Writes messages as one response to a request. */
export type Wire = (messages: readonly unknown[]) => Bytes;

/** A server as odd as a real one is documented to be. What it leaves out is as the protocol says. */
export interface OddServer {
  readonly name: string;
  readonly version?: string;
  readonly wire?: Wire;
  /** Entries of its list, by page. Default: one tool, `go`. */
  readonly pages?: readonly (readonly unknown[])[];
  readonly isEndless?: boolean;
  readonly result?: (words: string) => unknown;
  /** Instead of a result. */
  readonly error?: (words: string) => unknown;
  /** Messages before the answer to a call. */
  readonly before?: (asked: Asked) => readonly unknown[];
  /** Answers a request before MCP sees it. */
  readonly refuse?: ((asked: Asked) => Bytes | null) | undefined;
  /** Speaks the transport of 2024-11-05: a stream that names where to post. */
  readonly isOld?: boolean;
  readonly expects?: Expected;
}

export interface Expected {
  /** Names in the list. Default: `go`. */
  readonly tools?: readonly string[];
  /** Number of entries that are named as left out. */
  readonly leftOut?: number;
  /** A sentence in place of a list. */
  readonly problem?: RegExp;
  /** A sentence in place of the words. */
  readonly sentence?: RegExp;
  /** Each try takes as long as a timeout, so it is part of the drill alone. */
  readonly isSlow?: boolean;
}

export const plainTool = { name: "go", description: "Goes.", inputSchema: { type: "object" } };

export const asStream: Wire = (messages) => ({
  headers: { "content-type": "text/event-stream" },
  body: messages.map((each) => `event: message\ndata: ${JSON.stringify(each)}\n\n`).join(""),
});

export interface RunningServer {
  readonly url: string;
  readonly calls: Asked[];
  /** Resolves once a call has come. */
  readonly called: Promise<void>;
  /** Forgets every session, as a restart does. */
  endSessions(): void;
  close(): Promise<void>;
}

/** @param change is given each result before it is sent. */
export async function startOddServer(
  odd: OddServer,
  words: string,
  change: (result: unknown) => unknown = (result) => result,
): Promise<RunningServer> {
  const calls: Asked[] = [];
  const counts = new Map<string, number>();
  const { promise: called, resolve: onCall } = Promise.withResolvers<void>();
  let stream: ServerResponse | null = null;
  let session = "session-1";
  const wire = odd.wire ?? asStream;

  const http = createServer(async (request, response) => {
    const body = await textOf(request).catch(() => "");
    const message = (body === "" ? {} : JSON.parse(body)) as Json;
    const asked = askedOf(request, message, counts);
    if (asked.method === "tools/call") {
      calls.push(asked);
      onCall();
    }
    const refused = odd.refuse?.(asked);
    if (refused) return send(response, refused);
    if (odd.isOld) return old(asked, message, response);
    if (request.method !== "POST") return send(response, { status: 405 });
    const isNew = asked.method === "initialize" || asked.method === "server/discover";
    if (!isNew && asked.session !== session) return send(response, noSession);
    if (message.id === undefined) return send(response, { status: 202 });
    const answers = answersTo(asked, message.id);
    send(response, { ...wire(answers), ...(isNew && { session }) });
  }).listen(0, "127.0.0.1");

  function old(asked: Asked, message: Json, response: ServerResponse) {
    if (asked.verb === "GET") {
      stream = response;
      response.writeHead(200, { "content-type": "text/event-stream" });
      return void response.write("event: endpoint\ndata: /messages?sessionId=1\n\n");
    }
    if (asked.path !== "/messages") return send(response, { status: 405, body: "Not Allowed" });
    send(response, { status: 202, body: "Accepted" });
    if (message.id !== undefined) stream?.write(asStream(answersTo(asked, message.id)).body);
  }

  function answersTo(asked: Asked, id: unknown): unknown[] {
    const answer = (fields: object) => ({ jsonrpc: "2.0", id, ...fields });
    const { version = "2025-06-18", pages = [[plainTool]] } = odd;
    const none = { error: { code: -32601, message: "Method not found" } };
    switch (asked.method) {
      case "initialize": {
        const serverInfo = { name: "odd", version: "1" };
        const capabilities = { tools: { listChanged: true } };
        return [answer({ result: { protocolVersion: version, capabilities, serverInfo } })];
      }
      case "ping":
        return [answer({ result: {} })];
      case "tools/list": {
        const at = Number(asked.params.cursor ?? 0);
        const next = odd.isEndless || at + 1 < pages.length ? String(at + 1) : undefined;
        const tools = pages[at] ?? [];
        return [answer({ result: change({ tools, ...(next && { nextCursor: next }) }) })];
      }
      case "tools/call": {
        const { result = (said) => ({ content: [{ type: "text", text: said }] }) } = odd;
        const ended = odd.error ? { error: odd.error(words) } : { result: change(result(words)) };
        return [...(odd.before?.(asked) ?? []), answer(ended)];
      }
      default:
        return [answer(none)];
    }
  }

  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    calls,
    called,
    endSessions: () => {
      session += "-next";
    },
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

const noSession: Bytes = {
  status: 404,
  headers: { "content-type": "application/json" },
  body: '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
};

function askedOf(request: IncomingMessage, message: Json, counts: Map<string, number>): Asked {
  const method = typeof message.method === "string" ? message.method : "";
  const earlier = counts.get(method) ?? 0;
  counts.set(method, earlier + 1);
  return {
    verb: request.method ?? "",
    method,
    path: request.url?.split("?")[0] ?? "",
    session: request.headers["mcp-session-id"]?.toString(),
    params: Object(message.params) as Json,
    earlier,
  };
}

function send(response: ServerResponse, bytes: Bytes & { readonly session?: string }): void {
  const { status = 200, headers = {}, body = "", end, session } = bytes;
  response.writeHead(status, { ...headers, ...(session && { "mcp-session-id": session }) });
  if (end === undefined) return void response.end(body);
  response.write(body === "" ? ":\n\n" : body, () => {
    if (end === "cut") response.destroy();
  });
}
