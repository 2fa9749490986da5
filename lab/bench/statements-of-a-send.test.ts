import { user } from "grove-session/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as models } from "@/app/api/models/route";
import { POST as send } from "@/app/api/sessions/[sessionId]/messages/route";
import { POST as regenerate } from "@/app/api/sessions/[sessionId]/runs/route";
import { PATCH as changeSettings } from "@/app/api/settings/route";
import { asPerson, asSpace, inOwnSpace, type SpaceId } from "@/lib/chat/core/person-in-space";
import { filePart } from "@/lib/chat/wire/files";
import { startTcpProxy, type TcpProxy } from "@/lib/postgres/testing/tcp-proxy";
import { statementReader } from "@/lib/postgres/testing/wire-statements";
import { services } from "@/lib/server/services";
import { startTestServices, type TestServices } from "@/lib/server/testing/test-services";
import { type ModelServer, startModelServer } from "./model-server";

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

let model: ModelServer;
let proxy: TcpProxy;
let served: TestServices;
let site = "http://127.0.0.1:3000";
let cookie = "";
let ownerId = "local";
let space: SpaceId | null = null;
let ref = "";
let smallRef = "";
let sent: string[] = [];
let asked: string[] | null = null;

async function begin(environment: Record<string, string> = {}): Promise<void> {
  model = await startModelServer();
  model.models.push("small");
  model.pace = { words: 2, pauseMs: 0 };
  model.onAsked = (body) => {
    // Neither for a summary nor for a title.
    if (body.includes('"tools"')) asked = [...sent];
  };
  const named = { OPENAI_COMPATIBLE_NAME: "bench", OPENAI_COMPATIBLE_BASE_URL: model.baseUrl };
  served = await startTestServices({ ...named, ...environment }, async (url) => {
    proxy = await startTcpProxy(url, () => statementReader((text) => void sent.push(text)));
    return proxy.url;
  });
}

async function end(): Promise<void> {
  await served.end();
  await proxy.close();
  await model.close();
}

async function offerModels(): Promise<void> {
  const listed = await (await ask(models, "GET", "/api/models")).json();
  const refs = listed.models.map((each: { ref: string }) => each.ref) as string[];
  const refOf = (name: string) => refs.find((each) => each.endsWith(`/${name}`)) ?? "";
  [ref, smallRef] = [refOf(model.modelId), refOf("small")];
  const sized = (contextWindow: number) => {
    return { contextWindow, inputPerMillion: 1, outputPerMillion: 1 };
  };
  const modelOverrides = { [ref]: sized(100_000), [smallRef]: sized(6_000) };
  await ask(changeSettings, "PATCH", "/api/settings", { defaultModel: ref, modelOverrides });
}

