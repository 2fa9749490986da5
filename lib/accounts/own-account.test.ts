import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { Accounts } from "./accounts";
import { beginTwoFactor, changePassword, ownAddress } from "./own-account";

let database: TestDatabase;
let accounts: Accounts;
const origin = "https://grove.test";

beforeAll(async () => {
  database = await createTestDatabase();
  accounts = new Accounts({
    sql: database.sql,
    origin,
    providers: [],
    secret: async () => "a secret of forty-two characters, no less…",
    onFailure: () => undefined,
  });
});
afterAll(() => database.drop());

function cookiesOf(headers: Headers): Headers {
  const pairs = headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  return new Headers({ cookie: pairs.join("; ") });
}

async function member(name: string): Promise<Headers> {
  const { link } = await accounts.invite({ role: "member", email: null, createdBy: null });
  const secret = new URL(link).hash.slice(1);
  const person = { secret, name, email: `${name}@example.org`, password: `password of ${name}` };
  return cookiesOf((await accounts.accept(person, new Headers())).cookies);
}

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "javascript:alert(1)",
  "https://grove.test.evil.example/",
  "https://grove.test@evil.example/",
  "http://grove.test/",
])("a sign-in never ends at %s", (next) => {
  expect(ownAddress(origin, next)).toBe(`${origin}/`);
});

test("a sign-in ends at the path that was asked for", () => {
  expect(ownAddress(origin, "/s/1?leaf=2")).toBe(`${origin}/s/1?leaf=2`);
});

test("an invite's link has the configured address, whatever the request's host says", async () => {
  const { link } = await accounts.invite({ role: "member", email: null, createdBy: null });
  expect(link).toMatch(/^https:\/\/grove\.test\/welcome#[\w-]{43}$/);
});

test("changing the password ends every other device, and needs the present one", {
  tags: "long",
}, async () => {
  const other = await member("ada");
  const email = "ada@example.org";
  const signedIn = await accounts.signIn({ email, password: "password of ada" }, new Headers());
  const headers = cookiesOf(signedIn.headers);
  const next = "another long password";
  const wrong = changePassword({ accounts, headers }, { current: "wrong", next });
  await expect(wrong).rejects.toMatchObject({ code: "wrong-credentials" });
  const cookies = await changePassword({ accounts, headers }, { current: "password of ada", next });
  expect(await accounts.identify(other)).toBeNull();
  expect(await accounts.identify(cookiesOf(cookies))).toMatchObject({ role: "member" });
  const old = accounts.signIn({ email, password: "password of ada" }, new Headers());
  await expect(old).rejects.toMatchObject({ code: "wrong-credentials" });
});

test("a second factor is not on before a code confirmed it", { tags: "long" }, async () => {
  const headers = await member("bob");
  const wrong = beginTwoFactor({ accounts, headers }, "wrong");
  await expect(wrong).rejects.toMatchObject({ code: "wrong-credentials" });
  const made = await beginTwoFactor({ accounts, headers }, "password of bob");
  expect(made.uri).toMatch(/^otpauth:\/\/totp\//);
  expect(made.recoveryCodes.length).toBeGreaterThan(5);
  const again = await accounts.signIn(
    { email: "bob@example.org", password: "password of bob" },
    new Headers(),
  );
  expect(again.needsCode).toBe(false);
});
