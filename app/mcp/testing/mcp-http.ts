import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { DELETE, GET, POST } from "@/app/mcp/route";

const handlers = new Map(Object.entries({ DELETE, GET, POST }));

export interface McpHttp {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the route over HTTP, as Next does. */
export async function serveMcp(): Promise<McpHttp> {
  const server = createServer(async (incoming, outgoing) => {
    const handle = handlers.get(incoming.method ?? "");
    if (!handle) return outgoing.writeHead(405).end();
    const response = await handle(requestOf(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (!response.body) return outgoing.end();
    await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The server has no port.");
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}/mcp`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function requestOf(incoming: IncomingMessage): Request {
  const { method = "GET", headers, url = "/" } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(hasBody && { body: Readable.toWeb(incoming) as never, duplex: "half" }),
  });
}

export const eras = { "2025": "legacy", "2026": { pin: "2026-07-28" } } as const;

/** The official client. */
export async function connectedClient(
  url: string,
  secret: string,
  mode: (typeof eras)[keyof typeof eras] = eras["2025"],
): Promise<Client> {
  const headers = { Authorization: `Bearer ${secret}` };
  const client = new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return client;
}
