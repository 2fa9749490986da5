import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { Accounts } from "./accounts";
import { beginJoining, beginProviderSignIn } from "./own-account";
import {
  type Claims,
  clientId,
  clientSecret,
  type Dishonesty,
  type OidcProvider,
  startOidcProvider,
} from "./testing/oidc-provider";

const origin = "https://grove.test";
const nobody = new Headers();
let database: TestDatabase;
let provider: OidcProvider;
let accounts: Accounts;

beforeAll(async () => {
  [database, provider] = await Promise.all([createTestDatabase(), startOidcProvider()]);
  accounts = accountsWith(provider);
});
afterAll(() => Promise.all([database.drop(), provider.stop()]));

function accountsWith({ issuer }: OidcProvider): Accounts {
  return new Accounts({
    sql: database.sql,
    origin,
    providers: [
      {
        id: "oidc",
        name: "Login",
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        scopes: ["openid", "profile", "email"],
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

async function inviteFor(email: string | null, role: "member" | "admin" = "member") {
  const { link } = await accounts.invite({ role, email, createdBy: null });
  return new URL(link).hash.slice(1);
}

function person(name: string, more: Claims = {}): Claims {
  return {
    sub: `id of ${name}`,
    name,
    email: `${name}@example.org`,
    email_verified: true,
    ...more,
  };
}

interface Attempt {
  readonly invite?: string | null;
  readonly dishonesty?: Dishonesty;
  readonly back?: (url: URL) => void;
  readonly cookies?: Headers;
}

/** The place where it ended, and who is signed in then. */
async function signIn(claims: Claims, attempt: Attempt = {}) {
  const begun = await beginProviderSignIn(
    { accounts, headers: nobody },
    { provider: "oidc", next: "/s/1" },
  );
  return comeBack(begun, claims, attempt);
}

async function comeBack(
  { page, cookies }: { page: string; cookies: Headers },
  claims: Claims,
  { invite = null, dishonesty = {}, back, cookies: other }: Attempt = {},
) {
  const url = provider.consent(page, claims, dishonesty);
  back?.(url);
  const headers = other ?? cookiesOf(cookies);
  const response = await accounts.handle(new Request(url, { headers }), { invite });
  return ended(response);
}

async function ended(response: Response) {
  const signedIn = await accounts.identify(cookiesOf(response.headers));
  const location = new URL(response.headers.get("location") ?? "about:blank");
  return {
    status: response.status,
    place: `${location.origin}${location.pathname}`,
    error: location.searchParams.get("error"),
    userId: signedIn?.userId ?? null,
    role: signedIn?.role ?? null,
  };
}

async function peopleCalled(email: string): Promise<number> {
  const people = await accounts.store.people();
  return people.filter((each) => each.email === email).length;
}

const refused = { place: `${origin}/sign-in`, userId: null };

describe("somebody whom a sign-in server knows", () => {
  test("gets an account by the link of an invite, and signs in with it from then on", async () => {
    const invite = await inviteFor(null, "admin");
    const first = await signIn(person("ada"), { invite });
    expect(first).toMatchObject({ place: `${origin}/s/1`, role: "admin", error: null });
    const again = await signIn(person("ada"));
    expect(again).toMatchObject({ place: `${origin}/s/1`, userId: first.userId });
    // The subject is the identity, not what it says of itself.
    const renamed = await signIn(person("ada", { email: "other@example.org", name: "Countess" }));
    expect(renamed.userId).toBe(first.userId);
    expect(await signIn(person("eve"), { invite })).toMatchObject(refused);
  });

  test("gets one by an invite for their verified address, in any case", async () => {
    await inviteFor("grace@example.org");
    const came = await signIn(person("grace", { email: "GRACE@Example.ORG" }));
    expect(came).toMatchObject({ role: "member", error: null });
    expect(await peopleCalled("grace@example.org")).toBe(1);
  });

  test("gets one by the same invite after a fault between the account and its login", {
    tags: "long",
  }, async () => {
    const invite = await inviteFor("joan@example.org");
    const { sql } = database;
    await sql`
      create function fault() returns trigger language plpgsql as $$ begin raise exception 'a fault'; end $$`;
    await sql`create trigger fault before insert on account_login for each row execute function fault()`;
    await signIn(person("joan"), { invite }).catch(() => null);
    await sql`drop trigger fault on account_login`;
    expect(await peopleCalled("joan@example.org")).toBe(0);
    expect(await signIn(person("joan"), { invite })).toMatchObject({ role: "member", error: null });
  });

  test("gets none without an invite, or with an address that is not verified", async () => {
    expect(await signIn(person("nobody"))).toMatchObject(refused);
    await inviteFor("mary@example.org");
    for (const email_verified of [false, undefined, "false", 0, null, [], "yes"])
      expect(await signIn(person("mary", { email_verified })), `${email_verified}`).toMatchObject(
        refused,
      );
    expect(await peopleCalled("mary@example.org")).toBe(0);
    expect(await signIn(person("mary"))).toMatchObject({ role: "member" });
  });

  test("gets none by an invite for another address", async () => {
    const invite = await inviteFor("for@example.org");
    expect(await signIn(person("thief"), { invite })).toMatchObject(refused);
    expect(await peopleCalled("thief@example.org")).toBe(0);
  });

  test("is no one else for having the same address", { tags: "long" }, async () => {
    const secret = await inviteFor(null);
    const email = "dora@example.org";
    await accounts.accept({ secret, name: "Dora", email, password: "password of dora" }, nobody);
    for (const claimed of [email, "DORA@example.org"])
      expect(await signIn(person("false dora", { email: claimed }))).toMatchObject({
        ...refused,
        error: "account_not_linked",
      });
    expect(await peopleCalled(email)).toBe(1);
  });

  test("joins an identity to an account from within it, whatever its address", {
    tags: "long",
  }, async () => {
    const secret = await inviteFor(null);
    const own = { secret, name: "Ken", email: "ken@example.org", password: "password of ken" };
    const headers = cookiesOf((await accounts.accept(own, nobody)).cookies);
    const known = await accounts.identify(headers);
    const begun = await beginJoining({ accounts, headers }, "oidc");
    const both = `${headers.get("cookie")}; ${cookiesOf(begun.cookies).get("cookie")}`;
    await comeBack(begun, person("ken", { email: "ken@work.example" }), {
      cookies: new Headers({ cookie: both }),
    });
    expect((await signIn(person("ken", { email: "ken@work.example" }))).userId).toBe(known?.userId);
  });

  test("may say anything else of themselves, which is not used", async () => {
    const claims = {
      role: "owner",
      ownerId: "local",
      id: "someone",
      groups: ["admin"],
      emailVerified: true,
      picture: "javascript:alert(1)",
      name: { first: "Odd" },
      locale: 7,
    };
    const came = await signIn(person("odd", claims), { invite: await inviteFor(null) });
    const rows = await database.sql<{ role: string; ownerId: string }[]>`
      select role, owner_id as "ownerId" from account_user where email = 'odd@example.org'`;
    expect(rows.filter(({ role, ownerId }) => role !== "member" || ownerId === "local")).toEqual(
      [],
    );
    expect(came.place).toMatch(/^https:\/\/grove\.test\//);
  });
});

const seconds = () => Math.floor(Date.now() / 1_000);

describe("an answer of a sign-in server", () => {
  const dishonest: readonly (readonly [string, () => Dishonesty])[] = [
    ["of another issuer", () => ({ claims: { iss: "https://evil.example" } })],
    ["for another client", () => ({ claims: { aud: "another" } })],
    ["without a client", () => ({ claims: { aud: undefined } })],
    ["to another question", () => ({ claims: { nonce: "another" } })],
    ["to no question", () => ({ claims: { nonce: undefined } })],
    ["that is over", () => ({ claims: { exp: seconds() - 120, iat: seconds() - 400 } })],
    [
      "of a clock an hour behind",
      () => ({ claims: { exp: seconds() - 3_300, iat: seconds() - 3_600 } }),
    ],
    ["that begins in an hour", () => ({ claims: { nbf: seconds() + 3_600 } })],
    ["without an end", () => ({ claims: { exp: undefined } })],
    ["about nobody", () => ({ claims: { sub: undefined } })],
    ["signed with another key", () => ({ isForged: true })],
    ["that nobody signed", () => ({ isUnsigned: true })],
  ];

  test.each(dishonest)("%s is refused", async (_, dishonesty) => {
    await inviteFor("vic@example.org");
    const came = await signIn(person("vic"), { dishonesty: dishonesty() });
    expect(came).toMatchObject({ ...refused, error: expect.any(String) });
    expect(await peopleCalled("vic@example.org")).toBe(0);
  });

  test("that differs by half a minute of clocks is taken", async () => {
    const claims = { exp: seconds() - 15, iat: seconds() + 15 };
    const invite = await inviteFor(null);
    expect(await signIn(person("late"), { invite, dishonesty: { claims } })).toMatchObject({
      role: "member",
    });
  });

  test("works once, for the browser and the question that it belongs to", async () => {
    const invite = await inviteFor(null);
    await signIn(person("lin"), { invite });
    const begun = await beginProviderSignIn(
      { accounts, headers: nobody },
      { provider: "oidc", next: "/" },
    );
    const headers = cookiesOf(begun.cookies);
    const url = provider.consent(begun.page, person("lin"));
    const ask = async (to: URL | string, by: Headers) =>
      ended(await accounts.handle(new Request(to, { headers: by }), { invite: null }));
    expect(await ask(url, nobody)).toMatchObject(refused);
    const other = await beginProviderSignIn(
      { accounts, headers: nobody },
      { provider: "oidc", next: "/" },
    );
    expect(await ask(url, cookiesOf(other.cookies))).toMatchObject(refused);
    const forged = new URL(url);
    forged.searchParams.set("state", "guessed");
    expect(await ask(forged, headers)).toMatchObject(refused);
  });

  test("cannot be replayed", async () => {
    await signIn(person("rae"), { invite: await inviteFor(null) });
    const begun = await beginProviderSignIn(
      { accounts, headers: nobody },
      { provider: "oidc", next: "/" },
    );
    const headers = cookiesOf(begun.cookies);
    const url = provider.consent(begun.page, person("rae"));
    const ask = async () =>
      ended(await accounts.handle(new Request(url, { headers }), { invite: null }));
    expect(await ask()).toMatchObject({ error: null, role: "member" });
    expect(await ask()).toMatchObject(refused);
  });

  test("from another server than the one asked is refused", async () => {
    const back = (url: URL) => url.searchParams.set("iss", "https://evil.example");
    expect(await signIn(person("ada"), { back })).toMatchObject(refused);
  });

  test("with another code, or none, is refused", async () => {
    for (const code of ["guessed", ""]) {
      const back = (url: URL) => url.searchParams.set("code", code);
      expect(await signIn(person("ada"), { back })).toMatchObject(refused);
    }
  });
});

describe("a sign-in server that does not answer", () => {
  test("is said in a sentence, and holds up nobody else", { tags: "long" }, async () => {
    const secret = await inviteFor(null);
    const own = { secret, name: "Own", email: "own@example.org", password: "password of own" };
    const headers = cookiesOf((await accounts.accept(own, nobody)).cookies);
    const begun = await beginProviderSignIn(
      { accounts, headers: nobody },
      { provider: "oidc", next: "/" },
    );
    await provider.stop();
    onTestFinished(() => provider.start());
    expect(await comeBack(begun, person("ada"))).toMatchObject({
      ...refused,
      error: "invalid_code",
    });
    expect(await accounts.identify(headers)).toMatchObject({ role: "member" });
    const { email, password } = own;
    expect(await accounts.signIn({ email, password }, nobody)).toMatchObject({ needsCode: false });

    // Also when it was away at the start.
    const fresh = accountsWith(provider);
    expect(await fresh.identify(headers)).toMatchObject({ role: "member" });
    const beginning = beginProviderSignIn(
      { accounts: fresh, headers: nobody },
      { provider: "oidc", next: "/" },
    );
    await expect(beginning).rejects.toMatchObject({
      code: "sign-in-failed",
      message: expect.stringContaining("does not answer"),
    });
    await provider.start();
    const back = beginProviderSignIn(
      { accounts: fresh, headers: nobody },
      { provider: "oidc", next: "/" },
    );
    expect((await back).page).toContain(provider.issuer);
    await provider.stop();
  });
});
