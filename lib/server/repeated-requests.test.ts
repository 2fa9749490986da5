import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Making } from "@/lib/chat/core/making";
import { identifier } from "@/lib/postgres/connections/sql";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresRequests, removeOldRequests } from "@/lib/storage/postgres-requests";
import {
  answerOnce,
  type RepeatableRequest,
  type RequestMemory,
  requestNameIn,
} from "./repeated-requests";
import { SecretBox } from "./secret-box";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  [database, folder] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), "grove-requests-")),
  ]);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

const { signal } = new AbortController();

function newOwner() {
  const ownerId = crypto.randomUUID();
  const memory = {
    requests: new PostgresRequests(database.sql, ownerId),
    secrets: new SecretBox(join(folder, "key")),
  };
  const made: string[] = [];
  const make = async ({ id }: Making) => {
    made.push(id);
    return Response.json({ id, secret: "pelican" }, { status: 201 });
  };
  const ask = (request: Partial<RepeatableRequest> = {}, answer = make) =>
    answerOnce(memory, { caller: "c", name: "n", content: "what", signal, ...request }, answer);
  const change = (set: "expires_at" | "claimed_until") =>
    database.sql`update chat_request set ${identifier(set)} = now() where owner_id = ${ownerId}`;
  const stored = () => database.sql`select * from chat_request where owner_id = ${ownerId}`;
  return { ask, made, change, stored, memory };
}

const failing = async () => {
  throw new Error("It failed.");
};
/** Answers once it is let go. */
function held() {
  const ids: string[] = [];
  const { promise, resolve } = Promise.withResolvers<Response>();
  const answer = async ({ id }: Making) => {
    ids.push(id);
    return promise;
  };
  const letGo = () => resolve(Response.json({ id: "late" }));
  return { ids, answer, letGo, runs: () => expect.poll(() => ids).toHaveLength(1) };
}

test("a repeated request gets the first answer, which says that it is one", async () => {
  const { ask, made } = newOwner();
  const first = await ask();
  const again = await ask();
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(await again.json()).toEqual(await first.json());
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(made).toHaveLength(1);
});

test("20 at once are answered once", async () => {
  const { ask, made } = newOwner();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(bodies).size).toBe(1);
  expect(made).toHaveLength(1);
});

test("other content under the same name is a conflict, whether the first is done, failed or runs", async () => {
  const { ask } = newOwner();
  const refusal = { status: 409, code: "conflict" };
  await ask();
  await expect(ask({ content: "else" })).rejects.toMatchObject(refusal);
  await expect(ask({ name: "failed" }, failing)).rejects.toThrow("It failed.");
  await expect(ask({ name: "failed", content: "else" })).rejects.toMatchObject(refusal);
  const { answer, letGo, runs } = held();
  const running = ask({ name: "running" }, answer);
  await runs();
  await expect(ask({ name: "running", content: "else" })).rejects.toMatchObject(refusal);
  letGo();
  await running;
});

test("values in another order are the same content", async () => {
  const { ask, made } = newOwner();
  await ask({ content: [{ a: 1, b: { c: 2, d: 3 } }] });
  await ask({ content: [{ b: { d: 3, c: 2 }, a: 1 }] });
  expect(made).toHaveLength(1);
});

test("callers and owners have names of their own", async () => {
  const [one, other] = [newOwner(), newOwner()];
  await one.ask();
  await one.ask({ caller: "another key", content: "else" });
  await other.ask({ content: "else" });
  expect(new Set([...one.made, ...other.made]).size).toBe(3);
});

test("a failed request is tried again at once, and makes what has the same id", async () => {
  const { ask, made } = newOwner();
  const ids: string[] = [];
  const half = async ({ id }: Making) => {
    ids.push(id);
    throw new Error("It failed.");
  };
  await expect(ask({}, half)).rejects.toThrow("It failed.");
  await ask();
  expect(made).toEqual(ids);
});

test("a request whose process died is taken over under the same id, which its late answer does not replace", async () => {
  const { ask, made, change } = newOwner();
  const { ids, answer, letGo, runs } = held();
  const late = ask({}, answer);
  await runs();
  await change("claimed_until");
  const first = await ask();
  expect(made).toEqual(ids);
  letGo();
  await late;
  expect(await (await ask()).json()).toEqual(await first.json());
});

