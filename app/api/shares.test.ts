import { assistant, user } from "grove-session/testing";
import { JSDOM } from "jsdom";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { previewedPage } from "@/app/_message/page-file/share-links";
import { type AccountsWorld, accountsWorld, origin } from "@/app/api/testing/accounts-world";
import { inOwnSpace } from "@/lib/chat/core/person-in-space";
import { importEverything } from "@/lib/chat/data/portable-data";
import type { HouseSharesWire, ShareContents, SharesWire, ShareWire } from "@/lib/chat/wire/shares";
import type { OwnerServices } from "@/lib/server/owner-services";
import { signInLimits } from "@/lib/server/rate-limits";
import { services } from "@/lib/server/services";

let world: AccountsWorld;
let owner: OwnerServices;
let sessionId: string;

beforeAll(async () => {
  world = await accountsWorld();
  owner = services().acting(inOwnSpace(await world.ownerIdOf("member")));
});
afterAll(() => world.end());

const nothing: ShareContents = {
  ...{ branches: false, reasoning: false, tools: false, files: false, title: false },
};

beforeEach(async () => {
  ({ id: sessionId } = await owner.store.sessions.create("Green tea"));
  const messages = owner.store.messages(sessionId);
  await messages.appendMessage(user("q", "Which tea?"));
  await messages.appendMessage(assistant("a1", "The first answer"));
  await messages.appendMessage(assistant("a2", "The second answer"), "q");
  services().counts.forget("link unknown");
});

async function share(body: object = {}, shows: Partial<ShareContents> = {}): Promise<ShareWire> {
  world.ids.sessionId = sessionId;
  const snapshot = { leafId: "a2", shows: { ...nothing, ...shows } };
  const name = "POST /api/sessions/:sessionId/shares";
  const { status, text } = await world.ask(name, "member", { body: { snapshot, ...body } });
  expect([status, text]).toEqual([201, expect.any(String)]);
  return JSON.parse(text);
}

async function change(id: string, body: object, who = "member") {
  world.ids.shareId = id;
  return world.ask("PATCH /api/shares/:shareId", who, { body });
}

async function listed(): Promise<ShareWire> {
  const { text } = await world.ask("GET /api/shares", "member");
  const [first] = (JSON.parse(text) as SharesWire).shares;
  if (!first) throw new Error("Nothing is shared.");
  return first;
}

interface Visit {
  readonly who?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly password?: string;
  readonly report?: boolean;
}

/** Opens a link as a browser does, at any process. */
async function visit(
  { link }: Pick<ShareWire, "link">,
  { who = "anonymous", query = "", headers = {}, password, report = false }: Visit = {},
): Promise<Response> {
  const token = (link ?? "").split("/").at(-1) ?? "";
  const form = new URLSearchParams({
    ...(password !== undefined && { password }),
    ...(report && { report: "1" }),
  }).toString();
  const method = form === "" ? "GET" : "POST";
  const handler = world.handlers.get(`${method} /shared/:token`);
  if (!handler) throw new Error("There is no such page.");
  const request = new Request(`${origin}/shared/${token}${query}`, {
    method,
    headers: {
      ...{ host: "grove.test", origin, cookie: world.cookies[who] ?? "" },
      ...(form !== "" && { "content-type": "application/x-www-form-urlencoded" }),
      ...headers,
    },
    ...(form !== "" && { body: form }),
  });
  return handler(request, { params: Promise.resolve({ token }) });
}

async function seen(link: Pick<ShareWire, "link">, how?: Visit): Promise<string> {
  const response = await visit(link, how);
  return `${response.status} ${new JSDOM(await response.text()).window.document.body.textContent}`;
}

