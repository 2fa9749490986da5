import { glob, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { user } from "grove-session/testing";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asPerson, inOwnSpace, type PersonId } from "@/lib/chat/core/person-in-space";
import { identifier } from "@/lib/postgres/connections/sql";
import { deleteRemoved } from "@/lib/server/ended-accounts";
import { services } from "@/lib/server/services";
import {
  setEnvironment,
  startTestServices,
  type TestServices,
} from "@/lib/server/testing/test-services";
import { proxy } from "@/proxy";

const origin = "https://grove.test";
const canary = "pelican";
const root = join(import.meta.dirname, "../..");

type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>;

let served: TestServices;
let forgetServers: () => void;
const handlers = new Map<string, Handler>();
const cookies: Record<string, string> = { anonymous: "" };

beforeAll(async () => {
  served = await startTestServices({ HOST: "127.0.0.1", GROVE_ORIGIN: origin });
  const config = join(served.dataDir, "mcp.json");
  await writeFile(config, JSON.stringify({ mcpServers: { [canary]: { command: "false" } } }));
  forgetServers = setEnvironment({ GROVE_MCP_CONFIG: config });
  for await (const file of glob("app/api/**/route.ts", { cwd: root })) {
    if (file.includes("[...path]")) continue;
    const module = (await import(join(root, file))) as Record<string, Handler>;
    const path = `/${file.replace(/^app\//, "").replace(/\/route\.ts$/, "")}`;
    for (const [method, handler] of Object.entries(module))
      handlers.set(`${method} ${path.replace(/\[(\w+)\]/g, ":$1")}`, handler);
  }
  cookies.owner = await accept("ada", await link("owner"));
  await services().accounts?.store.setEnvironmentKeys("admins");
  cookies.member = await accept("bob", await link("member"));
  cookies.revoked = await accept("eve", await link("member"));
  cookies.expired = await accept("ken", await link("member"));
  const { sql } = served.database;
  await sql`delete from account_session where user_id = (select id from account_user where name = 'eve')`;
  await sql`update account_session set expires_at = now() where user_id = (select id from account_user where name = 'ken')`;
  await fill();
});

afterAll(async () => {
  forgetServers();
  await served.end();
});

async function link(role: "owner" | "member"): Promise<string> {
  const made = await services().accounts?.invite({ role, email: null, createdBy: null });
  return new URL(made?.link ?? "").hash.slice(1);
}

async function accept(name: string, secret: string): Promise<string> {
  const person = { secret, name, email: `${name}@example.org`, password: `password of ${name}` };
  const accepted = await services().accounts?.accept(person, new Headers());
  return cookiesOf(accepted?.cookies);
}

function cookiesOf(headers: Headers | undefined): string {
  return (headers?.getSetCookie() ?? []).map((each) => each.split(";", 1)[0]).join("; ");
}

async function ownerIdOf(name: string): Promise<PersonId> {
  const [row] = await served.database.sql<{ owner_id: string }[]>`
    select owner_id from account_user where name = ${name}`;
  return asPerson(row?.owner_id ?? "");
}

/** Everything of the owner has the word, under ids that the others know. */
async function fill(): Promise<void> {
  const { store, settings } = services().acting(inOwnSpace(await ownerIdOf("ada")));
  await store.sessions.create(canary, { id: "s", tags: [canary] });
  await store.messages("s").appendMessage(user("m", canary));
  await settings.change({ exampleMade: true, customName: canary });
}

const ids: Record<string, string> = { sessionId: "s", messageId: "m", sha256: "0".repeat(64) };
const bodies: Record<string, unknown> = {
  "POST /api/sessions/:sessionId/messages": {
    id: "m2",
    parts: [{ type: "text", text: "Hello" }],
    generate: false,
  },
  "PATCH /api/sessions/:sessionId": { title: "Mine now" },
  "PATCH /api/sessions/:sessionId/messages/:messageId": { label: "Mine now" },
  "DELETE /api/sessions/:sessionId/messages": { ids: ["m"] },
  "POST /api/sessions/:sessionId/fork": { messageId: "m" },
  "PATCH /api/settings": { memoryMode: "off" },
};

