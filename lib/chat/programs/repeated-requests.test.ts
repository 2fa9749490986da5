import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { chatProcess, newOwner, resolvedModel } from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { connect } from "@/lib/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { createConversation } from "./conversations";
import { createKey } from "./keys";
import type { Program } from "./program";
import { createResponseRequest } from "./response-request";
import { createResponse } from "./responses";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Two servers on one database, with a key of the same owner. */
async function twoServers() {
  const ownerId = crypto.randomUUID();
  const scopes = {
    mcp: [],
    canWrite: true,
    usesMemory: false,
    blocks: null,
    models: null,
    monthlyLimit: null,
  };
  const request = { name: "Tests", usesApi: true, ...scopes };
  const { key } = await createKey(newOwner(database.sql, ownerId), request);
  const models: ManualModel[] = [];
  const servers = await Promise.all(
    [1, 2].map(async (): Promise<Program> => {
      const sql = connect(database.url, { max: 3 });
      onTestFinished(() => sql.end({ timeout: 1 }));
      const owner = newOwner(sql, ownerId);
      const model = new ManualModel();
      model.turn().say("Hello").finish();
      models.push(model);
      const stored = await owner.keys.get(key.id);
      if (!stored) throw new Error("The key is not stored.");
      return {
        key: stored,
        owner,
        temporary: owner.temporary,
        runner: chatProcess().runner,
        chooseModel: async () => resolvedModel(model.model),
        inBackground: (work) => void work(),
      };
    }),
  );
  const calls = () => models.reduce((sum, model) => sum + model.calls.length, 0);
  return { servers, calls };
}

const times = [0, 1, 0, 1, 0, 1];

test("requests with one idempotency key at two servers at once are one response", async () => {
  const { servers, calls } = await twoServers();
  const body = createResponseRequest.parse({ input: "Only once" });
  const found = await Promise.all(
    times.map((n) => createResponse(servers[n] as Program, body, "once")),
  );
  expect(new Set(found.map(({ run }) => run.id)).size).toBe(1);
  const { sessions } = await (servers[0] as Program).owner.store.sessions.list();
  expect(sessions).toHaveLength(1);
  await expect.poll(calls).toBe(1);
});

test("another body with the same key at another server is a conflict that stores nothing", async () => {
  const { servers, calls } = await twoServers();
  const ends = await Promise.allSettled(
    times.map((n) => {
      const body = createResponseRequest.parse({ input: `Body ${n}` });
      return createResponse(servers[n] as Program, body, "once");
    }),
  );
  const refused = ends.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(3);
  for (const end of refused) expect(end).toMatchObject({ reason: { status: 409 } });
  const { sessions } = await (servers[0] as Program).owner.store.sessions.list();
  expect(sessions).toHaveLength(1);
  await expect.poll(calls).toBe(1);
});

test("one key in a conversation is one response at two servers, and many keys wait for no connection", async () => {
  const { servers } = await twoServers();
  const [first] = servers as [Program];
  const { id } = await createConversation(first, {});
  const body = createResponseRequest.parse({ input: "Only once", conversation: id });
  const found = await Promise.all(
    times.map((n) => createResponse(servers[n] as Program, body, "once")),
  );
  expect(new Set(found.map(({ run }) => run.id)).size).toBe(1);
  const ends = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => createResponse(first, body, `key ${n}`)),
  );
  expect(ends).toHaveLength(20);
});
