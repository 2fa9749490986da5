import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** Sends the body of a pull, and holds the connection until it returns. */
export type PullScript = (answer: {
  readonly response: ServerResponse;
  readonly send: (...lines: readonly unknown[]) => void;
  /** Resolves once the caller has gone. */
  readonly gone: Promise<void>;
}) => Promise<void> | void;

export interface OllamaStandIn {
  readonly baseUrl: string;
  readonly models: string[];
  readonly pulls: { readonly body: unknown; readonly authorization: string | undefined }[];
  pull: PullScript;
  close(): Promise<void>;
}

/** Speaks Ollama's documented dialect. @see https://github.com/ollama/ollama/blob/main/docs/api.md */
export async function startOllama(pull: PullScript): Promise<OllamaStandIn> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const standIn: OllamaStandIn = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    models: [],
    pulls: [],
    pull,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const give = (body: unknown) => response.end(JSON.stringify(body));
    const { models } = standIn;
    switch (`${request.method} ${request.url}`) {
      case "GET /api/version":
        return give({ version: "0.12.3" });
      case "GET /api/ps":
        return give({ models: [] });
      case "GET /v1/models": {
        const data = models.map((id) => ({ id, object: "model", owned_by: "library" }));
        return give({ object: "list", data: data.length === 0 ? null : data });
      }
      case "POST /api/pull": {
        standIn.pulls.push({
          body: await json(request),
          authorization: request.headers.authorization,
        });
        const gone = once(response, "close").then(() => undefined);
        const send = (...lines: readonly unknown[]) =>
          void response.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
        response.setHeader("content-type", "application/x-ndjson");
        await standIn.pull({ response, send, gone });
        return response.end();
      }
      default:
        response.statusCode = 404;
        return response.end("404 page not found");
    }
  }

  return standIn;
}

export const pulledLines = [
  { status: "pulling manifest" },
  { status: "pulling dde5aa3fc5ff", digest: "sha256:dde5", total: 2_000_000_000 },
  { status: "pulling dde5aa3fc5ff", digest: "sha256:dde5", total: 2_000_000_000, completed: 5e8 },
  { status: "pulling 966de95ca8a6", digest: "sha256:966d", total: 1_000, completed: 1_000 },
  { status: "verifying sha256 digest" },
  { status: "writing manifest" },
  { status: "success" },
] as const;