const types: Record<string, string> = {
  "POST /api/import": "application/x-ndjson",
  "POST /api/files": "application/octet-stream",
};

interface AskOptions {
  readonly isCancelled?: boolean;
  readonly body?: unknown;
}

async function ask(route: string, subject: string, options: AskOptions = {}) {
  const response = await open(route, subject, options);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (isStream) await response.body?.cancel();
  return { status: response.status, text: isStream ? "" : await response.text() };
}

async function open(
  route: string,
  subject: string,
  { isCancelled = false, body = bodies[route] ?? {} }: AskOptions = {},
): Promise<Response> {
  const [method = "", path = ""] = route.split(" ");
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const params = Object.fromEntries(names.map((name) => [name, ids[name] ?? "x"]));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "");
  const leaving = new AbortController();
  const request = new Request(`${origin}${filled}?q=${canary}`, {
    method,
    headers: {
      host: "grove.test",
      origin,
      cookie: cookies[subject] ?? "",
      "content-type": types[route] ?? "application/json",
    },
    ...(method !== "GET" && { body: JSON.stringify(body) }),
    signal: leaving.signal,
  });
  const answering = handlers.get(route)?.(request, { params: Promise.resolve(params) });
  if (isCancelled) setTimeout(() => leaving.abort(), Math.random() * 5);
  const response = await answering;
  if (!response) throw new Error(`${route} has no handler.`);
  return response;
}

const openRoutes = /^(GET \/api\/health|POST \/api\/account\/(sign-in|sign-out|invite|accept))/;

describe("a member", () => {
  test.each([
    ["PATCH /api/settings", { searchAddress: "http://127.0.0.1:8080" }],
    [
      "PUT /api/settings/providers/:providerId",
      { provider: "compatible", name: "Inside", baseUrl: "http://10.0.0.1/v1" },
    ],
    ["PUT /api/tools/servers/:serverId", { name: "Inside", url: "http://127.0.0.1:9/mcp" }],
  ])("cannot make %s reach this machine's network", async (route, body) => {
    const { status, text } = await ask(route, "member", { body });
    expect([status, text.includes("Only administrators")]).toEqual([403, true]);
    expect((await ask(route, "owner", { body })).text).not.toContain("Only administrators");
  });

  test("does not learn where the data is", async () => {
    const read = async (subject: string) =>
      JSON.parse((await ask("GET /api/settings", subject)).text).dataLocation;
    expect(await read("member")).toBeNull();
    expect(await read("owner")).toContain(served.dataDir);
  });
});

describe("with keys of the environment for administrators alone, a member", () => {
  const key = "sk-operators-key-9f3a";
  const mine = { provider: "anthropic", name: "Mine", baseUrl: null, apiKey: "sk-of-a-member" };
  let restore: () => void;
  beforeAll(async () => {
    restore = setEnvironment({
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9/v1",
    });
    // A process reads its own variables once.
    await services().house.reread();
  });
  afterAll(() => restore());

  beforeEach(() => ask("PUT /api/settings/providers/:providerId", "member", { body: mine }));

  test.each([
    ["GET /api/settings", {}],
    ["PATCH /api/settings", { memoryMode: "off" }],
    ["PUT /api/settings/providers/:providerId", mine],
    ["DELETE /api/settings/providers/:providerId", {}],
  ])("sees neither their names nor their ends in %s", async (route, body) => {
    const { status, text } = await ask(route, "member", { body });
    expect([status, text.includes("9f3a"), text.includes("environment-")]).toEqual([
      200,
      false,
      false,
    ]);
  });

  test("has no programs of the operator", async () => {
    expect((await ask("GET /api/tools", "member")).text).not.toContain(canary);
    const bob = await ownerIdOf("bob");
    expect(await services().rightsOf(bob)).toMatchObject({
      toolServers: [],
      environment: { GROVE_DISCOVER_LOCAL: "0" },
    });
  });

  test("differs from an administrator, and from a member once everyone may use them", async () => {
    const sees = async (subject: string) => [
      (await ask("GET /api/settings", subject)).text.includes("9f3a"),
      (await ask("GET /api/tools", subject)).text.includes(canary),
    ];
    expect(await sees("owner")).toEqual([true, true]);
    await ask("PATCH /api/people", "owner", { body: { environmentKeys: "everyone" } });
    expect(await sees("member")).toEqual([true, true]);
    await ask("PATCH /api/people", "owner", { body: { environmentKeys: "admins" } });
    expect(await sees("member")).toEqual([false, false]);
  });

  test("does not see a key that an administrator gave on the page either", {
    tags: "long",
  }, async () => {
    const give = (given: string | null) =>
      ask("PATCH /api/settings/house", "owner", { body: { ANTHROPIC_API_KEY: given } });
    const sees = async (subject: string) =>
      (await ask("GET /api/settings", subject)).text.includes("7c1d");
    expect((await give("sk-ant-of-the-house-7c1d")).status).toBe(200);
    expect([await sees("owner"), await sees("member")]).toEqual([true, false]);
    await give(null);
    expect(await sees("owner")).toBe(false);
  });
});

