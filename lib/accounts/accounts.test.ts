import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { localPersonId } from "@/lib/chat/core/person-in-space";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { Accounts } from "./accounts";
import { cookieNameOf } from "./auth";

let database: TestDatabase;
let accounts: Accounts;
const origin = "https://grove.test";
const nobody = new Headers();

beforeAll(async () => {
  database = await createTestDatabase();
  accounts = accountsOn(database);
});
afterAll(() => database.drop());

function accountsOn({ sql }: TestDatabase): Accounts {
  return new Accounts({
    sql,
    origin,
    providers: [],
    secret: async () => "a secret of forty-two characters, no less…",
    onFailure: () => undefined,
  });
}

function cookiesOf(headers: Headers): Headers {
  const pairs = headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  return new Headers({ cookie: pairs.join("; ") });
}

const secretIn = (link: string | null) => new URL(link ?? "").hash.slice(1);
const person = (name: string) => ({
  name,
  email: `${name}@example.org`,
  password: `the password of ${name}`,
});

async function member(name: string): Promise<Headers> {
  const { link } = await accounts.invite({ role: "member", email: null, createdBy: null });
  return cookiesOf(
    (await accounts.accept({ secret: secretIn(link), ...person(name) }, nobody)).cookies,
  );
}

/** Until the trigger is dropped. */
async function failLogins(sql: TestDatabase["sql"]): Promise<void> {
  await sql`
    create function fault() returns trigger language plpgsql as $$ begin raise exception 'a fault'; end $$`;
  await sql`create trigger fault before insert on account_login for each row execute function fault()`;
}

describe("the first account", () => {
  test("is one, however many accept the link at once, and there is no further link", {
    tags: "long",
  }, async () => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    const fresh = accountsOn(other);
    const secret = secretIn(await fresh.firstInvite());
    const names = Array.from({ length: 20 }, (_, n) => `first${n}`);
    const tried = await Promise.allSettled(
      names.map((name) => fresh.accept({ secret, ...person(name) }, nobody)),
    );
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const people = await fresh.store.people();
    expect(people.map(({ role }) => role)).toEqual(["owner"]);
    expect(await fresh.firstInvite()).toBeNull();
  });

  test("is made whole or not at all, and its link lives until somebody can sign in", {
    tags: "long",
  }, async () => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    const fresh = accountsOn(other);
    const { sql } = other;
    const link = await fresh.firstInvite();
    const secret = secretIn(link);
    await failLogins(sql);
    await expect(fresh.accept({ secret, ...person("ada") }, nobody)).rejects.toThrow("a fault");
    expect(await fresh.store.people()).toEqual([]);
    await sql`update account_invite set expires_at = now() - interval '1 year'`;
    // Another process starts meanwhile.
    const second = secretIn(await fresh.firstInvite());
    await sql`drop trigger fault on account_login`;
    await fresh.accept({ secret, ...person("ada"), takesLocalData: true }, nobody);
    expect(await fresh.store.ownsData(localPersonId)).toBe(true);
    expect(await fresh.firstInvite()).toBeNull();
    for (const spent of [secret, second])
      await expect(fresh.openInvite(spent)).rejects.toMatchObject({ code: "invite-invalid" });
  });

  test("can be made where an earlier version left one without a login", {
    tags: "long",
  }, async () => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    const fresh = accountsOn(other);
    await other.sql`
      insert into account_user (id, owner_id, role, name, email)
      values ('half', 'local', 'owner', 'Half', 'half@example.org')`;
    const secret = secretIn(await fresh.firstInvite());
    await fresh.accept({ secret, ...person("half"), takesLocalData: true }, nobody);
    expect(await fresh.store.people()).toMatchObject([{ name: "half", role: "owner" }]);
    expect(await fresh.store.ownsData(localPersonId)).toBe(true);
  });

  test("is one, even if two links to it are open", { tags: "long" }, async () => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    const two = accountsOn(other);
    const invites = [1, 2].map(() => two.invite({ role: "owner", email: null, createdBy: null }));
    const links = await Promise.all(invites);
    const tried = await Promise.allSettled(
      links.map(({ link }, n) =>
        two.accept({ secret: secretIn(link), ...person(`o${n}`), takesLocalData: true }, nobody),
      ),
    );
    expect(tried.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await two.store.people()).toHaveLength(1);
    expect(await two.store.ownsData(localPersonId)).toBe(true);
  });
});