describe("a link", () => {
  test("leads anyone to the page, without cookies, caches, indexes, scripts or its chat's title in previews", async () => {
    const made = await share();
    expect(made.link).toMatch(/^https:\/\/grove\.test\/shared\/[\w-]{24}$/);
    const response = await visit(made);
    const { headers } = response;
    expect([response.status, headers.get("set-cookie")]).toEqual([200, null]);
    expect(headers.get("cache-control")).toContain("no-store");
    expect(headers.get("x-robots-tag")).toContain("noindex");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.*; sandbox /);
    const { head, body } = new JSDOM(await response.text()).window.document;
    expect(head.querySelector("[property='og:title']")?.getAttribute("content")).toBe(
      "A shared chat",
    );
    expect(body.textContent).toContain("The second answer");
    expect(body.textContent).not.toContain("The first answer");
    expect(body.querySelector("script")).toBeNull();
  });

  test("names the chat in previews where that is allowed", async () => {
    const made = await share({}, { title: true, branches: true });
    const page = await (await visit(made)).text();
    expect(page).toContain(`<meta property="og:title" content="Green tea">`);
    expect(page).toContain("The first answer");
  });

  test("shows what was shared, whatever the chat becomes, until it is updated at the same address", async () => {
    const made = await share();
    await owner.store.messages(sessionId).appendMessage(user("q3", "Said later"), "a2");
    expect(await seen(made)).not.toContain("Said later");
    const snapshot = { leafId: "q3", shows: nothing };
    expect((await change(made.id, { snapshot })).status).toBe(200);
    expect((await listed()).link).toBe(made.link);
    expect(await seen(made)).toContain("Said later");
    await owner.store.sessions.delete(sessionId);
    expect(await seen(made)).toContain("Said later");
    expect((await listed()).isChatGone).toBe(true);
    expect((await change(made.id, { snapshot })).status).toBe(404);
    expect(await seen(made)).toContain("Said later");
  });

  test("is whole for a reader who began before an update", async () => {
    const made = await share();
    const begun = await visit(made);
    const snapshot = { leafId: "a1", shows: nothing };
    await change(made.id, { snapshot });
    expect(await begun.text()).toContain("The second answer");
    expect(await seen(made)).toContain("The first answer");
  });

  test("shares only the page that its person saw", async () => {
    const sha256 = "0".repeat(64);
    world.ids.sessionId = sessionId;
    const snapshot = { leafId: "a2", shows: nothing, sha256 };
    const name = "POST /api/sessions/:sessionId/shares";
    const refused = await world.ask(name, "member", { body: { snapshot } });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("page-changed")]);
    const address = `${origin}/api/sessions/${sessionId}/export?as=share&leaf=a2`;
    const headers = { host: "grove.test", cookie: world.cookies.member ?? "" };
    const preview = await world.handlers.get("GET /api/sessions/:sessionId/export")?.(
      new Request(address, { headers }),
      { params: Promise.resolve({ sessionId }) },
    );
    const previewed = previewedPage((await preview?.text()) ?? "");
    expect(previewed.page).toMatch(/<\/html>\n$/);
    await share({ snapshot: { leafId: "a2", shows: nothing, sha256: previewed.sha256 } });
  });

  test("that ended, expired, is unknown or is of a removed account leads nowhere, in the same words", {
    tags: "long",
  }, async () => {
    const unknown = await seen({ link: "https://grove.test/shared/guessed" });
    expect(unknown).toMatch(/^404 .*leads nowhere/);
    const stopped = await share();
    world.ids.shareId = stopped.id;
    expect((await world.ask("DELETE /api/shares/:shareId", "admin")).status).toBe(404);
    expect(await seen(stopped)).toContain("200");
    expect((await world.ask("DELETE /api/shares/:shareId", "member")).status).toBe(200);
    expect((await world.ask("DELETE /api/shares/:shareId", "member")).status).toBe(404);
    expect(await seen(stopped)).toBe(unknown);
    const { sql } = world.database;
    const [expired, ofRemoved] = [await share(), await share()];
    await sql`update chat_share set expires_at = now() where share_id = ${expired.id}`;
    expect(await seen(expired)).toBe(unknown);
    const [row] = await sql<{ id: string }[]>`select id from account_user where name = 'member'`;
    const policy = `account/${row?.id}`;
    await sql`
      insert into chat_owner (owner_id, settings) values (${policy}, '{"deletesAt": "2100-01-01T00:00:00Z"}')`;
    expect(await seen(ofRemoved)).toBe(unknown);
    await sql`delete from chat_owner where owner_id = ${policy}`;
    expect(await seen(ofRemoved)).toContain("200");
  });

  test("of a project leads nowhere once the project is deleted", async () => {
    const space = `p-${crypto.randomUUID()}`;
    await world.ask("POST /api/projects", "member", { body: { id: space, name: "Tea" } });
    const title = "Of the project";
    const made = await world.ask("POST /api/sessions", "member", { space, body: { title } });
    world.ids.sessionId = JSON.parse(made.text).id;
    const body = { snapshot: { leafId: null, shows: nothing } };
    const name = "POST /api/sessions/:sessionId/shares";
    const shared: ShareWire = JSON.parse((await world.ask(name, "member", { space, body })).text);
    expect(await seen(shared)).toMatch(/^200 .*Of the project/s);
    world.ids.spaceId = space;
    await world.ask("DELETE /api/projects/:spaceId", "member");
    expect(await seen(shared)).toMatch(/^404 /);
  });

  test("is refused where its page passes what its person may store", async () => {
    const policy = `account/${(await services().accounts?.store.personAt("member@example.org"))?.id}`;
    const { sql } = world.database;
    await sql`
      insert into chat_owner (owner_id, settings)
      values (${policy}, '{"limits": {"monthlyDollars": null, "messagesPerDay": null, "storedMegabytes": 0}}')`;
    world.ids.sessionId = sessionId;
    const body = { snapshot: { leafId: "a2", shows: nothing } };
    const refused = await world.ask("POST /api/sessions/:sessionId/shares", "member", { body });
    await sql`delete from chat_owner where owner_id = ${policy}`;
    expect([refused.status, refused.text]).toEqual([413, expect.stringContaining("storage-full")]);
  });

  test("ends for a reader of a large page, too, and in every process", {
    tags: "long",
  }, async () => {
    const random = Array.from({ length: 24 }, () =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("base64"),
    ).join(" ");
    await owner.store.messages(sessionId).appendMessage(user("long", random), "a2");
    const made = await share({ snapshot: { leafId: "long", shows: nothing } });
    const begun = await visit(made);
    const reader = begun.body?.getReader();
    await reader?.read();
    const own = services();
    Reflect.deleteProperty(globalThis, "groveServices");
    const other = services();
    const there = await seen(made);
    await own.sql`delete from chat_share where share_id = ${made.id}`;
    expect([there.slice(0, 3), (await seen(made)).slice(0, 3)]).toEqual(["200", "404"]);
    await Promise.all([other.sql.end({ timeout: 1 }), other.chunkSql.end({ timeout: 1 })]);
    Object.assign(globalThis, { groveServices: own });
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow("ended while it was read");
  });

  test("counts views of others that are no programs", async () => {
    const made = await share();
    await visit(made);
    await visit(made, { who: "admin" });
    await visit(made, { who: "member" });
    await visit(made, { headers: { "user-agent": "Slackbot-LinkExpanding 1.0" } });
    expect(await listed()).toMatchObject({ views: 2, lastViewedAt: expect.any(String) });
  });

  test("is kept as a hash, and its token is in no row", async () => {
    const { link, id } = await share();
    const [row] = await world.database.sql`select * from chat_share where share_id = ${id}`;
    expect(JSON.stringify(row)).not.toContain(link?.split("/").at(-1));
  });

  test("of guesses becomes slow, from one address", async () => {
    const headers = { "x-grove-address": "203.0.113.7" };
    const guess = () => visit({ link: "/guessed" }, { headers });
    for (let n = 0; n < 60; n++) expect((await guess()).status).toBe(404);
    expect((await guess()).status).toBe(429);
    expect((await visit({ link: "/guessed" })).status).toBe(404);
  });
});

