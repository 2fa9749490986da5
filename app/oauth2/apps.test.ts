import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { GET as discover } from "@/app/.well-known/[...path]/route";
import { POST as decide } from "@/app/api/account/apps/route";
import { DELETE as revokeKey } from "@/app/api/keys/[keyId]/route";
import { POST as mcp } from "@/app/mcp/route";
import { origin, serveAccounts } from "@/app/sign-in/testing/serve-accounts";
import { addressHeader } from "@/lib/accounts/address-header";
import { asPerson, asSpace } from "@/lib/chat/core/person-in-space";
import { listKeys } from "@/lib/chat/programs/keys";
import { services } from "@/lib/server/services";
import { GET as authorize } from "./authorize/route";
import { POST as register } from "./register/route";
import { POST as revoke } from "./revoke/route";
import { POST as exchange } from "./token/route";

const { signedIn } = serveAccounts();
let person: Awaited<ReturnType<typeof signedIn>>;
beforeAll(async () => {
  person = await signedIn();
});
beforeEach(() => vi.spyOn(console, "warn").mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

const back = "http://127.0.0.1:33418/callback";
const handlers: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
  "POST /mcp": mcp,
  "POST /oauth2/register": register,
  "POST /oauth2/token": exchange,
  "POST /oauth2/revoke": revoke,
};

/** The routes, to a program: it sends no cookie and no origin. */
async function fetchGrove(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const request = new Request(url, init);
  request.headers.set("host", "grove.test");
  const { pathname } = new URL(url);
  if (pathname.startsWith("/.well-known/")) {
    const path = pathname.split("/").slice(2);
    return discover(request, { params: Promise.resolve({ path }) });
  }
  const handle = handlers[`${request.method} ${pathname}`];
  return handle ? handle(request) : new Response(null, { status: 405 });
}

/** An app that keeps in memory what it gets, and opens no browser. */
class App implements OAuthClientProvider {
  readonly redirectUrl = back;
  readonly clientMetadata = { client_name: "Notebook", redirect_uris: [back] };
  opened: URL | null = null;
  client: Awaited<ReturnType<NonNullable<OAuthClientProvider["clientInformation"]>>>;
  saved: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
  #verifier = "";
  #found: OAuthDiscoveryState | undefined;
  state = () => "a state of the app";
  clientInformation = () => this.client;
  saveClientInformation(client: NonNullable<typeof this.client>) {
    this.client = client;
  }
  tokens = () => this.saved;
  saveTokens(tokens: NonNullable<typeof this.saved>) {
    this.saved = tokens;
  }
  redirectToAuthorization(page: URL) {
    this.opened = page;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
  saveDiscoveryState(found: OAuthDiscoveryState) {
    this.#found = found;
  }
  discoveryState = () => this.#found;
  invalidateCredentials() {
    this.saved = undefined;
  }

  transport() {
    const options = { authProvider: this, fetch: fetchGrove };
    return new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), options);
  }

  async connect(transport = this.transport()) {
    const client = new Client({ name: "notebook", version: "1" });
    await client.connect(transport);
    return client;
  }

  /** @returns the query of the consent page to which the person's browser is sent. */
  async ask(cookie: string): Promise<string> {
    await expect(this.connect()).rejects.toThrow(UnauthorizedError);
    return consentQuery(this.opened, cookie);
  }
}

async function consentQuery(page: URL | null, cookie: string): Promise<string> {
  if (!page) throw new Error("The app opened no page.");
  const request = new Request(page, { headers: { host: "grove.test", cookie } });
  const response = await authorize(request, { params: Promise.resolve({}) });
  const consent = new URL(response.headers.get("location") ?? "", origin);
  expect(consent.pathname).toBe("/connect");
  return consent.search.slice(1);
}