describe("the cookies of https", () => {
  const signIn = async () => {
    const body = { email: "bob@example.org", password: "password of bob" };
    const cookies = (await open("POST /api/account/sign-in", "anonymous", { body })).headers;
    return cookies.getSetCookie();
  };
  const at = (path: string, cookie: string) =>
    new NextRequest(`${origin}${path}`, { headers: { host: "grove.test", cookie } });

  test("are for this host alone, over https alone, and out of reach of scripts", async () => {
    const set = await signIn();
    expect(set.map((cookie) => cookie.split("=", 1)[0])).toContain("__Host-grove.session_token");
    for (const cookie of set) {
      expect(cookie).toMatch(/^__Host-grove\.[^=]+=.*; Path=\/;.*HttpOnly; Secure; SameSite=Lax/);
      expect(cookie).not.toMatch(/Domain=/i);
    }
  });

  test.each(["grove", "__Secure-grove", "__host-grove", "better-auth"])(
    "count under their own name, not with the prefix %s",
    async (prefix) => {
      const [named = ""] = cookiesOf(
        new Headers((await signIn()).map((each): [string, string] => ["set-cookie", each])),
      ).split("; ");
      expect((await proxy(at("/settings", named))).headers.get("location")).toBeNull();
      cookies.renamed = named.replace("__Host-grove", prefix);
      expect((await ask("GET /api/sessions", "renamed")).status).toBe(401);
      const { status, headers } = await proxy(at("/settings", cookies.renamed));
      expect([status, headers.get("location")]).toEqual([
        303,
        `${origin}/sign-in?next=%2Fsettings`,
      ]);
    },
  );
});

describe("the page of another person", () => {
  test("is refused, so that it neither sends nor reads for the one who is signed in now", async () => {
    const request = new Request(`${origin}/api/sessions`, {
      headers: { host: "grove.test", cookie: cookies.member ?? "", "x-grove-owner": "ada" },
    });
    const response = await handlers.get("GET /api/sessions")?.(request, {
      params: Promise.resolve({}),
    });
    expect(response?.status).toBe(409);
    expect(await response?.text()).toContain("Nothing was sent");
  });
});