describe("a link for", () => {
  test("people of this Grove sends others to the sign-in page, and is nothing to the removed", async () => {
    const made = await share({ audience: "house" });
    const stranger = await visit(made);
    expect([stranger.status, stranger.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(/^\/sign-in\?next=%2Fshared%2F/),
    ]);
    expect((await visit(made, { who: "admin" })).status).toBe(200);
    expect((await change(made.id, { audience: "anyone" })).status).toBe(200);
    expect((await visit(made)).status).toBe(200);
  });

  test("named people leads only those anywhere, and names nobody unknown", async () => {
    const people = ["admin@example.org"];
    const made = await share({ audience: "people", people });
    expect(made.people).toEqual(people);
    expect((await visit(made, { who: "admin" })).status).toBe(200);
    expect((await visit(made, { who: "owner" })).status).toBe(404);
    expect((await visit(made, { who: "member" })).status).toBe(200);
    const refused = await change(made.id, { people: ["nobody@example.org"] });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("Nobody here")]);
  });

  test("those who know its password opens only with that, a few tries at a time", {
    tags: "long",
  }, async () => {
    const made = await share({ password: "under the birch" });
    expect(await seen(made)).toMatch(/^200 .*has a password/s);
    expect(await seen(made, { query: "?save=copy" })).toMatch(/^200 .*has a password/s);
    expect(await seen(made, { password: "under the beech" })).toMatch(/^403 .*not the password/s);
    expect(await seen(made, { password: "under the birch" })).toContain("The second answer");
    const from = { headers: { "x-grove-address": "203.0.113.9" } };
    for (let n = 0; n < 10; n++) await visit(made, { password: "wrong", ...from });
    expect((await visit(made, { password: "under the birch", ...from })).status).toBe(429);
    expect((await change(made.id, { password: null })).status).toBe(200);
    expect(await seen(made)).toContain("The second answer");
  });

  test("every reader who knows its password opens, however many have", {
    tags: "long",
  }, async () => {
    const made = await share({ password: "under the birch" });
    const { accountAnywhere } = signInLimits;
    for (let n = 1; n < accountAnywhere.most; n++)
      services().counts.take(`password of ${made.id}`, accountAnywhere);
    for (let n = 0; n < 3; n++)
      expect(await seen(made, { password: "under the birch" })).toContain("The second answer");
    expect((await visit(made, { password: "wrong" })).status).toBe(403);
    expect((await visit(made, { password: "under the birch" })).status).toBe(429);
  });

  test("that ended is not updated without a new end", async () => {
    const made = await share();
    await world.database
      .sql`update chat_share set expires_at = now() - interval '1 hour' where share_id = ${made.id}`;
    const snapshot = { leafId: "a2", shows: nothing };
    expect((await change(made.id, { snapshot })).text).toContain("share-expired");
    expect((await change(made.id, { snapshot, expiresAt: null })).status).toBe(200);
    expect(await seen(made)).toContain("The second answer");
  });
});