async function answer(
  cookie: string,
  body: { query: string; mcp: readonly string[]; space?: string },
) {
  const response = await decide(
    new Request(`${origin}/api/account/apps`, {
      method: "POST",
      headers: { host: "grove.test", origin, cookie, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
    { params: Promise.resolve({}) },
  );
  const { page } = (await response.json()) as { page?: string };
  return { status: response.status, page: page === undefined ? null : new URL(page) };
}

test("an app of the official client is let in, uses what was chosen, stays, and is put out by its key", async () => {
  const { cookie, owner } = person;
  const app = new App();
  const query = await app.ask(cookie);
  const { page } = await answer(cookie, { query, mcp: ["memory:read", "chats:search"] });
  expect(page?.origin + (page?.pathname ?? "")).toBe(back);
  expect(page?.searchParams.get("state")).toBe("a state of the app");

  const transport = app.transport();
  await transport.finishAuth(page?.searchParams ?? new URLSearchParams());
  const client = await app.connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("search_chats");
  expect(tools.map(({ name }) => name)).not.toContain("write_memory");
  const [key] = await listKeys(owner);
  expect(key).toMatchObject({ name: "Notebook", isApp: true, usesApi: false, revokedAt: null });
  expect(key?.lastUsedAt).not.toBeNull();

  const { sql } = services();
  await sql`update account_app_access set expires_at = now()`;
  const before = app.tokens()?.refresh_token;
  expect((await client.listTools()).tools).toHaveLength(tools.length);
  expect(app.tokens()?.refresh_token).not.toBe(before);
  const [stored] = await sql<{ text: string }[]>`
    select string_agg(access::text, '') || (select string_agg(refresh::text, '') from account_app_refresh refresh) as text
    from account_app_access access`;
  for (const token of [app.tokens()?.access_token, app.tokens()?.refresh_token])
    expect(stored?.text).not.toContain(token?.replace(/^grove_(app|refresh)_/, ""));

  await revokeKey(
    new Request(`${origin}/api/keys/${key?.id}`, {
      method: "DELETE",
      headers: { host: "grove.test", origin, cookie, "Content-Type": "application/json" },
      body: "{}",
    }),
    { params: Promise.resolve({ keyId: key?.id ?? "" }) },
  );
  app.opened = null;
  await expect(client.listTools()).rejects.toThrow(UnauthorizedError);
  expect(app.opened).not.toBeNull();
});

/** An app with a code that it has not used. */
async function withCode() {
  const app = new App();
  const query = await app.ask(person.cookie);
  const { page } = await answer(person.cookie, { query, mcp: ["memory:read"] });
  const form = {
    grant_type: "authorization_code",
    client_id: (await app.clientInformation())?.client_id ?? "",
    code: page?.searchParams.get("code") ?? "",
    code_verifier: app.codeVerifier(),
    redirect_uri: back,
  };
  return { app, form };
}

async function exchanged(form: Record<string, string>) {
  const init = { method: "POST", body: new URLSearchParams(form) };
  const response = await fetchGrove(`${origin}/oauth2/token`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("a code is used once, and what it gave ends when it comes again", async () => {
  const { form } = await withCode();
  const first = await exchanged(form);
  expect(first.body).toMatchObject({ token_type: "Bearer", expires_in: 3600 });
  const used = () =>
    fetchGrove(`${origin}/mcp`, {
      method: "POST",
      headers: { Authorization: `Bearer ${first.body.access_token}` },
    });
  expect((await used()).status).not.toBe(401);
  expect(await exchanged(form)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect((await used()).status).toBe(401);
});

test.each([
  ["another verifier", { code_verifier: "x".repeat(43) }],
  ["no verifier", { code_verifier: "" }],
  ["another way back", { redirect_uri: "http://127.0.0.1:33418/other" }],
  ["another app", { client_id: "x".repeat(32) }],
  ["another resource", { resource: "https://elsewhere.test/mcp" }],
])("a code with %s gives nothing", async (_, wrong) => {
  const { form } = await withCode();
  const { status, body } = await exchanged({ ...form, ...wrong });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body).not.toHaveProperty("access_token");
});

test("a person who refuses makes no key, and the app receives the refusal", async () => {
  const app = new App();
  const query = await app.ask(person.cookie);
  const before = await listKeys(person.owner);
  const { page } = await answer(person.cookie, { query, mcp: [] });
  expect(page?.searchParams.get("error")).toBe("access_denied");
  expect(await listKeys(person.owner)).toEqual(before);
});

test("an app that was let in before is asked about again, keeps its key, and gets a place of the person", async () => {
  const { app } = await withCode();
  await app.connect().catch(() => undefined);
  const query = await consentQuery(app.opened, person.cookie);
  const before = await listKeys(person.owner);
  await answer(person.cookie, { query, mcp: ["skills:read"] });
  const after = await listKeys(person.owner);
  expect(after).toHaveLength(before.length);
  expect(after[0]).toMatchObject({ mcp: ["skills:read"], space: null });
  const elsewhere = { query, mcp: ["skills:read"], space: `p-${crypto.randomUUID()}` };
  expect(await answer(person.cookie, elsewhere)).toEqual({ status: 409, page: null });
  expect(await listKeys(person.owner)).toEqual(after);
});

test("an app is let into a project of the person, and into none of others", async () => {
  const { personId } = person.owner;
  const [space, foreign] = [`p-${crypto.randomUUID()}`, `p-${crypto.randomUUID()}`];
  await services().projects.make({ personId, spaceId: asSpace(space) }, "Tea");
  await services().projects.make({ personId: asPerson("bo"), spaceId: asSpace(foreign) }, "Bo's");
  const given = { query: await new App().ask(person.cookie), mcp: ["skills:read"] };
  const before = await listKeys(person.owner);
  expect((await answer(person.cookie, { ...given, space: foreign })).status).toBe(404);
  expect(await listKeys(person.owner)).toEqual(before);
  await answer(person.cookie, { ...given, space });
  const [made] = await listKeys(person.owner);
  expect(made).toMatchObject({ mcp: ["skills:read"], space });
});

test.each([
  ["another app", (query: URLSearchParams) => query.set("client_id", "x".repeat(32)), 404],
  ["another way back", (query: URLSearchParams) => query.set("redirect_uri", `${back}s`), 400],
])("a request that was changed to %s lets nobody in", async (_, change, status) => {
  const app = new App();
  const query = new URLSearchParams(await app.ask(person.cookie));
  change(query);
  const before = await listKeys(person.owner);
  const given = { query: query.toString(), mcp: ["memory:read"] };
  expect(await answer(person.cookie, given)).toEqual({ status, page: null });
  const live = (keys: typeof before) => keys.filter(({ revokedAt }) => revokedAt === null).length;
  expect(live(await listKeys(person.owner))).toBe(live(before));
});

test("somebody who is signed out lets nobody in", async () => {
  const query = await new App().ask(person.cookie);
  expect((await answer("", { query, mcp: ["memory:read"] })).status).toBe(401);
});

test("a sign-in of long ago is confirmed before an app is let in", async () => {
  const query = await new App().ask(person.cookie);
  const { sql } = services();
  await sql`update account_session set created_at = now() - interval '1 hour', confirmed_at = null`;
  expect((await answer(person.cookie, { query, mcp: ["memory:read"] })).status).toBe(403);
  await sql`update account_session set confirmed_at = now()`;
});

test.each([
  ["no way back", {}],
  ["a way back over plain http elsewhere", { redirect_uris: ["http://elsewhere.test/back"] }],
  ["a script as its way back", { redirect_uris: ["javascript:alert(1)"] }],
  ["a way back with a fragment", { redirect_uris: ["https://elsewhere.test/#x"] }],
])("an app with %s is not registered", async (_, metadata) => {
  const response = await fetchGrove(`${origin}/oauth2/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "Notebook", ...metadata }),
  });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: "invalid_redirect_uri" },
  ]);
});

test("an app gets no secret, and nothing that Grove would open is kept", async () => {
  const response = await fetchGrove(`${origin}/oauth2/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ client_name: "Notebook", redirect_uris: [back], token_endpoint_auth_method: "none" },
      ...{ jwks_uri: "https://elsewhere.test/keys", logo_uri: "https://elsewhere.test/logo.png" },
    }),
  });
  const made = JSON.stringify(await response.json());
  expect(response.status).toBe(201);
  expect(made).not.toMatch(/elsewhere|client_secret"/);
});

test("an address that asks too often waits", async () => {
  const ask = () =>
    fetchGrove(`${origin}/oauth2/token`, {
      method: "POST",
      headers: { [addressHeader]: "198.51.100.7" },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x" }),
    });
  const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await ask()).status));
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test("a page of another site reaches none of it", async () => {
  const init = { method: "POST", headers: { origin: "https://elsewhere.test" } };
  for (const path of ["token", "register", "revoke"])
    expect((await fetchGrove(`${origin}/oauth2/${path}`, init)).status).toBe(403);
});

test("tokens that ended go, and apps that nobody let in within a day", {
  tags: "long",
}, async () => {
  const { app } = await withCode();
  await new App().ask(person.cookie);
  const { sql, accounts } = services();
  await sql`update account_app set created_at = now() - interval '2 days'`;
  await accounts?.apps.removeOld();
  const left = await sql<{ client_id: string }[]>`select client_id from account_app`;
  const consented = await sql<
    { client_id: string }[]
  >`select distinct client_id from account_app_consent`;
  expect(left.map((each) => each.client_id)).toContain((await app.clientInformation())?.client_id);
  expect(left).toHaveLength(consented.length);
});