test("after a day the name is free, and makes something else", async () => {
  const { ask, made, change } = newOwner();
  await ask();
  await change("expires_at");
  expect((await ask({ content: "else" })).headers.get("idempotent-replayed")).toBeNull();
  expect(new Set(made).size).toBe(2);
});

test("an answer that began is answered again from what it made, and waits for nothing", async () => {
  const { ask } = newOwner();
  const ids: string[] = [];
  const { promise, resolve } = Promise.withResolvers<Response>();
  const first = ask({}, async ({ id, begun }) => {
    ids.push(id);
    await begun();
    return promise;
  });
  await expect.poll(() => ids).toHaveLength(1);
  const again = await ask({}, async ({ id, hasBegun }) => Response.json({ id, hasBegun }));
  expect(await again.json()).toEqual({ id: ids[0], hasBegun: true });
  resolve(Response.json({}));
  await first;
});

test("an answer too large to keep, and one that is not to be kept, are not given again", async () => {
  const { ask, made } = newOwner();
  const large = async () => Response.json("x".repeat(1_000_001));
  expect((await ask({ name: "large" }, large)).status).toBe(200);
  await ask({ name: "private", keepsAnswer: false });
  const refusal = { status: 409, code: "request-done" };
  await expect(ask({ name: "large" })).rejects.toMatchObject(refusal);
  await expect(ask({ name: "private", keepsAnswer: false })).rejects.toMatchObject(refusal);
  expect(made).toHaveLength(1);
});

test("an answer that cannot be remembered is given, and the next is made under the same id", async () => {
  const { ask, made, memory } = newOwner();
  const away = () => Promise.reject(new Error("The database is away."));
  const { requests: there } = memory;
  const requests: RequestMemory["requests"] = {
    claim: (named, leaseMs) => there.claim(named, leaseMs),
    renew: (held, leaseMs) => there.renew(held, leaseMs),
    release: (held) => there.release(held),
    begin: away,
    end: away,
  };
  const begins = async (making: Making) => {
    made.push(making.id);
    await making.begun();
    return Response.json({});
  };
  const request = { caller: "c", name: "n", content: "what", signal };
  expect((await answerOnce({ ...memory, requests }, request, begins)).status).toBe(200);
  await ask();
  expect(new Set(made).size).toBe(1);
});

test("cookies are for one browser: such an answer is made again", async () => {
  const { ask } = newOwner();
  const withCookie = async () => Response.json({}, { headers: { "set-cookie": "a=b" } });
  await ask({}, withCookie);
  expect((await ask({}, withCookie)).headers.get("set-cookie")).toBe("a=b");
});

test("neither what is asked nor what is answered can be read in the database", async () => {
  const { ask, stored } = newOwner();
  await ask({ content: { password: "heron" }, name: "my name" });
  const text = JSON.stringify(await stored());
  expect(text).not.toMatch(/pelican|heron|my name/);
});

test("the oldest answers of an owner with many or large ones go first", async () => {
  const { ask, stored } = newOwner();
  for (const name of ["a", "b", "c", "d"]) await ask({ name });
  await database.sql`update chat_request set expires_at = now() + interval '1 year' where request_id <> ''`;
  const remove = (kept: { requests: number; answerBytes: number }) =>
    removeOldRequests(database.sql, { most: 100, keptOfOwner: kept });
  await remove({ requests: 3, answerBytes: 1_000_000 });
  expect(await stored()).toHaveLength(3);
  await remove({ requests: 3, answerBytes: 200 });
  expect(await stored()).toHaveLength(1);
});

test("refuses an empty name and one of more than 255 characters", () => {
  const named = (name: string) => requestNameIn(new Headers({ "idempotency-key": name }));
  expect(named("x".repeat(255))).toHaveLength(255);
  for (const name of ["", "x".repeat(256)])
    expect(() => named(name)).toThrow("“Idempotency-Key” must have 1 to 255 characters");
});