async function ask(handler: Handler, method: string, path: string, body?: unknown, params = {}) {
  const named = space && { "x-grove-space": space };
  const headers = { host: new URL(site).host, origin: site, cookie, ...named };
  const request = new Request(`${site}${path}`, {
    ...{ method, headers: { ...headers, "content-type": "application/json" } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await handler(request, { params: Promise.resolve(params as never) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function ended(): Promise<void> {
  const { sql } = served.database;
  const running = () => sql`select from chat_run where status = 'running'`;
  await expect.poll(async () => (await running()).length, { interval: 20 }).toBe(0);
  // A chat is named, and tabs are notified.
  await expect.poll(() => quiet(), { interval: 100 }).toBe(true);
}

let before = 0;
function quiet(): boolean {
  const isQuiet = sent.length === before;
  before = sent.length;
  return isQuiet;
}

/** Checks of the listener, news for tabs, heartbeats, and the log of what is written meanwhile: no answer waits for them. */
const beside =
  /^select 1$|pg_notify|insert into "chat_stream"|set "receipt"|chat_record_usage|chat_end_run|set "lease_until"/;

/** Statements from a request to that of the model, or to the reply where none is asked. */
async function counted(act: () => Promise<unknown>): Promise<readonly string[]> {
  await ended();
  [sent, asked] = [[], null];
  await act();
  const replied = [...sent];
  await ended();
  return (asked ?? replied).filter((text) => !beside.test(text));
}

const own = () => inOwnSpace(asPerson(ownerId));
const owner = () => services().acting({ ...own(), ...(space && { spaceId: space }) });
const text = (n = crypto.randomUUID()) => [{ type: "text", text: `Which tea at number ${n}?` }];

interface Message {
  readonly sessionId: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

const leaves = new Map<string, string>();
function message(sessionId: string, fields: object = {}): Message {
  const answerId = crypto.randomUUID();
  const parentId = leaves.get(sessionId) ?? null;
  leaves.set(sessionId, answerId);
  return {
    ...{ sessionId, id: crypto.randomUUID(), parts: text(), parentId, answerId, model: ref },
    ...fields,
  };
}

function sending({ sessionId, ...body }: Message): () => Promise<Response> {
  return () => ask(send, "POST", `/api/sessions/${sessionId}/messages`, body, { sessionId });
}

/** A chat with two answers, so that its prompt is kept and everything is warm. */
async function chat(): Promise<string> {
  const sessionId = crypto.randomUUID();
  await owner().store.sessions.create("Tea", { id: sessionId, model: ref });
  for (let n = 0; n < 2; n++) await counted(sending(message(sessionId)));
  return sessionId;
}

/** Without an account, to a model that is named, with its prompt kept, unless it says otherwise. */
const sends: Record<string, [statements: number, act: () => Promise<() => Promise<unknown>>]> = {
  "a message": [4, async () => sending(message(await chat()))],
  "a first message beside the first": [
    4,
    async () => sending(message(await chat(), { parentId: null })),
  ],
  "a message to the model of the chat": [
    4,
    async () => sending(message(await chat(), { model: undefined })),
  ],
  "a message that is not answered": [
    3,
    async () => sending(message(await chat(), { generate: false, answerId: undefined })),
  ],
  "a message with a text file": [
    6,
    async () => {
      const bytes = new TextEncoder().encode("Assam");
      const stored = await owner().files.put(bytes, { name: "tea.txt" });
      const file = filePart({ ...stored, name: "tea.txt" });
      return sending(message(await chat(), { parts: [...text(), file] }));
    },
  ],
  "a message where a skill is loaded": [
    6,
    async () => {
      const sessionId = await chat();
      const skill = { label: "skills", key: "tea" };
      await owner().blocks.loadable({ label: "skills", sessionId: null }).set?.("tea", "Boil.");
      await owner().store.messages(sessionId).recordSkillEvent(skill, "load");
      return sending(message(sessionId));
    },
  ],
  "a message before which the chat is summarized": [
    22,
    async () => {
      const sessionId = await chat();
      const { sessions, messages } = owner().store;
      await sessions.update(sessionId, { model: smallRef });
      for (let n = 0; n < 12; n++)
        await messages(sessionId).appendMessage(user(`long ${n}`, "tea ".repeat(500)));
      return sending(message(sessionId, { parentId: "long 11", model: smallRef }));
    },
  ],
  "a message to two models": [
    8,
    async () => {
      const together = [ref, smallRef].map((model) => ({ model, answerId: crypto.randomUUID() }));
      const fields = { together, model: undefined, answerId: undefined };
      return sending(message(await chat(), fields));
    },
  ],
  "the first message of a chat": [
    13,
    async () => {
      // Makes the blocks of the person.
      await chat();
      return sending(message(crypto.randomUUID(), { newSession: {} }));
    },
  ],
  "a message that was answered": [
    8,
    async () => {
      const again = message(await chat());
      await counted(sending(again));
      return sending(again);
    },
  ],
  "another answer": [
    8,
    async () => {
      const sessionId = await chat();
      const asked = message(sessionId);
      await counted(sending(asked));
      const body = { parentId: asked.id, answerId: crypto.randomUUID(), model: ref };
      const path = `/api/sessions/${sessionId}/runs`;
      return () => ask(regenerate, "POST", path, body, { sessionId });
    },
  ],
};

/** In a project of the person, whose memory is used there. */
async function countedInProject(): Promise<readonly string[]> {
  const who = { ...own(), spaceId: asSpace(`p-${crypto.randomUUID()}`) };
  await services().projects.make(who, "Tea");
  space = who.spaceId;
  try {
    return await counted(sending(message(await chat())));
  } finally {
    space = null;
  }
}

describe("statements before a model is asked, or before the reply where none is", () => {
  beforeAll(async () => {
    await begin();
    await offerModels();
  });
  afterAll(end);

  test("a message in a project", async () => {
    const sent = await countedInProject();
    expect(sent.length, sent.join("\n")).toBeLessThanOrEqual(6);
  });

  test.each(Object.entries(sends))("%s", async (_, [statements, prepare]) => {
    const sent = await counted(await prepare());
    expect(sent.length, sent.join("\n")).toBeLessThanOrEqual(statements);
  });
});

const withLimits = { monthlyDollars: 100, messagesPerDay: 100, storedMegabytes: null };

describe("statements before a model is asked, of a person with an account", () => {
  beforeAll(async () => {
    site = "https://grove.test";
    await begin({ GROVE_ORIGIN: site, HOST: "127.0.0.1" });
    const { accounts } = services();
    const made = await accounts?.invite({ role: "owner", email: null, createdBy: null });
    const secret = new URL(made?.link ?? "").hash.slice(1);
    const person = { secret, name: "Ann", email: "ann@example.org", password: "a long password" };
    const accepted = await accounts?.accept(person, new Headers());
    const cookies = accepted?.cookies.getSetCookie() ?? [];
    cookie = cookies.map((each) => each.split(";", 1)[0]).join("; ");
    const [row] = await served.database.sql<{ owner_id: string }[]>`
      select owner_id from account_user`;
    ownerId = row?.owner_id ?? "";
    await offerModels();
  });
  afterAll(async () => {
    [site, cookie, ownerId] = ["http://127.0.0.1:3000", "", "local"];
    await end();
  });

  test.each([
    ["without limits", null, 8],
    ["with limits", withLimits, 9],
  ])("%s", async (_, limits, statements) => {
    await services().accounts?.store.policies.change("everyone", { limits });
    const sent = await counted(sending(message(await chat())));
    expect(sent.length, sent.join("\n")).toBeLessThanOrEqual(statements);
  });

  test.each([
    ["without limits", null, 10],
    ["with limits", withLimits, 12],
  ])("in a project, %s", async (_, limits, statements) => {
    await services().accounts?.store.policies.change("everyone", { limits });
    const sent = await countedInProject();
    expect(sent.length, sent.join("\n")).toBeLessThanOrEqual(statements);
  });
});
