import { AsyncLocalStorage } from "node:async_hooks";
import type { Sql } from "grove-session/postgres";
import { z } from "zod";
import { type App, PostgresApps } from "@/lib/storage/accounts/postgres-apps";
import { makeAppAuth, stayingScope } from "./app-auth";

export interface ConnectedAppsOptions {
  readonly sql: Sql;
  readonly secret: () => Promise<string>;
  readonly origin: string;
  readonly scopes: readonly string[];
}

export interface Consent {
  readonly query: string;
  readonly scopes: readonly string[];
  /** `null` refuses. */
  readonly keyId: string | null;
}

/**
 * Apps let in by signing in. Such an app acts by a key without a secret: its scopes are the person's choice, and
 * revoking it ends the app's tokens. @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export class ConnectedApps {
  readonly #options: ConnectedAppsOptions;
  readonly #store: PostgresApps;
  readonly #consenting = new AsyncLocalStorage<string>();
  #auth: Promise<ReturnType<typeof makeAppAuth>> | null = null;

  constructor(options: ConnectedAppsOptions) {
    this.#options = options;
    this.#store = new PostgresApps(options.sql);
  }

  get resource(): string {
    return `${this.#options.origin}/mcp`;
  }

  get resourceMetadataAddress(): string {
    return `${this.#options.origin}/.well-known/oauth-protected-resource/mcp`;
  }

  /** @see https://www.rfc-editor.org/rfc/rfc9728 */
  get resourceMetadata() {
    const { origin, scopes } = this.#options;
    return {
      resource: this.resource,
      authorization_servers: [origin],
      scopes_supported: scopes,
      bearer_methods_supported: ["header"],
      resource_name: "Grove",
    };
  }

  /** @see https://www.rfc-editor.org/rfc/rfc8414 */
  get serverMetadata() {
    const { origin, scopes } = this.#options;
    return {
      issuer: origin,
      authorization_endpoint: `${origin}/oauth2/authorize`,
      token_endpoint: `${origin}/oauth2/token`,
      registration_endpoint: `${origin}/oauth2/register`,
      revocation_endpoint: `${origin}/oauth2/revoke`,
      scopes_supported: [...scopes, stayingScope],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    };
  }

  app(clientId: string): Promise<App | null> {
    return this.#store.app(clientId);
  }

  /** Clients have no secrets, and no addresses that Grove would open. */
  async register(given: unknown): Promise<Response> {
    const metadata = registration.safeParse(given);
    if (!metadata.success) {
      const [issue] = metadata.error.issues;
      const what = issue?.path.join(".") || "body";
      const error = what.startsWith("redirect_uris")
        ? "invalid_redirect_uri"
        : "invalid_client_metadata";
      return refusal(error, `“${what}” is invalid: ${issue?.message}.`);
    }
    const { client_name, redirect_uris } = metadata.data;
    const body = {
      ...{ client_name, redirect_uris, application_type: "native" },
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    };
    return this.#handle("/oauth2/register", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** Always asks the person, even about an app that was let in before. */
  async authorize(query: URLSearchParams, headers: Headers): Promise<Response> {
    const asked = new URLSearchParams(query);
    if (!this.#isForUs(asked)) return refusal("invalid_target", this.#wrongResource);
    asked.set("scope", [...this.#options.scopes, stayingScope].join(" "));
    asked.set("prompt", "consent");
    return this.#handle(`/oauth2/authorize?${asked}`, { headers });
  }

  /** @returns the address back to the app; `null` for a query that is too old or was changed. */
  async decide({ query, scopes, keyId }: Consent, headers: Headers): Promise<string | null> {
    const sent = new Headers({ "Content-Type": "application/json", Accept: "application/json" });
    sent.set("Origin", this.#options.origin);
    sent.set("Cookie", headers.get("cookie") ?? "");
    const accepted = [...scopes, stayingScope].join(" ");
    const body = { accept: keyId !== null, scope: accepted, oauth_query: query };
    const decide = () =>
      this.#handle("/oauth2/consent", {
        method: "POST",
        headers: sent,
        body: JSON.stringify(body),
      });
    const response = await (keyId === null ? decide() : this.#consenting.run(keyId, decide));
    const answer = decided.safeParse(await response.json());
    return answer.success ? answer.data.url : null;
  }

  async exchange(path: "token" | "revoke", form: URLSearchParams): Promise<Response> {
    if (!this.#isForUs(form)) return refusal("invalid_target", this.#wrongResource);
    form.delete("client_secret");
    return this.#handle(`/oauth2/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: form.toString(),
    });
  }

  keyOf(userId: string, clientId: string): Promise<string | null> {
    return this.#store.keyOf(userId, clientId);
  }

  endTokens(userId: string, keyId: string): Promise<void> {
    return this.#store.endTokens(userId, keyId);
  }

  removeOld(): Promise<void> {
    return this.#store.removeOld();
  }

  #isForUs(given: URLSearchParams): boolean {
    const resources = given.getAll("resource");
    given.delete("resource");
    return resources.every((each) => each.replace(/\/$/, "") === this.resource);
  }

  get #wrongResource(): string {
    return `The resource of this server is ${this.resource}.`;
  }

  async #handle(path: string, init: RequestInit): Promise<Response> {
    this.#auth ??= this.#make().catch((error: unknown) => {
      this.#auth = null;
      throw error;
    });
    const auth = await this.#auth;
    return auth.handler(new Request(`${this.#options.origin}${path}`, init));
  }

  async #make() {
    const { sql, origin, scopes } = this.#options;
    const secret = await this.#options.secret();
    return makeAppAuth({ sql, origin, scopes, secret, keyId: () => this.#consenting.getStore() });
  }
}

const registration = z.object({
  client_name: z.string().trim().min(1).max(60).catch("App"),
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(20),
});

const decided = z.object({ url: z.string() });

function refusal(error: string, description: string): Response {
  return Response.json({ error, error_description: description }, { status: 400 });
}
