import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sendMessage } from "@/lib/chat/answering/send-message";
import { asPerson, inOwnSpace } from "@/lib/chat/core/person-in-space";
import { sendRequest } from "@/lib/chat/wire/messages";
import { recoverRuns } from "./recover-runs";
import { services } from "./services";
import { startTestServices, type TestServices } from "./testing/test-services";

const who = inOwnSpace(asPerson("writer"));
const { spaceId } = who;
/** More than are kept in memory. */
const others = 600;
let served: TestServices;

beforeAll(async () => {
  served = await startTestServices({ GROVE_DEMO_DELAY_MS: "20" });
});
afterAll(() => served.end());

test("an answer goes on, and is written once, while its owner's services are dropped and made again", {
  tags: "long",
}, async () => {
  const shared = services();
  await shared.ready();
  const send = () => {
    const owner = shared.acting(who);
    const chooseModel = () => shared.models.choose(owner, "demo/grove-demo");
    return sendMessage({ owner, runner: shared.runner, chooseModel }, "s", request);
  };
  const request = sendRequest.parse({
    id: "q",
    answerId: "a",
    parts: [{ type: "text", text: "Tell me about trees" }],
    newSession: {},
  });
  const before = shared.acting(who);
  const first = await send();
  for (let n = 0; n < others; n++) shared.acting(inOwnSpace(asPerson(`other-${n}`)));
  const after = shared.acting(who);
  expect(after).not.toBe(before);
  expect(shared.runner.live.get(spaceId, "a")).toBeDefined();

  await recoverRuns(shared);
  const retried = await send();
  expect(retried.run?.id).toBe(first.run?.id);
  const { signal } = new AbortController();
  const followed = shared.runner.follow(after, { runId: "a", after: 0, signal });
  const chunks = await Array.fromAsync(followed);
  expect(chunks.filter(({ type }) => type === "start")).toHaveLength(1);
  expect(chunks.at(-1)?.type).toBe("finish");
  await vi.waitFor(async () => expect(await after.runs.running()).toEqual([]), 20_000);
  const { sql } = served.database;
  const stored = await sql<{ role: string; content: string }[]>`
    select role, content from chat_message where owner_id = ${spaceId} and session_id = 's' order by pos`;
  expect(stored.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(stored[1]?.content).toContain('"status":"complete"');
  const usage = await sql`
    select from chat_usage where owner_id = ${spaceId} and kind = 'answer'`;
  expect(usage).toHaveLength(1);
});