describe("an account that is deleted", () => {
  test("was downloaded before, to the end, and leaves its id and address in no table", {
    tags: "long",
  }, async () => {
    cookies.leaver = await accept("leaver", await link("member"));
    const ownerId = await ownerIdOf("leaver");
    await write(ownerId);
    const leave = () =>
      ask("DELETE /api/account", "leaver", { body: { email: "leaver@example.org" } });
    expect(await leave()).toMatchObject({
      status: 409,
      text: expect.stringContaining("Download everything first"),
    });
    const cut = await open("GET /api/export", "leaver");
    await cut.body?.cancel();
    expect((await leave()).status).toBe(409);
    expect((await ask("GET /api/export", "leaver")).text).toContain("Words of mine");
    expect(JSON.parse((await ask("GET /api/account", "leaver")).text).exportedAt).not.toBeNull();
    expect(await leave()).toEqual({ status: 200, text: '{"ok":true}' });
    expect(await tablesWith(ownerId, "leaver@")).toEqual([]);
  });

  test("is refused with a download from some time ago", { tags: "long" }, async () => {
    cookies.waiter = await accept("waiter", await link("member"));
    await ask("GET /api/export", "waiter");
    await served.database
      .sql`update account_event set created_at = now() - interval '16 minutes' where kind = 'exported'`;
    const body = { email: "waiter@example.org" };
    expect((await ask("DELETE /api/account", "waiter", { body })).status).toBe(409);
  });
});

describe("somebody whom an administrator removed", () => {
  const personIdOf = async (name: string) => {
    const [row] = await served.database.sql<{ id: string }[]>`
      select id from account_user where name = ${name}`;
    return row?.id ?? "";
  };

  test("is signed out, may take their data along, and nothing else, until it is deleted", {
    tags: "long",
  }, async () => {
    cookies.gone = await accept("gone", await link("member"));
    const ownerId = await ownerIdOf("gone");
    await write(ownerId);
    ids.personId = await personIdOf("gone");
    expect((await ask("DELETE /api/people/:personId", "member")).status).toBe(403);
    expect((await ask("DELETE /api/people/:personId", "owner")).status).toBe(200);
    expect((await ask("GET /api/sessions", "gone")).status).toBe(401);
    await signInAgain("gone");
    for (const route of handlers.keys()) {
      if (openRoutes.test(route) || takingAlong.includes(route)) continue;
      const { status, text } = await ask(route, "gone");
      expect([route, status, text.includes("account-removed")]).toEqual([route, 403, true]);
    }
    expect((await ask("GET /api/export", "gone")).text).toContain("Words of mine");
    expect(await services().rightsOf(ownerId)).toMatchObject({ isRemoved: true });

    await deleteRemoved(services());
    expect(await ownerIdOf("gone")).toBe(ownerId);
    await served.database.sql`
      update chat_owner set settings = settings || '{"deletesAt": "2020-01-01T00:00:00Z"}'
      where owner_id = ${`account/${ids.personId}`}`;
    await deleteRemoved(services());
    expect(await tablesWith(ownerId, "gone@", ids.personId)).toEqual([]);
  });

  test("is as before once restored", { tags: "long" }, async () => {
    cookies.back = await accept("back", await link("member"));
    ids.personId = await personIdOf("back");
    await ask("DELETE /api/people/:personId", "owner");
    const { text } = await ask("PATCH /api/people/:personId", "owner", {
      body: { isRestored: true },
    });
    expect(text).not.toContain('deletesAt":"');
    await signInAgain("back");
    expect((await ask("GET /api/sessions", "back")).status).toBe(200);
  });
});

const takingAlong = [
  "GET /api/account",
  "DELETE /api/account",
  "GET /api/export",
  "GET /api/projects",
];

async function write(ownerId: PersonId): Promise<void> {
  const { store } = services().acting(inOwnSpace(ownerId));
  await store.sessions.create("Mine", { id: "l" });
  await store.messages("l").appendMessage(user("m", "Words of mine"));
}

async function signInAgain(name: string): Promise<void> {
  const person = { email: `${name}@example.org`, password: `password of ${name}` };
  const answer = await services().accounts?.signIn(person, new Headers());
  cookies[name] = cookiesOf(answer?.headers);
}

async function tablesWith(...words: string[]): Promise<string[]> {
  const { sql } = served.database;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const found: string[] = [];
  for (const { name } of tables) {
    const patterns = words.map((word) => `%${word}%`);
    const left = await sql`
      select from ${identifier(name)} each where to_jsonb(each)::text like any(${patterns})`;
    if (left.length > 0) found.push(name);
  }
  return found;
}
