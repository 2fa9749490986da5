import { randomBytes, timingSafeEqual } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
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

export class SignInNeededError extends Error {
  override readonly name = "SignInNeededError";

  constructor(server: string) {
    super(`“${server}” asks you to sign in. Settings, Connections has a button for it.`);
  }
}

interface SignInOptions {
  readonly redirectUrl: string;
  readonly onRedirect?: (url: URL) => void;
}

/**
 * Several connections may refresh one sign-in, so it is read each time. The authorization page opens only at a person's
 * request.
 */
export function signInProvider(
  owner: ServerOwner,
  server: StoredServer,
  { redirectUrl, onRedirect }: SignInOptions,
): OAuthClientProvider {
  const stored = async () => secretsOf(owner, server);
  let given: unknown;
  const keep = async (changes: ServerSecrets) => {
    const now = await requireServer(owner, server.id);
    await saveServer(owner, now, { ...(await secretsOf(owner, now)), ...changes });
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
    clientInformation: async () =>
      (await stored()).client as StoredOAuthClientInformation | undefined,
    saveClientInformation: (client) => keep({ client }),
    tokens: async () => {
      given = (await stored()).tokens;
      return given as StoredOAuthTokens | undefined;
    },
    saveTokens: (tokens) => keep({ tokens }),
    saveCodeVerifier: (verifier) => keep({ verifier }),
    codeVerifier: async () => {
      const { verifier } = await stored();
      if (verifier === undefined) throw new SignInNeededError(server.name);
      return verifier;
    },
    saveDiscoveryState: (discovery) => keep({ discovery }),
    discoveryState: async () => (await stored()).discovery as OAuthDiscoveryState | undefined,
    redirectToAuthorization: (url) => {
      if (!onRedirect) throw new SignInNeededError(server.name);
      onRedirect(url);
    },
    invalidateCredentials: async (scope) => {
      const isAll = scope === "all";
      // Another connection may have refreshed them meanwhile.
      const isOld = !isDeepStrictEqual((await stored()).tokens, given);
      if (isOld && (isAll || scope === "tokens")) return;
      return keep({
        ...((isAll || scope === "tokens") && { tokens: undefined }),
        ...((isAll || scope === "client") && { client: undefined }),
        ...((isAll || scope === "verifier") && { verifier: undefined }),
        ...((isAll || scope === "discovery") && { discovery: undefined }),
      });
    },
  };
}

export async function beginSignIn(
  owner: ServerOwner,
  id: string,
  redirectUrl: string,
): Promise<string | null> {
  const server = await requireServer(owner, id);
  const { key } = await secretsOf(owner, server);
  // A client registered for another address of Grove would be refused.
  await saveServer(owner, server, { key, redirectUrl });
  let page: URL | null = null;
  const provider = signInProvider(owner, server, {
    redirectUrl,
    onRedirect: (url) => {
      page = url;
    },
  });
  await auth(provider, { serverUrl: server.url, fetchFn: guardedFetch(server.url, owner.fetch) });
  return page === null ? null : safePage(page);
}

function safePage(page: URL): string {
  if (page.protocol === "https:" || page.protocol === "http:") return page.href;
  throw new ChatError("server-failed", "The server names a sign-in page that is no web address.");
}

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
  await saveServer(owner, server, { ...secrets, state: undefined });
  const provider = signInProvider(owner, server, { redirectUrl });
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
