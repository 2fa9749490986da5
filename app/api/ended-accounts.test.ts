import { SessionEvents } from "grove-session";
import { connect } from "grove-session/postgres";
import { user } from "grove-session/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { inOwnSpace, type PersonId } from "@/lib/chat/core/person-in-space";
import type { PeopleWire } from "@/lib/chat/wire/accounts";
import { identifier } from "@/lib/postgres/connections/sql";
import { deleteRemoved, deleteWithoutAccount, finishClearings } from "@/lib/server/ended-accounts";
import { ownerServices } from "@/lib/server/owner-services";
import { services } from "@/lib/server/services";
import { type AccountsWorld, accountsWorld } from "./testing/accounts-world";

let world: AccountsWorld;

beforeAll(async () => {
  world = await accountsWorld();
});
afterAll(() => world.end());

const program = {
  name: "A program",
  canWrite: true,
  usesMemory: true,
  models: null,
  monthlyLimit: null,
  mcp: [],
};

/** Services of another process, as it has found the owner before the deletion began. */
function otherProcess(ownerId: PersonId) {
  const sql = connect(world.database.url, { max: 4, onnotice: () => undefined });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const events = new SessionEvents(ownerId);
  return ownerServices({ sql, chunkSql: sql, ...inOwnSpace(ownerId), events });
}

/** Of the owner's chat, under another id. */
async function* exported(n: number) {
  const lines = services()
    .acting(inOwnSpace(await world.ownerIdOf("owner")))
    .data.export({ sessionId: "s" });
  for await (const line of lines) yield line.replaceAll('"s"', `"imported ${n}"`);
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

type Act = (n: number) => Promise<unknown>;

/** Every kind of write, through routes of this process and the services of another. */
function writersOf(name: string, ownerId: PersonId, key: string): Act[] {
  const { owner, temporary, ...other } = ((made) => ({ owner: made, ...made }))(
    otherProcess(ownerId),
  );
  const said = (n: number) => ({ parts: [{ type: "text", text: `Hello ${n}` }], generate: false });
  return [
    (n) =>
      world.ask("POST /api/sessions/:sessionId/messages", name, {
        body: { id: `m${n}`, ...said(n), newSession: {} },
      }),
    (n) => world.ask("PATCH /api/settings", name, { body: { customName: `Name ${n}` } }),
    () => world.ask("POST /api/keys", name, { body: program }),
    () =>
      world.ask("POST /api/account/sign-in", "anonymous", {
        body: { email: `${name}@example.org`, password: `password of ${name}` },
      }),
    (n) =>
      world.ask("POST /v1/conversations", "anonymous", {
        key,
        body: { items: [{ type: "message", role: "user", content: `Said ${n}` }] },
      }),
    async (n) => {
      await other.store.sessions.create("Another", { id: `s${n}` });
      await other.store.messages(`s${n}`).appendMessage(user("q", "Words"));
      await other.store.sessions.fork(`s${n}`, "q", "Fork", { id: `f${n}` });
      await other.store.sessions.delete(`f${n}`);
    },
    async (n) => {
      await temporary.store.sessions.create("Shortly", { id: `t${n}` });
      await temporary.store.messages(`t${n}`).appendMessage(user("q", "Words"));
    },
    async (n) => other.blocks.text({ label: "memory", sessionId: null }).set(`Fact ${n}`),
    (n) => owner.settings.change({ customName: `Other ${n}` }),
    (n) => other.files.put(new Blob([`file ${n}`]).stream(), { name: "a.txt" }),
    (n) => other.data.import(exported(n), { onSettings: async () => [] }),
    (n) =>
      other.usage.record({
        id: `u${n}`,
        kind: "answer",
        sessionId: `s${n}`,
        model: "test/model",
        inputTokens: 1,
        cachedTokens: 0,
        outputTokens: 1,
        cost: 0,
        isReported: true,
      }),
  ];
}

/** Writes on and on until told to stop. @returns what was answered with 500, or thrown other than as a refusal. */
function keepWriting(acts: readonly Act[]) {
  let isOver = false;
  const faults: string[] = [];
  const note = (problem: unknown) => faults.push(String(problem));
  const writing = acts.map(async (act, place) => {
    for (let n = place * 10_000; !isOver; n++) {
      try {
        const answer = (await act(n)) as { status?: number; text?: string } | undefined;
        if (answer?.status !== undefined && answer.status >= 500 && answer.status !== 503)
          note(`${place}: ${answer.status} ${answer.text}`);
      } catch (error) {
        if (!isRefusal(error)) note(`${place}: ${String(error)}`);
      }
      await pause(20);
    }
  });
  onTestFinished(() => {
    isOver = true;
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(writing);
      return [...new Set(faults)];
    },
  };
}

/** True for what routes answer with a sentence. */
function isRefusal(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const { code } = each as Error & { code?: string };
    if (/^(GR\d+|23503|session-not-found|message-not-found|block-not-found)$/.test(code ?? ""))
      return true;
  }
  return false;
}

