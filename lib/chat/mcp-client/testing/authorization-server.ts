import { createHash, randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface AuthorizationServer {
  readonly url: string;
  readonly tokens: ReadonlySet<string>;
  /** Refresh tokens give new ones, each once. */
  expireTokens(): void;
  revokeAll(): void;
  close(): Promise<void>;
}

/** A small OAuth 2.1 authorization server: dynamic registration, PKCE, refresh tokens. It approves everybody. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, { challenge: string; clientId: string; redirectUri: string }>();
  const tokens = new Set<string>();
  const refreshTokens = new Set<string>();

  const metadata = (url: string) => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    registration_endpoint: `${url}/register`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
  });

  function register(body: string, response: ServerResponse) {
    const registered = JSON.parse(body) as { redirect_uris: string[] };
    const clientId = randomUUID();
    clients.set(clientId, registered.redirect_uris);
    json(response, 201, { ...registered, client_id: clientId });
  }

  function authorize(query: URLSearchParams, response: ServerResponse) {
    const clientId = query.get("client_id") ?? "";
    const redirectUri = query.get("redirect_uri") ?? "";
    const isKnown = clients.get(clientId)?.includes(redirectUri) === true;
    if (!isKnown || query.get("code_challenge_method") !== "S256")
      return json(response, 400, { error: "invalid_request" });
    const code = randomUUID();
    codes.set(code, { challenge: query.get("code_challenge") ?? "", clientId, redirectUri });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
  }

  function token(form: URLSearchParams, response: ServerResponse) {
    const isRefresh = form.get("grant_type") === "refresh_token";
    const isAllowed = isRefresh
      ? refreshTokens.delete(form.get("refresh_token") ?? "")
      : isRedeemed(form);
    if (!isAllowed) return json(response, 400, { error: "invalid_grant" });
    const [access, refresh] = [randomUUID(), randomUUID()];
    tokens.add(access);
    refreshTokens.add(refresh);
    json(response, 200, {
      access_token: access,
      refresh_token: refresh,
      token_type: "Bearer",
      expires_in: 3_600,
    });
  }

  function isRedeemed(form: URLSearchParams): boolean {
    const code = form.get("code") ?? "";
    const issued = codes.get(code);
    codes.delete(code);
    const verifier = form.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    return (
      issued?.challenge === challenge &&
      issued.clientId === form.get("client_id") &&
      issued.redirectUri === form.get("redirect_uri")
    );
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", address());
    const body = await text(request);
    if (url.pathname.startsWith("/.well-known/")) return json(response, 200, metadata(address()));
    if (url.pathname === "/register") return register(body, response);
    if (url.pathname === "/authorize") return authorize(url.searchParams, response);
    if (url.pathname === "/token") return token(new URLSearchParams(body), response);
    json(response, 404, {});
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: address(),
    tokens,
    expireTokens: () => tokens.clear(),
    revokeAll: () => {
      tokens.clear();
      refreshTokens.clear();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
