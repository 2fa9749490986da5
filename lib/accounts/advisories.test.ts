import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { Accounts } from "./accounts";
import { cookieNameOf } from "./auth";
import {
  addPasskey,
  beginProviderSignIn,
  beginTwoFactor,
  confirmTwoFactor,
  passkeyOptions,
} from "./own-account";
import {
  clientId,
  clientSecret,
  type OidcProvider,
  startOidcProvider,
} from "./testing/oidc-provider";

// Published advisories about the login library, replayed here: later versions, and other settings, must not bring them back.
const origin = "https://grove.test";
const base = `${origin}/sign-in/oidc`;
const nobody = new Headers();
let database: TestDatabase;
let provider: OidcProvider;
let accounts: Accounts;

beforeAll(async () => {
  [database, provider] = await Promise.all([createTestDatabase(), startOidcProvider()]);
  accounts = accountsOn(database);
});
afterAll(() => Promise.all([database.drop(), provider.stop()]));

function accountsOn({ sql }: TestDatabase): Accounts {
  return new Accounts({
    sql,
    origin,
    providers: [
      {
        id: "oidc",
        name: "Login",
        discoveryUrl: `${provider.issuer}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        scopes: ["openid", "email"],
      },
    ],
    secret: async () => "a secret of forty-two characters, no less…",
    onFailure: () => undefined,
  });
}

function cookiesOf(headers: Headers): Headers {
  const pairs = headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  return new Headers({ cookie: pairs.join("; ") });
}

async function member(name: string): Promise<Headers> {
  const { link } = await accounts.invite({ role: "member", email: null, createdBy: null });
  const secret = new URL(link).hash.slice(1);
  const person = { secret, name, email: `${name}@example.org`, password: `password of ${name}` };
  return cookiesOf((await accounts.accept(person, nobody)).cookies);
}

/** As the one served path would hand it to the library. */
function ask(path: string, { headers = nobody, body }: { headers?: Headers; body?: unknown } = {}) {
  const sent = new Headers(headers);
  sent.set("origin", origin);
  if (body !== undefined) sent.set("content-type", "application/json");
  const method = body === undefined ? "GET" : "POST";
  const init = { method, headers: sent, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return accounts.handle(new Request(`${base}${path}`, init), { invite: null });
}

const elsewhere = [
  "https://evil.example",
  "//evil.example/x",
  "/\\evil.example",
  "/\\/evil.example",
  "https://grove.test.evil.example",
  "https://grove.test@evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "/%5cevil.example",
  "\t//evil.example",
];

describe("CVE-2025-71403: a callback address that leads elsewhere", () => {
  test.each(elsewhere)("is never followed: %j", async (next) => {
    const begun = await beginProviderSignIn(
      { accounts, headers: nobody },
      { provider: "oidc", next },
    );
    const claims = { sub: "ada", name: "Ada", email: "ada@example.org", email_verified: true };
    await accounts.invite({ role: "member", email: "ada@example.org", createdBy: null });
    const back = provider.consent(begun.page, claims);
    const headers = cookiesOf(begun.cookies);
    const response = await accounts.handle(new Request(back, { headers }), { invite: null });
    expect(new URL(response.headers.get("location") ?? "").origin).toBe(origin);
  });

  test.each(elsewhere)("is refused by the library itself, too: %j", async (callbackURL) => {
    const response = await ask("/sign-in/social", {
      body: { provider: "oidc", callbackURL, errorCallbackURL: callbackURL },
    });
    const said = await response.text();
    const target = response.headers.get("location") ?? "";
    expect([response.ok && said.includes("evil.example"), /evil/.test(target)]).toEqual([
      false,
      false,
    ]);
  });
});

test("CVE-2025-61928: no key is made for a person whom the request names", {
  tags: "long",
}, async () => {
  const headers = await member("victim");
  const { userId = "" } = (await accounts.identify(headers)) ?? {};
  for (const path of [
    "/api-key/create",
    "/api-key/update",
    "/callback/..%2f..%2fapi-key%2fcreate",
  ]) {
    const response = await ask(path, { body: { userId, name: "mine", permissions: {} } });
    expect([path, response.ok]).toEqual([path, false]);
    expect(await accounts.identify(cookiesOf(response.headers))).toBeNull();
  }
});

test("GHSA-xg6x-h9c9-2m83: a password alone opens nothing where a second factor is on", {
  tags: "long",
}, async () => {
  const headers = await member("two");
  const { uri } = await beginTwoFactor({ accounts, headers }, "password of two");
  await confirmTwoFactor({ accounts, headers }, codeOf(uri));
  const signedIn = await accounts.signIn(
    { email: "two@example.org", password: "password of two" },
    nobody,
  );
  expect(signedIn.needsCode).toBe(true);
  const half = cookiesOf(signedIn.headers);
  expect(await accounts.identify(half)).toBeNull();
  const { api } = await accounts.auth();
  expect(await api.getSession({ headers: half })).toBeNull();
  expect(half.get("cookie")).not.toMatch(/session_(data|token)=[^;]/);
  const begin = beginTwoFactor({ accounts, headers: half }, "password of two");
  await expect(begin).rejects.toMatchObject({ code: "signed-out" });
});

test("GHSA-x732-6j76-qmhm: doubled slashes reach nothing that is not served", {
  tags: "long",
}, async () => {
  await member("slash");
  const body = { email: "slash@example.org", password: "password of slash" };
  for (const path of [
    "//sign-up/email",
    "///sign-up/email",
    "/sign-up//email",
    "/./sign-up/email",
  ]) {
    const response = await ask(path, { body: { ...body, name: "S", email: "new@example.org" } });
    expect([path, response.ok]).toEqual([path, false]);
  }
  const people = await accounts.store.people();
  expect(people.map(({ email }) => email)).not.toContain("new@example.org");
});

test("GHSA-569q-mpph-wgww: the first request does not choose the address", async () => {
  const other = await createTestDatabase();
  const fresh = accountsOn(other);
  const headers = new Headers({
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "http",
  });
  await fresh.handle(new Request("https://evil.example/sign-in/oidc/ok", { headers }), {
    invite: null,
  });
  const { page } = await beginProviderSignIn(
    { accounts: fresh, headers },
    { provider: "oidc", next: "/" },
  );
  const back = new URL(page).searchParams.get("redirect_uri");
  expect(back).toBe(`${base}/callback/oidc`);
  await other.drop();
});

test("GHSA-g38m-r43w-p2q7: an address at a sign-in server takes over no account", {
  tags: "long",
}, async () => {
  const own = await member("same");
  const begun = await beginProviderSignIn(
    { accounts, headers: nobody },
    { provider: "oidc", next: "/" },
  );
  const claims = { sub: "not same", name: "S", email: "same@example.org", email_verified: true };
  const headers = cookiesOf(begun.cookies);
  const back = provider.consent(begun.page, claims);
  const response = await accounts.handle(new Request(back, { headers }), { invite: null });
  expect(response.headers.get("location")).toContain("error=account_not_linked");
  const { userId = "" } = (await accounts.identify(own)) ?? {};
  expect((await accounts.store.loginsOf(userId)).map(({ providerId }) => providerId)).toEqual([
    "credential",
  ]);
});

test("a passkey is added by a person who is signed in alone, for themselves", async () => {
  for (const headers of [
    nobody,
    new Headers({ cookie: `${cookieNameOf(origin, "session_token")}=x.y` }),
  ]) {
    await expect(passkeyOptions({ accounts, headers })).rejects.toMatchObject({
      code: "signed-out",
    });
    const adding = addPasskey({ accounts, headers }, { name: "Mine", answer: {} });
    await expect(adding).rejects.toMatchObject({ code: "passkey-failed" });
  }
  const [count] = await database.sql<
    [{ n: number }]
  >`select count(*)::int as n from account_passkey`;
  expect(count.n).toBe(0);
});

/** The present code for the key of an address. @see https://www.rfc-editor.org/rfc/rfc6238 */
function codeOf(uri: string): string {
  const key = new URL(uri).searchParams.get("secret") ?? "";
  const bits = [...key]
    .map((letter) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
    )
    .join("");
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac("sha1", Buffer.from(bytes)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