describe("an administrator", () => {
  const found = async () =>
    (JSON.parse((await world.ask("GET /api/people/shares", "admin")).text) as HouseSharesWire)
      .shares;

  test("opens a page only once it was reported, and takes it down for good", async () => {
    const made = await share();
    const [first] = (await found()).filter(({ id }) => id === made.id);
    expect(first).toMatchObject({ who: "member", reports: 0, link: null });
    expect(JSON.stringify(first)).not.toContain("Green tea");
    expect(await seen(made, { query: "?report" })).toMatch(/^200 .*Report this page/s);
    expect(await seen(made, { report: true })).toMatch(/^200 .*Reported/s);
    const [reported] = await found();
    expect(reported).toMatchObject({ id: made.id, reports: 1, link: made.link });
    world.ids.shareId = made.id;
    const take = (who: string) => world.ask("DELETE /api/people/shares/:shareId", who);
    expect((await take("member")).status).toBe(403);
    expect((await take("admin")).status).toBe(200);
    expect(await seen(made)).toMatch(/^404 /);
    expect(await listed()).toMatchObject({ isTakenDown: true });
    const snapshot = { leafId: "a2", shows: nothing };
    expect((await change(made.id, { snapshot })).status).toBe(403);
    const pieces = await world.database
      .sql`select from chat_share_piece where share_id = ${made.id}`;
    expect(pieces).toHaveLength(0);
  });

  test("opens no reported page that has a password", { tags: "long" }, async () => {
    const made = await share({ password: "under the birch" });
    await seen(made, { report: true });
    expect((await found()).find(({ id }) => id === made.id)).toMatchObject({
      reports: 1,
      link: null,
    });
  });
});

