import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressHeader } from "@/lib/accounts/address-header";
import { services } from "@/lib/server/services";
import { type AccountsWorld, accountsWorld } from "./testing/accounts-world";

let world: AccountsWorld;

beforeAll(async () => {
  world = await accountsWorld();
});
afterAll(() => world.end());

const key = {
  name: "A program",
  canWrite: true,
  usesMemory: false,
  models: null,
  monthlyLimit: null,
  mcp: [],
};
const waysIn: readonly (readonly [string, unknown])[] = [
  ["POST /api/account/passkeys/options", {}],
  ["POST /api/account/passkeys", { name: "A passkey", answer: {} }],
  ["DELETE /api/account/passkeys/:passkeyId", {}],
  ["POST /api/account/logins", { provider: "oidc" }],
  ["DELETE /api/account/logins/:loginId", {}],
  ["POST /api/keys", key],
];

async function open(name: string, { cookie = "", from = "192.0.2.1", body = {} as unknown } = {}) {
  const request = new Request(`https://grove.test${name.split(" ")[1]}`, {
    method: name.split(" ")[0] ?? "",
    headers: {
      host: "grove.test",
      origin: "https://grove.test",
      "content-type": "application/json",
      [addressHeader]: from,
      cookie,
    },
    body: JSON.stringify(body),
  });
  const response = await world.handlers.get(name)?.(request, { params: Promise.resolve({}) });
  if (!response) throw new Error(`There is no ${name}.`);
  return response;
}

const cookiesOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");

async function ageSessions(name: string): Promise<void> {
  await world.database.sql`
    update account_session set created_at = now() - interval '11 minutes', confirmed_at = null
    where user_id = (select id from account_user where name = ${name})`;
}

describe("a change of the ways into an account", () => {
  test("asks who it is when the sign-in was a while ago, and goes on once confirmed", {
    tags: "long",
  }, async () => {
    await world.join("ada", "member");
    expect((await world.ask("POST /api/keys", "ada", { body: key })).status).toBe(201);
    await ageSessions("ada");
    for (const [name, body] of waysIn) {
      const { status, text } = await world.ask(name, "ada", { body });
      expect([name, status, text.includes("confirm-first")]).toEqual([name, 403, true]);
    }
    expect((await world.ask("GET /api/account", "ada")).status).toBe(200);
    const confirm = (proof: unknown) =>
      world.ask("POST /api/account/confirm", "ada", { body: proof });
    for (const wrong of [
      { password: "wrong" },
      { password: "" },
      { code: "000000" },
      { passkey: { id: "another's" } },
      { passkey: {} },
    ])
      expect((await confirm(wrong)).status, JSON.stringify(wrong)).toBe(403);
    expect((await confirm({})).status).toBe(400);
    expect((await world.ask("POST /api/keys", "ada", { body: key })).status).toBe(403);
    const space = `p-${crypto.randomUUID()}`;
    const withProject = { ...key, space, newProject: "Tea" };
    expect((await world.ask("POST /api/keys", "ada", { body: withProject })).status).toBe(403);
    expect((await world.ask("GET /api/projects", "ada")).text).not.toContain(space);
    expect(await confirm({ password: "password of ada" })).toMatchObject({ status: 200 });
    expect((await world.ask("POST /api/keys", "ada", { body: key })).status).toBe(201);
  });

  test("asks an administrator before a key for everyone, and before nothing else for them", {
    tags: "long",
  }, async () => {
    await world.join("dora", "admin");
    await ageSessions("dora");
    const house = async (changes: Readonly<Record<string, string>>) =>
      (await world.ask("PATCH /api/settings/house", "dora", { body: changes })).status;
    expect(await house({ GROVE_MAX_FILE_MB: "30", OPENAI_API_KEY: "sk-another" })).toBe(403);
    expect(await house({ GROVE_MAX_FILE_MB: "30" })).toBe(200);
  });

  test("asks an account without a password before a second factor", { tags: "long" }, async () => {
    await world.join("bob", "member");
    await world.database.sql`
      update account_login set provider_id = 'oidc', password = null
      where user_id = (select id from account_user where name = 'bob')`;
    await ageSessions("bob");
    const { status, text } = await world.ask("POST /api/account/two-factor", "bob", {
      body: { password: "anything" },
    });
    expect([status, text.includes("confirm-first")]).toEqual([403, true]);
  });

  test("ends tries of a found browser after ten, on that browser alone", {
    tags: "long",
  }, async () => {
    await world.join("eve", "member");
    await ageSessions("eve");
    const body = { password: "wrong" };
    const tried: number[] = [];
    for (let n = 0; n < 11; n++)
      tried.push((await world.ask("POST /api/account/confirm", "eve", { body })).status);
    expect(tried).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
    const signIn = { email: "eve@example.org", password: "password of eve" };
    const elsewhere = await open("POST /api/account/sign-in", { body: signIn });
    expect(elsewhere.status).toBe(200);
  });
});

describe("wrong tries of others", () => {
  test("lock nobody out who signs in from a known device, whatever address they come from", {
    tags: "long",
  }, async () => {
    await world.join("grace", "member");
    const right = { email: "grace@example.org", password: "password of grace" };
    const first = await open("POST /api/account/sign-in", { body: right, from: "192.0.2.7" });
    const known = cookiesOf(first);
    const wrong = { ...right, password: "wrong" };
    // Without hashing each: the limit comes first.
    const { accounts } = services();
    const signIn = accounts?.signIn;
    if (accounts)
      accounts.signIn = async () => {
        throw Object.assign(new Error("wrong"), { code: "wrong-credentials" });
      };
    for (let n = 0; n < 210; n++)
      await open("POST /api/account/sign-in", { body: wrong, from: `198.51.100.${n % 250}` });
    for (let n = 0; n < 65; n++)
      await open("POST /api/account/sign-in", { body: wrong, from: "192.0.2.7" });
    if (accounts && signIn) accounts.signIn = signIn;
    const asked = (cookie: string, from: string) =>
      open("POST /api/account/sign-in", { body: right, cookie, from });
    expect((await asked("", "203.0.113.9")).status).toBe(429);
    expect((await asked(known, "192.0.2.7")).status).toBe(200);
    const other = known.replace(/(device=)[^;]*/, "$1made-up.AAAA");
    expect((await asked(other, "203.0.113.9")).status).toBe(429);
    const ofAnother = { email: "owner@example.org", password: "password of owner" };
    const shared = await open("POST /api/account/sign-in", { body: ofAnother, cookie: known });
    expect(shared.status).toBe(200);
    // The browser is known to both now, and remembers neither address.
    expect(cookiesOf(shared)).not.toMatch(/grace|owner/);
    expect((await asked(cookiesOf(shared), "192.0.2.7")).status).toBe(200);
  });
});
