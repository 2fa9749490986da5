import { randomBytes, timingSafeEqual } from "node:crypto";
import {
  auth,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { ChatError } from "@/lib/chat/core/chat-error";
import { guardedFetch } from "./guarded-fetch";
import {
  requireServer,
  type ServerOwner,
  type ServerSecrets,
  type StoredServer,
  saveServer,
  secretsOf,
} from "./mcp-servers";

/** Thrown when a server asks for a sign-in that only the person can make. */
export class SignInNeededError extends Error {
  override readonly name = "SignInNeededError";

  constructor(server: string) {
    super(`“${server}” asks you to sign in. Settings, Tools has a button for it.`);
  }
}

/** Keeps what a sign-in brings; the authorization page opens only where a person asked for it. */
export function signInProvider(
  owner: ServerOwner,
  server: StoredServer,
  {
    secrets,
    redirectUrl,
    onRedirect,
  }: {
    secrets: ServerSecrets;
    redirectUrl: string;
    onRedirect?: (url: URL) => void;
  },
): OAuthClientProvider {
  const held = { ...secrets };
  const keep = async (changes: ServerSecrets) => {
    Object.assign(held, changes);
    await saveServer(owner, await requireServer(owner, server.id), held);
  };
  return {
    redirectUrl,
    clientMetadata: {
      client_name: "Grove",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: async () => {
      const state = `${server.id}.${randomBytes(24).toString("base64url")}`;
      await keep({ state });
      return state;
    },
    clientInformation: () => held.client as StoredOAuthClientInformation | undefined,
    saveClientInformation: (client) => keep({ client }),
    tokens: () => held.tokens as StoredOAuthTokens | undefined,
    saveTokens: (tokens) => keep({ tokens }),
    saveCodeVerifier: (verifier) => keep({ verifier }),
    codeVerifier: () => {
      if (held.verifier === undefined) throw new SignInNeededError(server.name);
      return held.verifier;
    },
    saveDiscoveryState: (discovery) => keep({ discovery }),
    discoveryState: () => held.discovery as OAuthDiscoveryState | undefined,
    redirectToAuthorization: (url) => {
      if (!onRedirect) throw new SignInNeededError(server.name);
      onRedirect(url);
    },
    invalidateCredentials: (scope) => {
      const isAll = scope === "all";
      return keep({
        ...((isAll || scope === "tokens") && { tokens: undefined }),
        ...((isAll || scope === "client") && { client: undefined }),
        ...((isAll || scope === "verifier") && { verifier: undefined }),
        ...((isAll || scope === "discovery") && { discovery: undefined }),
      });
    },
  };
}

/** Begins a sign-in. @returns the page to open, or `null` when none is needed. */
export async function beginSignIn(
  owner: ServerOwner,
  id: string,
  redirectUrl: string,
): Promise<string | null> {
  const server = await requireServer(owner, id);
  const { key } = await secretsOf(owner, server);
  // A client that was registered for another address of Grove would be refused.
  const secrets: ServerSecrets = { key, redirectUrl };
  let page: URL | null = null;
  const provider = signInProvider(owner, server, {
    secrets,
    redirectUrl,
    onRedirect: (url) => {
      page = url;
    },
  });
  await auth(provider, { serverUrl: server.url, fetchFn: guardedFetch(server.url, owner.fetch) });
  return page === null ? null : safePage(page);
}

/** A page that a browser may open, and nothing else. @throws {ChatError} */
function safePage(page: URL): string {
  if (page.protocol === "https:" || page.protocol === "http:") return page.href;
  throw new ChatError("server-failed", "The server names a sign-in page that is no web address.");
}

/** Ends a sign-in with what the authorization page sent back. @throws {ChatError} when Grove did not begin it. */
export async function endSignIn(
  owner: ServerOwner,
  { code, state, iss }: { code: string; state: string; iss: string | undefined },
): Promise<StoredServer> {
  const id = state.slice(0, state.lastIndexOf("."));
  const server = await requireServer(owner, id);
  const secrets = await secretsOf(owner, server);
  if (!secrets.redirectUrl || !isSame(secrets.state, state)) {
    const message = "This sign-in was not begun here, or is over. Begin it again.";
    throw new ChatError("server-failed", message);
  }
  const { redirectUrl } = secrets;
  const once = { ...secrets, state: undefined };
  const provider = signInProvider(owner, server, { secrets: once, redirectUrl });
  await auth(provider, {
    serverUrl: server.url,
    authorizationCode: code,
    ...(iss !== undefined && { iss }),
    fetchFn: guardedFetch(server.url, owner.fetch),
  });
  return requireServer(owner, id);
}

function isSame(known: string | undefined, given: string): boolean {
  if (known === undefined || known.length !== given.length) return false;
  return timingSafeEqual(Buffer.from(known), Buffer.from(given));
}
