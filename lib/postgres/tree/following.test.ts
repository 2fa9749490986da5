import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  InMemorySessionProvider,
  SessionExpiredError,
  type SessionTreeProvider,
} from "../../session";
import { appendNumbered, user } from "../../session/testing";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { continueAt } from "./append-messages";
import { visibleCount } from "./history-batches";
import { revision } from "./path-rows";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// Few texts, so that lists share beginnings, middles and ends, and siblings say the same.
const texts = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 6 });
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("follow" as const), texts }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("append" as const), texts }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("step-back" as const), count: fc.nat(4) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), n: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("undo" as const), n: fc.nat(5) }) },
  ),
  { maxLength: 16 },
);
type Step = typeof steps extends fc.Arbitrary<(infer Each)[]> ? Each : never;

/** The ids of the path after each step. */
async function paths(provider: SessionTreeProvider, program: readonly Step[]): Promise<unknown[]> {
  const deletions: string[] = [];
  let names = 0;
  const said = (text: string) => ({
    id: `n${++names}`,
    role: "user" as const,
    parts: [{ type: "text", text }],
  });
  const seen: unknown[] = [];
  for (const step of program) {
    if (step.kind === "follow") {
      const { messageIds, changed } = await provider.follow(step.texts.map(said));
      seen.push(messageIds, changed);
    }
    if (step.kind === "append") await provider.appendMessages(step.texts.map(said));
    if (step.kind === "step-back") await provider.stepBack(step.count);
    if (step.kind === "delete") {
      deletions.push((await provider.deleteMessages([`n${step.n}`])).deletionId);
    }
    if (step.kind === "undo") {
      const [deletionId] = deletions.splice(step.n, 1);
      if (deletionId !== undefined) await provider.restoreMessages(deletionId);
    }
    seen.push((await provider.getHistory()).map(({ id }) => id));
  }
  return seen;
}

test("continues every list where the store in memory does", { tags: "long" }, async () => {
  const property = fc.asyncProperty(steps, async (program) => {
    const store = new PostgresSessionStore(database.sql, crypto.randomUUID());
    const { id } = await store.sessions.create("Session");
    const expected = await paths(new InMemorySessionProvider(), program);
    expect(await paths(store.messages(id), program)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 25 * Number(process.env.GROVE_TEST_DEPTH ?? 1) });
});

test("continues nothing at a place that was chosen before the active leaf moved", async () => {
  const { sql } = database;
  const store = new PostgresSessionStore(sql, crypto.randomUUID());
  const { id: session } = await store.sessions.create("Session");
  const messages = store.messages(session);
  await appendNumbered(messages, 3);
  const key = { owner: store.ownerId, session };
  let deletionId = "";
  for (const move of [
    async () => {
      deletionId = (await messages.deleteMessages(["m3"])).deletionId;
    },
    () => messages.restoreMessages(deletionId),
    () => messages.stepBack(1),
    () => messages.setActiveLeaf("m3"),
    () => messages.clearMessages(),
  ]) {
    const chosen = await revision(sql, key);
    await move();
    const target = { ...key, requires: "session" } as const;
    const place = { leafId: null, messages: [user("new")], revision: chosen };
    expect(await continueAt(sql, target, place), String(move)).toBeNull();
  }
  expect(await messages.getHistory()).toEqual([]);
});

test("counts no lines of a session that has expired", async () => {
  const { sql } = database;
  const store = new PostgresSessionStore(sql, crypto.randomUUID());
  const { id: session } = await store.sessions.create("Session");
  await appendNumbered(store.messages(session), 3);
  const key = { owner: store.ownerId, session };
  expect(await visibleCount(sql, key)).toBe(3);
  await store.sessions.update(session, { expiresAfterMs: -1 });
  await expect(visibleCount(sql, key)).rejects.toThrow(SessionExpiredError);
});
