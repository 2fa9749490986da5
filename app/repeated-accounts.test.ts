import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { POST as acceptPost } from "@/app/api/account/accept/route";
import { POST as keyPost } from "@/app/api/keys/route";
import { POST as linkPost } from "@/app/api/people/[personId]/link/route";
import { PATCH as rolePatch } from "@/app/api/people/[personId]/route";
import { POST as invitePost } from "@/app/api/people/invites/route";
import { services } from "@/lib/server/services";
import { startTestServices, type TestServices } from "@/lib/server/testing/test-services";

const origin = "https://grove.test";
const admin = "ada@example.org";
let served: TestServices;
let cookie: string;

beforeAll(async () => {
  served = await startTestServices({ HOST: "127.0.0.1", GROVE_ORIGIN: origin });
  const { cookies } = await accepted(admin, await link("owner"));
  cookie = cookies;
});
afterAll(() => served.end());
beforeEach(async () => {
  await served.database.sql`delete from account_invite where used_at is null`;
});

async function link(role: "owner" | "member"): Promise<string> {
  const made = await services().accounts?.invite({ role, email: null, createdBy: null });
  return new URL(made?.link ?? "").hash.slice(1);
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(`${origin}${path}`, {
    method: "POST",
    headers: { host: "grove.test", origin, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

const none = { params: Promise.resolve({}) };

async function accepted(email: string, secret: string, password = `password of ${email}`) {
  const body = { secret, email, password, name: email };
  const response = await acceptPost(post("/api/account/accept", body), none);
  const cookies = response.headers.getSetCookie().map((each) => each.split(";", 1)[0]);
  return { status: response.status, body: await response.json(), cookies: cookies.join("; ") };
}

const invite = (name: string) =>
  invitePost(
    post("/api/people/invites", { role: "member" }, { cookie, "idempotency-key": name }),
    none,
  );

const invites = () => served.database.sql`select id from account_invite where used_at is null`;
const interrupt = () =>
  served.database.sql`update chat_request set state = 'running', claimed_until = now()`;

test("an invite asked for again is one, with a link that opens it", { tags: "long" }, async () => {
  const [one, other] = await Promise.all([invite("a"), invite("a")]);
  expect([one.status, other.status]).toEqual([201, 201]);
  const { link: made } = await one.json();
  expect(await other.json()).toEqual({ link: made });
  expect(await invites()).toHaveLength(1);
  expect((await accepted("bob@example.org", new URL(made).hash.slice(1))).status).toBe(201);
});

test("an invite whose process died gets another link, unless it was used, and is never two", {
  tags: "long",
}, async () => {
  const { link: first } = await (await invite("b")).json();
  await interrupt();
  const { link: second } = await (await invite("b")).json();
  expect(second).not.toBe(first);
  expect(await invites()).toHaveLength(1);
  expect((await accepted("eve@example.org", new URL(first).hash.slice(1))).status).toBe(410);
  expect((await accepted("eve@example.org", new URL(second).hash.slice(1))).status).toBe(201);
  await interrupt();
  expect((await invite("b")).status).toBe(410);
  expect(await invites()).toHaveLength(0);
});

test("who administers no longer gets no answer again", async () => {
  const { sql } = served.database;
  expect((await invite("c")).status).toBe(201);
  await sql`update account_user set role = 'member' where email = ${admin}`;
  expect((await invite("c")).status).toBe(403);
  await sql`update account_user set role = 'owner' where email = ${admin}`;
});

test("an account asked for twice is one, and the second request is signed in, too", {
  tags: "long",
}, async () => {
  const secret = await link("member");
  const both = await Promise.all([1, 2].map(() => accepted("ken@example.org", secret)));
  for (const { status, body, cookies } of both) {
    expect([status, body]).toEqual([201, { ok: true }]);
    expect(cookies).toContain("session_token");
  }
  expect((await accepted("ken@example.org", secret)).status).toBe(201);
  const { sql } = served.database;
  expect(await sql`select from account_user where email = 'ken@example.org'`).toHaveLength(1);
});

test("a link for a forgotten password asked for again is one, and chooses a new password", {
  tags: "long",
}, async () => {
  const { sql } = served.database;
  const email = "tom@example.org";
  const { cookies: own } = await accepted(email, await link("member"));
  const [tom] = await sql<{ id: string }[]>`select id from account_user where email = ${email}`;
  const params = Promise.resolve({ personId: tom?.id ?? "" });
  const ask = (headers: Record<string, string>) =>
    linkPost(post(`/api/people/${tom?.id}/link`, {}, headers), { params });
  expect((await ask({ cookie: own })).status).toBe(403);
  await sql`
    update account_session set created_at = now() - interval '11 minutes', confirmed_at = null`;
  const unconfirmed = await ask({ cookie });
  expect([unconfirmed.status, (await unconfirmed.json()).error.code]).toEqual([
    403,
    "confirm-first",
  ]);
  await sql`update account_session set confirmed_at = now()`;

  const again = { cookie, "idempotency-key": "password" };
  const [one, other] = await Promise.all([ask(again), ask(again)]);
  expect([one.status, other.status]).toEqual([201, 201]);
  const { link: made } = await one.json();
  expect(await other.json()).toEqual({ link: made });
  const secret = new URL(made).hash.slice(1);
  expect((await accepted("eve@example.org", secret)).status).toBe(400);
  expect((await accepted(email, secret, "one more set of words")).status).toBe(201);
  expect((await accepted(email, secret, "yet another set of words")).status).toBe(410);
  const linkFor = async (name: string) => {
    const { link: found } = await (await ask({ cookie, "idempotency-key": name })).json();
    return new URL(found).hash.slice(1);
  };
  const [lost, newest] = [await linkFor("lost"), await linkFor("newest")];
  expect((await accepted(email, lost, "words of a lost link")).status).toBe(410);
  expect((await accepted(email, newest, "words of the newest link")).status).toBe(201);
  const about = await sql`
    select kind from account_event where subject = ${tom?.id ?? ""} and kind = 'password-link-made'`;
  expect(about).toHaveLength(3);
});

test("links for passwords end with the role of who made them, and none is made for who was removed", {
  tags: "long",
}, async () => {
  const { sql } = served.database;
  const personOf = async (email: string) => {
    const { cookies } = await accepted(email, await link("member"));
    const [found] = await sql<{ id: string }[]>`
      select id from account_user where email = ${email}`;
    return { id: found?.id ?? "", cookies };
  };
  const helper = await personOf("helper@example.org");
  const patient = await personOf("patient@example.org");
  await sql`update account_user set role = 'admin' where id = ${helper.id}`;
  const params = Promise.resolve({ personId: patient.id });
  const ask = (by: string) =>
    linkPost(post(`/api/people/${patient.id}/link`, {}, { cookie: by }), { params });
  await sql`update account_session set confirmed_at = now()`;
  const { link: made } = await (await ask(helper.cookies)).json();
  const change = rolePatch(
    new Request(`${origin}/api/people/${helper.id}`, {
      method: "PATCH",
      headers: { host: "grove.test", origin, "content-type": "application/json", cookie },
      body: JSON.stringify({ role: "member" }),
    }),
    { params: Promise.resolve({ personId: helper.id }) },
  );
  expect((await change).status).toBe(200);
  const secret = new URL(made).hash.slice(1);
  expect((await accepted("patient@example.org", secret, "words of a former helper")).status).toBe(
    410,
  );
  await services().accounts?.store.policies.change(patient.id, { deletesAt: new Date(9e12) });
  expect((await ask(cookie)).status).toBe(403);
});

test("a used link makes nothing for anybody else, nor with another password", {
  tags: "long",
}, async () => {
  const secret = await link("member");
  await accepted("zoe@example.org", secret);
  for (const end of [
    await accepted("mallory@example.org", secret),
    await accepted("zoe@example.org", secret, "another password"),
  ])
    expect(end).toMatchObject({
      status: 410,
      body: { error: { code: "invite-invalid" } },
      cookies: "",
    });
  await served.database.sql`update account_invite set used_at = now() - interval '25 hours'`;
  expect((await accepted("zoe@example.org", secret)).status).toBe(410);
});

test("a key whose process died gets another secret, unless it was used, and is never two", {
  tags: "long",
}, async () => {
  const body = {
    ...{ name: "Key", usesApi: true, mcp: [], canWrite: true, usesMemory: false },
    ...{ models: null, monthlyLimit: null, keeps: "asked" as const, blocks: null },
  };
  const make = () => keyPost(post("/api/keys", body, { cookie, "idempotency-key": "k" }), none);
  const { sql } = served.database;
  await sql`update account_session set confirmed_at = now()`;
  const first = await (await make()).json();
  await interrupt();
  const second = await (await make()).json();
  expect(second.key.id).toBe(first.key.id);
  expect(second.secret).not.toBe(first.secret);
  await sql`update chat_key set last_used_at = now()`;
  await interrupt();
  const last = await make();
  expect([last.status, (await last.json()).error.code]).toEqual([409, "key-exists"]);
  expect(await sql`select from chat_key`).toHaveLength(1);
});