describe("a person", () => {
  test("is known by the cookie of the sign-in, and by no other", { tags: "long" }, async () => {
    const headers = await member("ada");
    expect(await accounts.identify(headers)).toMatchObject({ role: "member" });
    const cookie = headers.get("cookie") ?? "";
    const name = cookieNameOf(origin, "session_token");
    for (const changed of [
      "",
      cookie.replace(name, "grove.session_token"),
      `${cookie}x`.replace(`${name}=`, `${name}=x`),
      `${name}=${"x".repeat(20_000)}`,
      `${name}=%E0%A4%A`,
      `${name}=.`,
    ])
      expect(await accounts.identify(new Headers({ cookie: changed })), changed).toBeNull();
  });

  test("gets cookies that only this host receives, over https, and no script reads", {
    tags: "long",
  }, async () => {
    await member("eve");
    const { headers } = await accounts.signIn(person("eve"), nobody);
    for (const cookie of headers.getSetCookie()) {
      expect(cookie).toMatch(/^__Host-grove\./);
      expect(cookie).toMatch(/; Path=\/;/);
      expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax/);
      expect(cookie).not.toMatch(/Domain/i);
    }
  });

  test("gets another session at every sign-in, whatever cookie came with it", {
    tags: "long",
  }, async () => {
    const first = await member("grace");
    const second = cookiesOf((await accounts.signIn(person("grace"), first)).headers);
    const [one, two] = await Promise.all([accounts.identify(first), accounts.identify(second)]);
    expect(two?.userId).toBe(one?.userId);
    expect(two?.sessionId).not.toBe(one?.sessionId);
  });

  test("signs in with the e-mail address in any case, and not with a wrong password", {
    tags: "long",
  }, async () => {
    await member("mary");
    const { password } = person("mary");
    await accounts.signIn({ email: " MARY@Example.ORG ", password }, nobody);
    for (const wrong of [
      { email: "mary@example.org", password: "wrong" },
      { email: "nobody@example.org", password },
      { email: "no address", password },
    ])
      await expect(accounts.signIn(wrong, nobody)).rejects.toMatchObject({
        code: "wrong-credentials",
        message: "The e-mail address or the password is wrong.",
      });
  });

  test("is unknown at once when the session is ended, has expired, or is signed out", {
    tags: "long",
  }, async () => {
    const revoked = await member("ken");
    const known = await accounts.identify(revoked);
    const { userId = "", sessionId = "" } = known ?? {};
    await accounts.store.endSessions(userId, { only: sessionId });
    expect(await accounts.identify(revoked)).toBeNull();

    const expired = cookiesOf((await accounts.signIn(person("ken"), nobody)).headers);
    await database.sql`update account_session set expires_at = now() - interval '1 s' where user_id = ${userId}`;
    expect(await accounts.identify(expired)).toBeNull();

    const left = cookiesOf((await accounts.signIn(person("ken"), nobody)).headers);
    await accounts.signOut(left);
    expect(await accounts.identify(left)).toBeNull();
  });
});

