import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as send } from "@/app/api/sessions/[sessionId]/messages/route";
import { inOwnSpace, localPersonId } from "@/lib/chat/core/person-in-space";
import { services } from "@/lib/server/services";
import { startTestServices, type TestServices } from "@/lib/server/testing/test-services";

const sessionId = "s";
let served: TestServices;

beforeAll(async () => {
  served = await startTestServices({ GROVE_DEMO_DELAY_MS: "0" });
  await services()
    .acting(inOwnSpace(localPersonId))
    .store.sessions.create("Tea", { id: sessionId });
});
afterAll(() => served.end());

interface Sent {
  readonly id?: string;
  readonly answerId?: string;
  readonly generate?: boolean;
  readonly parts?: unknown;
}

async function ask(sent: Sent, { accept = "text/event-stream", signal }: AskOptions = {}) {
  const request = new Request(`http://127.0.0.1:3000/api/sessions/${sessionId}/messages`, {
    method: "POST",
    headers: { host: "127.0.0.1:3000", "content-type": "application/json", accept },
    body: JSON.stringify({ parts: [{ type: "text", text: "Which tea?" }], ...sent }),
    ...(signal && { signal }),
  });
  return send(request, { params: Promise.resolve({ sessionId }) });
}

interface AskOptions {
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

async function eventsOf(response: Response): Promise<Record<string, unknown>[]> {
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = (await response.text()).split("\n\n").map((event) => event.slice("data: ".length));
  expect(events.splice(-2)).toEqual(["[DONE]", ""]);
  return events.map((event) => JSON.parse(event));
}

const ids = () => ({ id: crypto.randomUUID(), answerId: crypto.randomUUID() });
const runsOf = ({ answerId }: { answerId: string }) =>
  served.database.sql`select status from chat_run where run_id = ${answerId}`;
const textOf = (events: readonly Record<string, unknown>[]) =>
  events.map(({ type, delta }) => (type === "text-delta" ? delta : "")).join("");

test("an answer follows its question on one connection, once both are stored", async () => {
  const sent = ids();
  const response = await ask(sent);
  const [stored, start, ...rest] = await eventsOf(response);
  expect(stored).toMatchObject({
    type: "stored",
    entry: { message: { id: sent.id } },
    run: { id: sent.answerId, part: 0 },
  });
  expect(start).toMatchObject({ type: "start", messageId: sent.answerId });
  expect(rest.at(-1)).toMatchObject({ type: "finish" });
  const answer = await services()
    .acting(inOwnSpace(localPersonId))
    .store.messages(sessionId)
    .getMessage(sent.answerId);
  expect(answer?.parts).toContainEqual(expect.objectContaining({ text: textOf(rest) }));
});

test("the same message again begins no second answer", { tags: "long" }, async () => {
  const sent = ids();
  const [first, second] = await Promise.all(
    [ask(sent), ask(sent)].map(async (each) => eventsOf(await each)),
  );
  for (const events of [first, second])
    expect(events?.[0]).toMatchObject({ type: "stored", run: { id: sent.answerId } });
  expect(textOf(second ?? [])).toBe(textOf(first ?? []));
  expect(await runsOf(sent)).toHaveLength(1);
  const afterwards = await eventsOf(await ask(sent));
  expect(afterwards[0]).toMatchObject({ type: "stored", run: { id: sent.answerId } });
  expect(await runsOf(sent)).toHaveLength(1);
});

test("an answer is written to its end when its sender leaves", async () => {
  const sent = ids();
  const leaving = new AbortController();
  const response = await ask(sent, { signal: leaving.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  leaving.abort();
  await reader?.cancel();
  await expect.poll(async () => (await runsOf(sent))[0]?.status).toBe("complete");
});

test.each<[string, Sent, AskOptions]>([
  ["that takes no events", {}, { accept: "application/json" }],
  ["without an answer", { generate: false }, {}],
])("a message %s is confirmed at once", async (_, sent, options) => {
  const response = await ask({ ...ids(), ...sent }, options);
  expect(response.status).toBe(201);
  expect(await response.json()).toHaveProperty("entry");
});

test("a refused message is refused as ever, and stores nothing", async () => {
  const sent = ids();
  const response = await ask({ ...sent, parts: [] });
  expect(response.status).toBe(400);
  expect(await runsOf(sent)).toEqual([]);
});
