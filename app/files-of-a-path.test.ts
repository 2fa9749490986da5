import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PUT as writeBlock } from "@/app/api/blocks/[blockId]/route";
import { GET as events } from "@/app/api/events/route";
import { GET as search } from "@/app/api/search/route";
import { POST as compact } from "@/app/api/sessions/[sessionId]/compactions/route";
import { POST as send } from "@/app/api/sessions/[sessionId]/messages/route";
import { GET as follow } from "@/app/api/sessions/[sessionId]/runs/[runId]/stream/route";
import { inOwnSpace, localPersonId } from "@/lib/chat/core/person-in-space";
import { services } from "@/lib/server/services";
import { startTestServices, type TestServices } from "@/lib/server/testing/test-services";

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

const top = fileURLToPath(new URL("..", import.meta.url));
const site = "http://127.0.0.1:3000";
const sessionId = "s";
const tab = new AbortController();

let served: TestServices;
let blockId: string;

beforeAll(async () => {
  served = await startTestServices({ GROVE_DEMO_DELAY_MS: "0" });
  const { blocks, store } = services().acting(inOwnSpace(localPersonId));
  const about = { sessionId: null, description: "", scope: "owner", writers: "both" } as const;
  ({ id: blockId } = await blocks.create({
    ...about,
    label: "plans",
    kind: "writable",
    maxTokens: 99,
  }));
  await store.sessions.create("Tea", { id: sessionId });
  const open = await ask(events, "GET", "/api/events", { signal: tab.signal });
  void open.text().catch(() => undefined);
});
afterAll(async () => {
  tab.abort();
  await served.end();
});

async function ask(
  handler: Handler,
  method: string,
  path: string,
  { body, params = {}, signal }: { body?: unknown; params?: object; signal?: AbortSignal } = {},
): Promise<Response> {
  const request = new Request(`${site}${path}`, {
    ...{ method, headers: { host: "127.0.0.1:3000", "content-type": "application/json" } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const response = await handler(request, { params: Promise.resolve(params as never) });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function answered(): Promise<void> {
  const [id, answerId] = [crypto.randomUUID(), crypto.randomUUID()];
  const parts = [{ type: "text", text: `Which tea should I make at number ${id}?` }];
  const inSession = { sessionId };
  const path = `/api/sessions/${sessionId}`;
  await ask(send, "POST", `${path}/messages`, { body: { id, parts, answerId }, params: inSession });
  const params = { ...inSession, runId: answerId };
  await (await ask(follow, "GET", `${path}/runs/${answerId}/stream?after=0`, { params })).text();
  await ended();
}

async function ended(): Promise<void> {
  const { sql } = served.database;
  const running = () => sql`select from chat_run where status = 'running'`;
  await expect.poll(async () => (await running()).length, { interval: 20 }).toBe(0);
}

let version = 0;
async function edited(): Promise<void> {
  const body = { content: `Green tea, cup ${version}`, baseVersion: version };
  const response = await ask(writeBlock, "PUT", `/api/blocks/${blockId}`, {
    body,
    params: { blockId },
  });
  ({ version } = (await response.json()) as { version: number });
}

async function compacted(): Promise<void> {
  const params = { sessionId };
  await ask(compact, "POST", `/api/sessions/${sessionId}/compactions`, { body: {}, params });
  await ended();
}

async function found(): Promise<void> {
  await (await ask(search, "GET", "/api/search?q=green%20tea")).text();
}

/** Files of ours with a function that ran meanwhile, evaluation of the module aside; a constructor counts. */
async function filesOf(path: () => Promise<void>): Promise<string[]> {
  const inspector = new Session();
  inspector.connect();
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  try {
    await path();
    const { result } = await inspector.post("Profiler.takePreciseCoverage");
    const ran = result.filter(({ functions }) =>
      functions.some(
        ({ functionName, ranges: [range] }) => functionName !== "" && (range?.count ?? 0) > 0,
      ),
    );
    const files = ran.map(({ url }) => relative(top, url.replace(/^file:\/\//, "")));
    return files.filter((file) => /^(lib|app\/api)\/(?!.*\/testing\/)/.test(file)).sort();
  } finally {
    await inspector.post("Profiler.stopPreciseCoverage");
    inspector.disconnect();
  }
}

// Counts of today, with the notices to an open tab: a change that needs more files
// says why here. A message measures the tools of servers against the window.
test.each([
  ["a message", answered, 169],
  ["an edit of memory", edited, 71],
  ["a compaction", compacted, 128],
  ["a search", found, 48],
] as const)("%s passes few files of the server", async (_, path, most) => {
  for (let n = 0; n < 6; n++) await answered();
  await path();
  for (let n = 0; n < 6; n++) await answered();
  let files = await filesOf(path);
  // Timers that fire meanwhile add their files, another time those of others.
  for (let n = 0; n < 3 && files.length > most; n++) {
    const again = new Set(await filesOf(path));
    files = files.filter((file) => again.has(file));
  }
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
});