describe("a link for somebody who cannot sign in", () => {
  test("sets another password, ends devices and the second factor, and works once", {
    tags: "long",
  }, async () => {
    const before = await member("lost");
    const { userId = "" } = (await accounts.identify(before)) ?? {};
    await database.sql`update account_user set two_factor_enabled = true where id = ${userId}`;
    const made = await accounts.recoveryLink(" LOST@example.org");
    const secret = secretIn(made?.link ?? null);
    const next = { ...person("lost"), secret, password: "another long password" };
    const accepted = await accounts.accept(next, nobody);
    expect(accepted).toMatchObject({ isRecovered: true, ended: [expect.any(String)] });
    expect(await accounts.identify(before)).toBeNull();
    expect(await accounts.identify(cookiesOf(accepted.cookies))).toMatchObject({ userId });
    await expect(accounts.signIn(person("lost"), nobody)).rejects.toMatchObject({
      code: "wrong-credentials",
    });
    await expect(accounts.accept(next, nobody)).rejects.toMatchObject({ code: "invite-invalid" });
  });

  test("is for that person alone, expires, and is no invite", { tags: "long" }, async () => {
    await member("found");
    const { link = "" } = (await accounts.recoveryLink("found@example.org")) ?? {};
    const secret = secretIn(link);
    const stranger = accounts.accept({ ...person("stranger"), secret }, nobody);
    await expect(stranger).rejects.toMatchObject({ code: "bad-email" });
    expect(await accounts.store.openInviteFor("found@example.org")).toBeNull();
    expect((await accounts.store.invites()).map(({ email }) => email)).not.toContain(
      "found@example.org",
    );
    await database.sql`update account_invite set expires_at = now() where email = 'found@example.org'`;
    await expect(accounts.openInvite(secret)).rejects.toMatchObject({ code: "invite-invalid" });
    expect(await accounts.recoveryLink("unknown@example.org")).toBeNull();
  });

  test("is for the owner of this Grove without an address, and stays theirs to use", {
    tags: "long",
  }, async () => {
    const other = await createTestDatabase();
    onTestFinished(() => other.drop());
    const fresh = accountsOn(other);
    expect(await fresh.recoveryLink(null)).toBeNull();
    const first = { secret: secretIn(await fresh.firstInvite()), ...person("first") };
    await fresh.accept(first, nobody);
    const made = await fresh.recoveryLink(null);
    expect(made?.email).toBe("first@example.org");
    expect(await fresh.firstInvite()).toBeNull();
    const secret = secretIn(made?.link ?? null);
    await other.sql`update account_invite set expires_at = now() - interval '1 s'`;
    await expect(fresh.openInvite(secret)).rejects.toMatchObject({ code: "invite-invalid" });
  });
});

describe("an invite", () => {
  test("works once, and not when it has expired or was withdrawn", { tags: "long" }, async () => {
    const spent = { code: "invite-invalid" };
    const used = await accounts.invite({ role: "member", email: null, createdBy: null });
    await accounts.accept({ secret: secretIn(used.link), ...person("once") }, nobody);
    const again = { secret: secretIn(used.link), ...person("twice") };
    await expect(accounts.accept(again, nobody)).rejects.toMatchObject(spent);

    const old = await accounts.invite({ role: "member", email: null, createdBy: null });
    await database.sql`update account_invite set expires_at = now() where id = ${old.id}`;
    const late = { secret: secretIn(old.link), ...person("late") };
    await expect(accounts.accept(late, nobody)).rejects.toMatchObject(spent);

    const gone = await accounts.invite({ role: "member", email: null, createdBy: null });
    await accounts.store.deleteInvite(gone.id);
    const withdrawn = { secret: secretIn(gone.link), ...person("gone") };
    await expect(accounts.accept(withdrawn, nobody)).rejects.toMatchObject(spent);
  });

  test("for an address is for that address alone, and survives a refusal", {
    tags: "long",
  }, async () => {
    const { link } = await accounts.invite({
      role: "admin",
      email: "for@example.org",
      createdBy: null,
    });
    const secret = secretIn(link);
    const other = { secret, ...person("other") };
    await expect(accounts.accept(other, nobody)).rejects.toMatchObject({ code: "bad-email" });
    await member("taken");
    const weak = { ...person("for"), secret, password: "short" };
    await expect(accounts.accept(weak, nobody)).rejects.toMatchObject({ code: "bad-password" });
    await accounts.accept({ secret, ...person("for") }, nobody);
  });

  test("makes no second account of an address, in any case, and stays open", {
    tags: "long",
  }, async () => {
    await member("dora");
    const { link } = await accounts.invite({ role: "member", email: null, createdBy: null });
    const secret = secretIn(link);
    const twice = { secret, ...person("dora"), email: "DORA@example.org" };
    await expect(accounts.accept(twice, nobody)).rejects.toMatchObject({ code: "email-taken" });
    await accounts.accept({ secret, ...person("dora2") }, nobody);
  });
});
