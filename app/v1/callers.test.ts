import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { services } from "@/lib/server/services";
import { clientWith, serveV1 } from "./testing/v1-server";

const { client, keyWith, models, owner } = serveV1();
const model = "compatible:fake/echo";
const words = "word ".repeat(400);

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const running = async () => (await owner().runs.running()).length;
const metadataOf = async (sessionId: string) => {
  const history = await owner().store.messages(sessionId).getHistory();
  return history.at(-1)?.metadata;
};

test.each(["responses", "completions"] as const)(
  "an answer of %s is stopped when its caller goes, and keeps what came",
  { tags: "long" },
  async (api) => {
    const openai = await client();
    models().pauseMs = 20;
    const caller = new AbortController();
    const { signal } = caller;
    const stream =
      api === "responses"
        ? await openai.responses.create({ input: words, stream: true }, { signal })
        : await openai.chat.completions.create(
            { model, messages: [{ role: "user", content: words }], stream: true },
            { signal },
          );
    let count = 0;
    let sessionId = "";
    // Leaving the loop closes the connection, too.
    for await (const _ of stream) {
      if (++count < 8) continue;
      // A signal that nobody holds is collected with its request, and never aborts.
      collectGarbage();
      sessionId = (await owner().runs.running())[0]?.sessionId ?? "";
      break;
    }
    caller.abort();
    await expect.poll(running).toBe(0);
    expect(await metadataOf(sessionId)).toMatchObject({ status: "stopped" });
  },
);

test("an answer in the background goes on without its caller, as one that can be asked for by name", {
  tags: "long",
}, async () => {
  const openai = await client();
  models().pauseMs = 5;
  const caller = new AbortController();
  const { signal } = caller;
  const asked = await openai.responses.create({ input: words, background: true }, { signal });
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const named = await openai.responses.create({ input: words, stream: true }, { signal, headers });
  for await (const _ of named) break;
  caller.abort();
  await expect.poll(running, { timeout: 20_000 }).toBe(0);
  expect(await openai.responses.retrieve(asked.id)).toMatchObject({ status: "completed" });
});

test("24 requests at once are all answered, and leave one place to the person meanwhile", {
  tags: "long",
}, async () => {
  const openai = await client();
  models().pauseMs = 15;
  const most: number[] = [];
  const looking = setInterval(() => void running().then((count) => most.push(count)), 20);
  const asked = Array.from({ length: 24 }, (_, n) =>
    openai.responses.create({ input: `Question ${n}` }),
  );
  const answers = await Promise.all(asked);
  clearInterval(looking);
  expect(answers.map(({ output_text }) => output_text)).toEqual(
    asked.map((_, n) => `You said: Question ${n}`),
  );
  expect(Math.max(...most)).toBeGreaterThan(1);
  expect(Math.max(...most)).toBeLessThanOrEqual(services().runner.maxForPrograms);
});

test("a request that waits for a place stores nothing, and nothing at all when its caller goes", {
  tags: "long",
}, async () => {
  const { secret } = await keyWith();
  const openai = clientWith(secret);
  const held = Promise.withResolvers<void>();
  models().held = held.promise;
  const most = services().runner.maxForPrograms;
  const writing = Array.from({ length: most }, (_, n) =>
    openai.responses.create({ input: `Held ${n}` }),
  );
  await expect.poll(running).toBe(most);
  const before = (await owner().store.sessions.list()).sessions.length;
  const caller = new AbortController();
  const waiting = openai.responses.create({ input: "Wait" }, { signal: caller.signal });
  waiting.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await owner().store.sessions.list()).sessions.length).toBe(before);
  caller.abort();
  await expect(waiting).rejects.toThrow();
  held.resolve();
  await Promise.all(writing);
  await expect.poll(running).toBe(0);
  expect((await owner().store.sessions.list()).sessions.length).toBe(before);
});

test("a key has as many answers at once as it may, and another key is answered meanwhile", async () => {
  const { key, secret } = await keyWith({ maxRunning: 1 });
  const openai = clientWith(secret);
  const other = await client();
  const held = Promise.withResolvers<void>();
  models().held = held.promise;
  const ofKey = [1, 2, 3].map((n) => openai.responses.create({ input: `Question ${n}` }));
  await expect.poll(running).toBe(1);
  const beside = other.responses.create({ input: "Beside" });
  await expect.poll(running).toBe(2);
  const keys = (await owner().runs.running()).map(({ keyId }) => keyId);
  expect(keys.filter((id) => id === key.id)).toHaveLength(1);
  const mayStart = (id: string) =>
    owner().runs.mayStart("new", { maxRunning: 8, ofKey: { id, maxRunning: 1 } });
  expect(await Promise.all([key.id, "another"].map(mayStart))).toEqual([false, true]);
  held.resolve();
  await Promise.all([...ofKey, beside]);
});
