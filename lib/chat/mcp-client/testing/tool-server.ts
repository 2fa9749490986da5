import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import {
  createMcpHandler,
  type InputRequest,
  inputRequired,
  McpServer,
} from "@modelcontextprotocol/server";
import { z } from "zod";

interface Answer {
  readonly content: readonly Record<string, unknown>[];
  readonly isError?: boolean;
}

export interface ToolServerOptions {
  readonly name?: string;
  readonly title?: string;
  readonly description?: () => string;
  readonly answer?: (input: { city: string }, call: ToolServerCall) => Answer | Promise<Answer>;
  /** Asked of the person before it answers. */
  readonly question?: () => InputRequest;
  /** Refuses a request before MCP sees it. */
  readonly refuse?: (request: Request) => Response | null;
}

export interface ToolServerCall {
  readonly signal: AbortSignal;
  readonly report: (progress: {
    progress: number;
    total?: number;
    message?: string;
  }) => Promise<void>;
}

export interface FetchServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface ToolServer extends FetchServer {
  /** Inputs of calls, and answers of persons. */
  readonly calls: unknown[];
  readonly requests: Request[];
}

/** A server built with the official SDK, over HTTP on this machine. */
export async function startToolServer(options: ToolServerOptions = {}): Promise<ToolServer> {
  const calls: unknown[] = [];
  const requests: Request[] = [];
  const handler = createMcpHandler(() => toolServer(options, calls));
  const server = await serveFetch(async (request) => {
    requests.push(request.clone());
    return options.refuse?.(request) ?? (await handler.fetch(request));
  });
  return { ...server, calls, requests };
}

/** Serves MCP over HTTP on this machine. */
export async function serveFetch(
  answer: (request: Request) => Promise<Response>,
): Promise<FetchServer> {
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    const response = await answer(requestOf(incoming, gone.signal));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (!response.body) return outgoing.end();
    Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
      .on("error", () => outgoing.destroy())
      .pipe(outgoing);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}

export function toolServer(options: ToolServerOptions, calls: unknown[]): McpServer {
  const { name = "weather", title = "Weather", description = () => "Tells the weather." } = options;
  const { answer = ({ city }) => ({ content: [{ type: "text", text: `Sunny in ${city}` }] }) } =
    options;
  const server = new McpServer({ name: "station", version: "1" }, { capabilities: { tools: {} } });
  server.registerTool(
    name,
    { title, description: description(), inputSchema: z.object({ city: z.string() }) },
    async (input, context) => {
      const { inputResponses } = context.mcpReq;
      if (options.question && !inputResponses?.asked)
        return inputRequired({ inputRequests: { asked: options.question() } });
      calls.push(inputResponses?.asked ?? input);
      const token = context.mcpReq._meta?.progressToken;
      const report: ToolServerCall["report"] = async (progress) => {
        if (token === undefined) return;
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { ...progress, progressToken: token },
        });
      };
      const answered = await answer(input, { signal: context.mcpReq.signal, report });
      return answered as { content: { type: "text"; text: string }[] };
    },
  );
  return server;
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`http://${headers.host}${url}`, {
    method,
    signal,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as [string, string]] : [],
    ),
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
  } as RequestInit);
}
