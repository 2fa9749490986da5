import { McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type FetchServer, serveFetch } from "./tool-server";

export interface StatefulServer extends FetchServer {
  /** Ids of sessions in the order in which they began. */
  readonly begun: readonly string[];
  /** Resolves once the client has ended this many sessions; gives their ids. */
  ended(count: number): Promise<readonly string[]>;
  /** The server forgets them when it restarts. */
  forgetSessions(): void;
  /** Forgets the session of the next call only when the call comes. */
  forgetAtNextCall(): void;
}

/** Counts the calls of each session, as a server with a page of a browser keeps it open. */
export async function startStatefulServer(): Promise<StatefulServer> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const begun: string[] = [];
  const ended: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let forgetsAtCall = false;

  const begin = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        begun.push(id);
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
        ended.push(id);
        for (const { count, resolve } of waiting) if (ended.length >= count) resolve();
      },
    });
    await countingServer().connect(transport);
    return transport;
  };

  const server = await serveFetch(async (request) => {
    const id = request.headers.get("mcp-session-id");
    const isCall = (await request.clone().text()).includes('"tools/call"');
    if (isCall && forgetsAtCall) {
      forgetsAtCall = false;
      sessions.clear();
    }
    const known = id === null ? null : sessions.get(id);
    if (known === undefined) return new Response("Session not found", { status: 404 });
    return (known ?? (await begin())).handleRequest(request);
  });
  return {
    ...server,
    begun,
    ended: async (count) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (ended.length >= count) resolve();
      else waiting.push({ count, resolve });
      await promise;
      return [...ended];
    },
    forgetSessions: () => sessions.clear(),
    forgetAtNextCall: () => {
      forgetsAtCall = true;
    },
  };
}

function countingServer(): McpServer {
  const server = new McpServer({ name: "browser", version: "1" }, { capabilities: { tools: {} } });
  let calls = 0;
  server.registerTool(
    "weather",
    {
      title: "Weather",
      description: "Counts its calls.",
      inputSchema: z.object({ city: z.string() }),
    },
    ({ city }) => {
      calls += 1;
      return { content: [{ type: "text", text: `${city} is call ${calls} of this session` }] };
    },
  );
  return server;
}
