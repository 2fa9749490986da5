import {
  BlockConflictError,
  BlockTooLargeError,
  MessageConflictError,
  MessageNotFoundError,
  ProviderFailedError,
  SessionNotFoundError,
} from "grove-session";
import { MigrationError } from "grove-session/postgres";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ChatError } from "@/lib/chat/core/chat-error";
import { ModelUnavailableError } from "@/lib/llm";
import { transaction } from "@/lib/postgres/connections/statement";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { errorResponse, HttpError } from "./http-error";

let database: TestDatabase;
let log = "";

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    log += String(text);
    return true;
  });
});
afterEach(() => {
  log = "";
});
afterAll(() => database.drop());

async function answered(error: unknown) {
  const response = errorResponse(error);
  return { status: response.status, ...((await response.json()) as { error: object }) };
}

async function failure(act: PromiseLike<unknown>): Promise<unknown> {
  return act.then(
    () => null,
    (error: unknown) => error,
  );
}

describe("an error", () => {
  test.each([
    [404, "session-not-found", new SessionNotFoundError("s")],
    [404, "message-not-found", new MessageNotFoundError("m")],
    [404, "run-not-found", new ChatError("run-not-found", "This answer is not known.")],
    [409, "message-conflict", new MessageConflictError("m")],
    [409, "block-conflict", new BlockConflictError("memory", 1, 2)],
    [400, "block-too-large", new BlockTooLargeError("memory", 2, 1)],
    [429, "too-many-runs", new ChatError("too-many-runs", "Wait for one.")],
    [400, "model-unavailable", new ModelUnavailableError("invalid-ref", "x", "No such model.")],
    [503, "database", new MigrationError("The database is newer.")],
    [502, "provider-failed", new ProviderFailedError("memory", "it hangs")],
    [415, "not-json", new HttpError(415, "not-json", "JSON only.")],
  ])("answers %i %s with its sentence", async (status, code, error) => {
    expect(await answered(error)).toEqual({ status, error: { code, message: error.message } });
  });

  test("names the field that is to blame", async () => {
    const error = new ChatError("bad-parts", "The message is empty.", { field: "parts" });
    expect(await answered(error)).toMatchObject({ status: 400, error: { field: "parts" } });
  });

  test("of a database that is away is 503, and of any kind of being away", async () => {
    const nowhere = postgres("postgres://127.0.0.1:9/none", {
      max: 1,
      connect_timeout: 1,
      backoff: false,
    });
    const socket = postgres("postgres://localhost/none", {
      path: "/nowhere/.s.PGSQL.5432",
      max: 1,
      backoff: false,
    });
    const errors = [
      await failure(nowhere`select 1`),
      await failure(socket`select 1`),
      await failure(database.sql`select pg_terminate_backend(pg_backend_pid())`),
    ];
    for (const error of errors)
      expect(await answered(error)).toMatchObject({ status: 503, error: { code: "database" } });
    const wrapped = new ProviderFailedError("memory", "it failed", { cause: errors[0] });
    expect(await answered(wrapped)).toMatchObject({ status: 503, error: { code: "database" } });
    const summary = new ChatError("compaction-failed", "Not folded.", { cause: errors[0] });
    expect(await answered(summary)).toMatchObject({ status: 502 });
    await Promise.all([nowhere.end({ timeout: 0 }), socket.end({ timeout: 0 })]);
  });

  test("of a statement that was ended for its time is 504, and says that it was too much", async () => {
    const slow = transaction(database.sql, async (sql) => {
      await sql`set local statement_timeout = 20`;
      await sql`select pg_sleep(5)`;
    });
    const expected = { status: 504, error: { code: "too-much-at-once" } };
    const error = await failure(slow);
    expect(await answered(error)).toMatchObject(expected);
    const wrapped = new ProviderFailedError("memory", "it failed", { cause: error });
    expect(await answered(wrapped)).toMatchObject(expected);
  });

  test.each(["53100", "25006"])("%s of a full disk is 507, and names its place", async (code) => {
    vi.stubEnv("DATABASE_URL", "postgres://grove@localhost/grove?host=/srv/grove/postgres");
    vi.stubEnv("GROVE_DATA_DIR", "/srv/grove");
    const full = Object.assign(new Error("No space left on device"), { code });
    const message = expect.stringContaining("the disk of /srv/grove is full");
    expect(await answered(full)).toMatchObject({
      status: 507,
      error: { code: "disk-full", message },
    });
  });

  test("of a server that takes no writes is 503, and says so", async () => {
    vi.stubEnv("DATABASE_URL", "postgres://grove@one:5432,two:5432/grove");
    const refused = await failure(
      transaction(database.sql, async (sql) => {
        await sql`set transaction read only`;
        await sql`insert into chat_owner (owner_id) values ('o')`;
      }),
    );
    const message = expect.stringContaining("takes no writes");
    expect(await answered(refused)).toMatchObject({
      status: 503,
      error: { code: "database", message },
    });
  });

  test("that the database passes on from a server behind it is 503, and says so", async () => {
    const error = await failure(database.sql`
      do $$ begin raise exception 'connection to the remote node failed' using errcode = '08006'; end $$`);
    const message = expect.stringContaining("A server behind the database");
    expect(await answered(error)).toMatchObject({
      status: 503,
      error: { code: "database", message },
    });
  });

  test("about text that cannot be stored is the request's fault", async () => {
    const nul = await failure(database.sql`select ${"a\u0000b"}::text`);
    expect(await answered(nul)).toMatchObject({ status: 400, error: { code: "invalid-argument" } });
    const name = "x".repeat(201);
    const long = await failure(
      database.sql`insert into chat_session (owner_id, session_id) values ('o', ${name})`,
    );
    expect(await answered(long)).toMatchObject({ status: 400 });
  });

  test("nobody expected is 500 without details, which are logged without secrets", async () => {
    const error = new Error("reading postgres://grove:hunter2@db/x with sk-abcdefghijkl failed");
    const answer = await answered(error);
    expect(answer).toMatchObject({ status: 500, error: { code: "unexpected" } });
    expect(JSON.stringify(answer)).not.toMatch(/postgres|sk-/);
    expect(log).toContain("failed");
    expect(log).not.toMatch(/hunter2|abcdefghijkl/);
    expect(await answered("thrown text")).toMatchObject({ status: 500 });
    expect(await answered(null)).toMatchObject({ status: 500 });
    const file = Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" });
    expect(await answered(file)).toMatchObject({ status: 500 });
  });
});