describe("continuing as mine", () => {
  const copy = (link: string | null, who: string, body: object = {}) =>
    world.ask("POST /api/shares/copies", who, {
      body: { token: link?.split("/").at(-1), id: crypto.randomUUID(), ...body },
    });

  test("copies what the page shows into a chat of the reader's, each time another", async () => {
    const file = await owner.files.put(Buffer.from("leaves"), { name: "tea.txt" });
    const url = `grove-file:${file.sha256}`;
    const part = { type: "file", url, filename: "tea.txt", mediaType: file.mediaType };
    await owner.store
      .messages(sessionId)
      .appendMessage({ id: "f", role: "user", parts: [part] }, "a2");
    await owner.store
      .messages(sessionId)
      .appendMessage(assistant("g", "One\u2028two\u2029three"), "f");
    const snapshot = { leafId: "g", shows: { ...nothing, branches: true, files: true } };
    const { link } = await share({ snapshot });
    const admin = services().acting(inOwnSpace(await world.ownerIdOf("admin")));
    for (let n = 0; n < 2; n++) {
      const copied = await copy(link, "admin");
      expect([copied.status, copied.text]).toEqual([201, expect.any(String)]);
      const { sessionId: own } = JSON.parse(copied.text);
      const tree = await admin.store.messages(own).getTree();
      expect(tree.map(({ id, parentId }) => [id, parentId])).toEqual([
        ["m1", null],
        ["m2", "m1"],
        ["m3", "m1"],
        ["m4", "m3"],
        ["m5", "m4"],
      ]);
      const leaf = await admin.store.messages(own).getLatestLeaf();
      expect(leaf).toMatchObject({ id: "m5", parts: [{ text: "One\u2028two\u2029three" }] });
    }
    expect(await admin.files.get(file.sha256)).toMatchObject({ size: 6 });
  });

  test("needs the password, and a link that leads somewhere", async () => {
    const { link } = await share({ password: "under the birch" });
    expect((await copy(link, "admin", { password: "wrong one" })).status).toBe(403);
    expect((await copy(link, "admin", { password: "under the birch" })).status).toBe(201);
    expect((await copy("/unknown", "admin")).status).toBe(404);
  });
});

describe("what is saved from a page", () => {
  test("is the page without its links, and a chat that can be imported, with nothing else of it", async () => {
    const parts = [
      { type: "reasoning", text: "A secret thought" },
      {
        ...{ type: "dynamic-tool", toolName: "look_up", toolCallId: "c" },
        ...{ state: "output-available", input: { q: "private" }, output: "found it" },
      },
      { type: "text", text: "Said aloud" },
    ];
    const messages = owner.store.messages(sessionId);
    await messages.appendMessage({ id: "thought", role: "assistant", parts }, "q");
    await messages.setLabel("thought", "My own name for it");
    const made = await share({ snapshot: { leafId: "thought", shows: nothing } });
    const page = await (await visit(made, { query: "?save=page" })).text();
    expect(page).toContain("Said aloud");
    expect(page).not.toContain("?save=");
    const saved = await visit(made, { query: "?save=copy" });
    expect(saved.headers.get("content-disposition")).toContain("Green tea.jsonl");
    const lines = await saved.text();
    for (const secret of ["secret", "private", "found it", "own name", "first answer", "thought"])
      expect(lines).not.toContain(secret);
    const admin = services().acting(inOwnSpace(await world.ownerIdOf("admin")));
    const each = lines.split("\n").filter(Boolean);
    const report = await importEverything(
      admin,
      (async function* () {
        yield* each.map((line) => `${line}\n`);
      })(),
    );
    expect(report).toMatchObject({ sessions: { imported: 1 }, offerCount: 0 });
    const history = await admin.store.messages(made.id).getHistory();
    expect(history.map(({ id, parts: of }) => [id, of])).toEqual([
      ["m1", [{ type: "text", text: "Which tea?" }]],
      ["m2", [{ type: "text", text: "Said aloud" }]],
    ]);
  });
});
