import "server-only";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { ConnectedClient } from "@/lib/chat/mcp-server/connected-client";
import { mcpServerFor } from "@/lib/chat/mcp-server/mcp-server";
import { scopesOf } from "@/lib/chat/programs/keys";
import type { ProgramError } from "@/lib/chat/programs/program-error";
import { factsOf, guardOrigin, ownSite } from "./guard";
import { failureOf } from "./http-error";
import { keyOfRequest, placeOfKey } from "./program-route";
import { type Services, services } from "./services";
import { answerTo, heldBySignal } from "./viewer";

const maxRequestBodySize = 1_000_000;
const requestsPerMinute = 600;

/**
 * Reads no cookie. Nothing is kept between requests, so any app server can take the next.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export async function mcpRoute(request: Request): Promise<Response> {
  try {
    heldBySignal(request);
    const decision = guardOrigin(factsOf(request), ownSite());
    if (decision !== "allow") return refuse(decision.status, decision.code, decision.message);
    const shared = services();
    const found = await keyOfRequest(shared, request.headers);
    const client = await clientOf(shared, found);
    if (client.scopes.length === 0) {
      const message = `The key “${client.name}” may not use MCP. Settings, API keys makes one that may.`;
      return refuse(403, "insufficient_scope", message);
    }
    if (!rate.allows(found.key.id)) {
      return refuse(429, "too_many_requests", "Too many requests. Try again in a minute.");
    }
    const handler = createMcpHandler(
      () => mcpServerFor(client, shared.installation.version),
      // Lists change seldom, and a stream held open would outlive its key.
      { maxRequestBodySize, maxSubscriptions: 0 },
    );
    return await answerTo(request, await handler.fetch(request));
  } catch (error) {
    if (request.signal.aborted) return new Response(null, { status: 499 });
    if (isInvalidKey(error)) return refuse(401, "invalid_token", error.message);
    const { status, message } = failureOf(error);
    return refuse(status, "server_error", message);
  }
}

async function clientOf(
  shared: Services,
  found: Awaited<ReturnType<typeof keyOfRequest>>,
): Promise<ConnectedClient> {
  const { key } = found;
  const { mcp: scopes, blocks } = scopesOf(key);
  const owner = shared.acting(await placeOfKey(shared, found));
  return { owner, name: key.name, scopes, blocks, explain: failureOf };
}

function isInvalidKey(error: unknown): error is ProgramError {
  return error instanceof Error && error.name === "ProgramError";
}

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-3 */
function refuse(status: number, error: string, message: string): Response {
  const metadata = services().accounts?.apps.resourceMetadataAddress;
  const where = metadata === undefined ? "" : `, resource_metadata="${metadata}"`;
  const challenge = `Bearer realm="Grove", error="${error}"${where}`;
  const headers = {
    ...((status === 401 || error === "insufficient_scope") && { "WWW-Authenticate": challenge }),
    ...(status === 429 && { "Retry-After": "60" }),
  };
  return Response.json({ error, error_description: message }, { status, headers });
}

class RequestRate {
  #minute = 0;
  readonly #requests = new Map<string, number>();

  allows(keyId: string): boolean {
    const minute = Math.floor(Date.now() / 60_000);
    if (minute !== this.#minute) this.#requests.clear();
    this.#minute = minute;
    const count = (this.#requests.get(keyId) ?? 0) + 1;
    this.#requests.set(keyId, count);
    return count <= requestsPerMinute;
  }
}

const rate = new RequestRate();