async function rowsOf(ownerId: string): Promise<Record<string, number>> {
  const { sql } = world.database;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'owner_id' and table_name like 'chat\\_%'`;
  const left: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql<{ n: number }[]>`
      select count(*)::integer as n from ${identifier(name)}
      where split_part(owner_id, chr(31), 1) = ${ownerId}`;
    if (row && row.n > 0) left[name] = row.n;
  }
  return left;
}

async function prepared(name: string) {
  await world.join(name, "member");
  const ownerId = await world.ownerIdOf(name);
  const { text } = await world.ask("POST /api/keys", name, { body: program });
  await noteExport(name);
  return { ownerId, key: (JSON.parse(text) as { secret: string }).secret };
}

async function noteExport(name: string): Promise<void> {
  const [row] = await world.database.sql<{ id: string }[]>`
    select id from account_user where name = ${name}`;
  await services().accounts?.store.log.note({ kind: "exported", actor: row?.id ?? "" });
}

test("a person whose account cannot be deleted now stays signed in", { tags: "long" }, async () => {
  await noteExport("owner");
  const email = { email: "owner@example.org" };
  expect((await world.ask("DELETE /api/account", "owner", { body: email })).status).toBe(403);
  const { sql } = world.database;
  const { ownerId } = await prepared("waiting");
  await sql`insert into chat_clearing (owner_id, kind) values (${ownerId}, 'data')`;
  const body = { email: "waiting@example.org" };
  expect((await world.ask("DELETE /api/account", "waiting", { body })).status).toBe(503);
  for (const name of ["owner", "waiting"])
    expect((await world.ask("GET /api/account", name)).status).toBe(200);
  await sql`delete from chat_clearing where owner_id = ${ownerId}`;
  expect((await world.ask("DELETE /api/account", "waiting", { body })).status).toBe(200);
  expect((await world.ask("GET /api/account", "waiting")).status).toBe(401);
});

describe("while its person and their programs write on", () => {
  test("an account is deleted whole, and nothing is stored for it afterwards", {
    tags: "long",
  }, async () => {
    const { ownerId, key } = await prepared("leaver");
    const writers = keepWriting(writersOf("leaver", ownerId, key));
    await pause(300);
    const body = { email: "leaver@example.org" };
    const answer = await world.ask("DELETE /api/account", "leaver", { body });
    await pause(300);
    const faults = await writers.stop();
    expect({ answer: answer.status, faults }).toEqual({ answer: 200, faults: [] });
    expect(await rowsOf(ownerId)).toEqual({});
    expect(await world.ownerIdOf("leaver")).toBe("");
  });

  test("everything is deleted whole, and what comes afterwards is stored whole", {
    tags: "long",
  }, async () => {
    const { ownerId, key } = await prepared("clearer");
    const writers = keepWriting(writersOf("clearer", ownerId, key));
    await pause(300);
    const { status } = await world.ask("DELETE /api/data", "clearer", {
      body: { confirm: "delete everything" },
    });
    await pause(100);
    const faults = await writers.stop();
    expect({ status, faults }).toEqual({ status: 200, faults: [] });
    const [half] = await world.database.sql`
      select message.owner_id from chat_message message
      left join chat_session session
        on session.owner_id = message.owner_id and session.session_id = message.session_id
      where split_part(message.owner_id, chr(31), 1) = ${ownerId} and session.session_id is null`;
    expect(half).toBeUndefined();
    expect(
      await world.ask("DELETE /api/data", "clearer", { body: { confirm: "delete everything" } }),
    ).toMatchObject({ status: 200 });
    expect(Object.keys(await rowsOf(ownerId))).toEqual(["chat_owner"]);
  });
});

describe("a removed account that cannot be deleted", () => {
  test("keeps none of the others, and is shown to administrators", { tags: "long" }, async () => {
    const { sql } = world.database;
    const names = ["stuck", "first", "second"];
    for (const name of names) await world.join(name, "member");
    const ids = await sql<{ id: string; name: string; owner_id: string }[]>`
      select id, name, owner_id from account_user where name = any(${names})`;
    for (const { id } of ids)
      await services().accounts?.store.policies.change(id, { deletesAt: new Date(0) });
    const stuck = ids.find(({ name }) => name === "stuck");
    await sql`
      insert into chat_session (owner_id, session_id, title) values (${stuck?.owner_id ?? ""}, 's', 'Stuck')`;
    await sql.unsafe(`
      create function stuck() returns trigger language plpgsql as $$ begin raise exception 'a fault'; end $$;
      create trigger stuck before delete on chat_session for each row
      when (old.title = 'Stuck') execute function stuck()`);
    for (let sweep = 0; sweep < 2; sweep++) {
      await deleteRemoved(services());
      await sql`update chat_clearing set renewed_at = now() - interval '2 minutes'`;
    }
    expect(await Promise.all(names.map(world.ownerIdOf))).toEqual([stuck?.owner_id, "", ""]);
    const { people } = JSON.parse((await world.ask("GET /api/people", "admin")).text) as PeopleWire;
    const shown = people.find(({ id }) => id === stuck?.id);
    expect(shown?.deletionFailedAt).toEqual(expect.any(String));
    const { text } = await world.ask("GET /api/people/events", "admin");
    expect(text.match(/account-not-deleted/g)).toHaveLength(1);
    // Half of it is gone, so it is not given back.
    const signIn = { email: "stuck@example.org", password: "password of stuck" };
    const tried = await world.ask("POST /api/account/sign-in", "anonymous", { body: signIn });
    expect(tried).toMatchObject({ status: 410 });
    await sql`drop trigger stuck on chat_session`;
    await deleteRemoved(services());
    expect(await rowsOf(stuck?.owner_id ?? "")).toEqual({});
    expect(await world.ownerIdOf("stuck")).toBe("");
  });
});

describe("a sweep", () => {
  test("goes on with a deletion whose process died", { tags: "long" }, async () => {
    const { ownerId } = await prepared("half");
    const { sql } = world.database;
    await sql`
      insert into chat_clearing (owner_id, kind, renewed_at)
      values (${ownerId}, 'account', now() - interval '2 minutes')`;
    await finishClearings(services(), "account");
    expect(await rowsOf(ownerId)).toEqual({});
    expect(await world.ownerIdOf("half")).toBe("");
  });

  test("deletes owners without an account, and no other", { tags: "long" }, async () => {
    const { sql } = world.database;
    const orphan = crypto.randomUUID();
    const kept = [orphan.toUpperCase(), "program", "local", await world.ownerIdOf("owner")];
    for (const owner of [orphan, ...kept])
      await sql`insert into chat_session (owner_id, session_id) values (${owner}, 'kept')`;
    await sql`insert into chat_session (owner_id, session_id) values (${`${orphan}\u001ftemporary`}, 't')`;
    const before = await Promise.all(kept.map(rowsOf));
    await deleteWithoutAccount(services());
    expect(await rowsOf(orphan)).not.toEqual({});
    await deleteWithoutAccount(services());
    expect(await rowsOf(orphan)).toEqual({});
    expect(await Promise.all(kept.map(rowsOf))).toEqual(before);
    const late = sql`insert into chat_session (owner_id, session_id) values (${orphan}, 'late')`;
    await expect(late).rejects.toMatchObject({ code: "GR013" });
  });
});

test("a person who signs out leaves no file of theirs in the browser's cache", {
  tags: "long",
}, async () => {
  await world.join("shared", "member");
  const handler = world.handlers.get("POST /api/account/sign-out");
  const headers = { host: "grove.test", origin: "https://grove.test" };
  const request = new Request("https://grove.test/api/account/sign-out", {
    method: "POST",
    headers: {
      ...headers,
      cookie: world.cookies.shared ?? "",
      "content-type": "application/json",
    },
    body: "{}",
  });
  const response = await handler?.(request, { params: Promise.resolve({}) });
  expect(response?.headers.get("clear-site-data")).toBe('"cache"');
});
