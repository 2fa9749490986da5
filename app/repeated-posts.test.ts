import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { foundRoutes } from "@/app/api/testing/route-matrix";
import { inOwnSpace, localPersonId } from "@/lib/chat/core/person-in-space";
import { createKey } from "@/lib/chat/programs/keys";
import { temporaryIdOf } from "@/lib/chat/wire/temporary-id";
import { type Services, services } from "@/lib/server/services";
import { startTestServices, type TestServices } from "@/lib/server/testing/test-services";
import { type FakeModels, startFakeModels } from "./v1/testing/model-server";

type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>;

/** One POST, and the rows and answers that it makes. */
interface Repeated {
  readonly params?: Readonly<Record<string, string | string[]>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Default: none. */
  readonly makes?: Readonly<Record<string, number>>;
  /** Default: success. */
  readonly status?: number;
  /** The same is made, and the answer says how it is now. */
  readonly tellsAgain?: boolean;
  /** After a process died it is done again: nothing could be found by an id. */
  readonly isDoneAgain?: boolean;
}

interface World {
  readonly conversation: string;
  readonly response: string;
  readonly entries: string;
  readonly proposals: readonly string[];
  readonly deletedBlock: string;
  readonly compactionId: string;
  readonly temporaryChat: string;
}

const words = (text: string) => [{ type: "text", text }];
const said = (text: string) => ({ role: "user", content: text });
const project = "p-00000000-0000-4000-8000-000000000001";
const inChat = { sessionId: "s" };
const scopes = {
  ...{ usesApi: true, mcp: [], canWrite: true, usesMemory: false },
  ...{ models: null, monthlyLimit: null, keeps: "asked" as const, blocks: null },
};

const posts: Readonly<Record<string, (world: World) => Repeated>> = {
  "POST /api/sessions": () => ({ body: { title: "New" }, makes: { chat_session: 1 } }),
  "POST /api/sessions/:sessionId/fork": () => ({
    params: inChat,
    body: { messageId: "q2" },
    makes: { chat_session: 1 },
  }),
  "POST /api/sessions/:sessionId/skills": () => ({
    params: inChat,
    body: { label: "skills", key: "tea", action: "unload" },
    makes: { chat_skill_event: 1 },
    isDoneAgain: true,
  }),
  "POST /api/sessions/:sessionId/notes": () => ({
    params: inChat,
    body: { kind: "summary", id: "note", parentId: "q1", from: "q2", text: "Noted" },
    makes: { chat_message: 1 },
  }),
  "POST /api/sessions/:sessionId/notes/draft": () => ({
    params: inChat,
    body: { from: "q2", to: null },
    isDoneAgain: true,
  }),
  "POST /api/data/stop": () => ({ params: {}, body: {} }),
  "POST /api/sessions/:sessionId/read": () => ({ params: inChat, body: {} }),
  "POST /api/sessions/:sessionId/messages": () => ({
    params: inChat,
    body: { id: "sent", parts: words("Sent"), generate: false },
    makes: { chat_message: 1 },
  }),
  "POST /api/sessions/:sessionId/messages/:messageId/approvals/:approvalId": () => ({
    params: { ...inChat, messageId: "a1", approvalId: "a" },
    body: { decision: "approve" },
    status: 404,
  }),
  "POST /api/sessions/:sessionId/messages/:messageId/edited": () => ({
    params: { ...inChat, messageId: "a1" },
    body: { id: "edited", texts: ["Edited"] },
    makes: { chat_message: 1 },
  }),
  "POST /api/sessions/:sessionId/messages/restore": () => ({
    params: inChat,
    body: { deletionId: "d1" },
  }),
  "POST /api/sessions/:sessionId/restore": () => ({ params: { sessionId: "deleted" }, body: {} }),
  "POST /api/sessions/:sessionId/move": () => ({ params: inChat, body: { space: null } }),
  "POST /api/sessions/:sessionId/keep": ({ temporaryChat }) => ({
    params: { sessionId: temporaryChat },
    body: {},
  }),
  "POST /api/sessions/:sessionId/shares": () => ({
    params: inChat,
    body: {
      snapshot: {
        leafId: "q2",
        shows: { branches: true, reasoning: false, tools: false, files: false, title: false },
      },
    },
    makes: { chat_share: 1 },
  }),
  "POST /api/shares/copies": () => ({
    body: { token: "unknown", id: "00000000-0000-4000-8000-000000000003" },
    status: 404,
  }),
  "POST /shared/:token": () => ({
    params: { token: "unknown" },
    body: "password=any",
    contentType: "application/x-www-form-urlencoded",
    status: 404,
  }),
  "POST /api/sessions/:sessionId/runs": () => ({
    params: inChat,
    body: { answerId: "answer", parentId: "q2" },
    makes: { chat_run: 1, chat_message: 1, answers: 1 },
    tellsAgain: true,
  }),
  "POST /api/sessions/:sessionId/runs/:runId/stop": () => ({
    params: { ...inChat, runId: "none" },
    body: {},
    status: 404,
  }),
  "POST /api/sessions/:sessionId/runs/:runId/questions/:questionId": () => ({
    params: { ...inChat, runId: "none", questionId: "none" },
    body: { action: "decline" },
    status: 409,
  }),
  "POST /api/sessions/:sessionId/compactions": () => ({
    params: inChat,
    body: { leafId: "q2" },
    makes: { chat_run: 1 },
    isDoneAgain: true,
  }),
  "POST /api/sessions/:sessionId/compactions/:compactionId/restore": ({ compactionId }) => ({
    params: { ...inChat, compactionId },
    body: {},
  }),
  "POST /api/sessions/:sessionId/context/refresh": () => ({ params: inChat, body: {} }),
  "POST /api/projects": () => ({
    body: { id: project, name: "Tea" },
    makes: { projects: 1 },
  }),
  "POST /api/projects/:spaceId/restore": () => ({
    params: { spaceId: project.replace("1", "2") },
    body: {},
    status: 404,
  }),
  // Without accounts nobody is a member; with them the tests of members repeat these.
  "POST /api/projects/:spaceId/members": () => ({
    params: { spaceId: project },
    body: { email: "ada@example.org", role: "reader" },
    status: 404,
  }),
  "POST /api/projects/:spaceId/invitations": () => ({
    params: { spaceId: project },
    body: { role: "reader" },
    status: 404,
  }),
  "POST /api/projects/join": () => ({ body: { token: "none" }, status: 404 }),
  "POST /api/example": () => ({
    makes: {
      ...{ chat_session: 1, chat_message: 17, chat_run: 9, chat_compaction: 2 },
      ...{ chat_block: 3, chat_document: 5 },
    },
  }),
  "POST /api/blocks": () => ({ body: { label: "plans" }, makes: { chat_block: 1 } }),
  "POST /api/blocks/:blockId/entries": ({ entries }) => ({
    params: { blockId: entries },
    body: { title: "Tea", content: "Green" },
    makes: { chat_document: 1 },
  }),
  "POST /api/blocks/:blockId/restore": ({ deletedBlock }) => ({
    params: { blockId: deletedBlock },
    body: {},
  }),
  "POST /api/deletions/:deletionId/restore": () => ({ params: { deletionId: "d2" }, body: {} }),
  "POST /api/import": () => ({
    body: importedChat,
    contentType: "application/x-ndjson",
    makes: { chat_session: 1, chat_message: 1 },
    tellsAgain: true,
  }),
  "POST /api/import/undo": () => ({ body: { changes: [] } }),
  "POST /api/files": () => ({
    body: "Some bytes",
    contentType: "application/octet-stream",
    query: "name=a.txt",
    makes: { chat_file: 1 },
  }),
  "POST /api/keys": () => ({ body: { ...scopes, name: "Key" }, makes: { chat_key: 1 } }),
  "POST /api/proposals": () => ({
    body: { content: "Likes tea", from: "Example" },
    makes: { chat_proposal: 1 },
  }),
  "POST /api/proposals/:proposalId/accept": ({ proposals }) => ({
    params: { proposalId: `${proposals[0]}` },
    body: {},
  }),
  "POST /api/proposals/:proposalId/decline": ({ proposals }) => ({
    params: { proposalId: `${proposals[1]}` },
    body: {},
  }),
  "POST /api/tools/servers/:serverId/read": () => ({
    params: { serverId: "none" },
    body: {},
    status: 404,
  }),
  "POST /api/tools/servers/:serverId/sign-in": () => ({
    params: { serverId: "none" },
    body: {},
    status: 404,
  }),
  "POST /api/ollama/pull": () => ({
    body: { provider: "none", model: "llama3.2" },
    status: 404,
  }),
  "POST /api/:path*": () => ({ params: { path: ["nothing"] }, body: {}, status: 404 }),

  "POST /v1/responses": () => ({
    body: { input: "Only once" },
    makes: { chat_session: 1, chat_message: 2, chat_run: 1, answers: 1 },
  }),
  "POST /v1/responses/compact": () => ({
    body: { input: [said("One"), said("Two")] },
    makes: { chat_session: 1, chat_message: 2 },
  }),
  "POST /v1/responses/:responseId/cancel": ({ response }) => ({
    params: { responseId: response },
    body: {},
  }),
  "POST /v1/chat/completions": () => ({
    body: { messages: [said("Completed once")] },
    makes: { chat_session: 1, chat_message: 2, chat_run: 1, answers: 1 },
  }),
  "POST /v1/messages": () => ({
    body: { model: "compatible:fake/echo", max_tokens: 100, messages: [said("Answered once")] },
    makes: { chat_session: 1, chat_message: 2, chat_run: 1, answers: 1 },
  }),
  "POST /v1/messages/count_tokens": () => ({
    body: { model: "compatible:fake/echo", messages: [said("Counted")] },
  }),
  "POST /v1/embeddings": () => ({ body: { model: "nobody/m", input: "Words" }, status: 404 }),
  "POST /v1/conversations": () => ({
    body: { items: [said("First"), said("Second")] },
    makes: { chat_session: 2, chat_message: 2 },
  }),
  "POST /v1/conversations/:conversationId": ({ conversation }) => ({
    params: { conversationId: conversation },
    body: { metadata: { topic: "Tea" } },
  }),
  "POST /v1/conversations/:conversationId/items": ({ conversation }) => ({
    params: { conversationId: conversation },
    body: { items: [said("Added"), said("And this")] },
    makes: { chat_message: 2 },
  }),
};

/** They need accounts, for which others tests are, or make nothing. */
const apart =
  /^POST (\/api\/(account|people|backups)\b|\/oauth2\/|\/mcp$|\/v1\/(:path\*|models\b|.*\/(items\/:itemId|input_items)$|responses\/:responseId$))/;

const importedChat = [
  { type: "grove-export", format: 1, exportedAt: "2026-01-01T00:00:00.000Z" },
  {
    ...{ type: "session", id: "imported", title: "Imported", model: null, source: null, tags: [] },
    ...{ metadata: {}, parentSessionId: null, forkedAtMessageId: null, inputTokens: 0 },
    ...{ outputTokens: 0, cost: 0, frozenPrompt: null, pinnedAt: null, archivedAt: null },
    ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
    ...{ activeLeafId: "i1", leafIds: ["i1"] },
  },
  {
    ...{ type: "message", id: "i1", parentId: null, role: "user", pinned: false, label: null },
    ...{ createdAt: "2026-01-01T00:00:00.000Z", content: { parts: words("Imported") } },
  },
  { type: "session-end", id: "imported", messages: 1 },
  { type: "end", sessions: 1 },
]
  .map((record) => `${JSON.stringify(record)}\n`)
  .join("");

let served: TestServices;
let fakes: FakeModels;
let processes: readonly Services[];
let bearer: string;
let world: World;
const handlers = new Map<string, Handler>();

beforeAll(async () => {
  fakes = await startFakeModels();
  served = await startTestServices({
    OPENAI_COMPATIBLE_NAME: "fake",
    OPENAI_COMPATIBLE_BASE_URL: fakes.baseUrl,
  });
  processes = [services(), anotherProcess()];
  for (const { name, method, file } of await foundRoutes()) {
    if (method !== "POST") continue;
    const module: Record<string, Handler> = await import(join(process.cwd(), file));
    if (module.POST) handlers.set(name, module.POST);
  }
});
afterAll(async () => {
  const other = processes[1];
  await Promise.all([other?.sql.end({ timeout: 1 }), other?.chunkSql.end({ timeout: 1 })]);
  await fakes.close();
  await served.end();
});

/** A second process of this installation. */
function anotherProcess(): Services {
  const own = services();
  Reflect.deleteProperty(globalThis, "groveServices");
  const other = services();
  Object.assign(globalThis, { groveServices: own });
  return other;
}

beforeEach(async () => {
  const { data } = services().acting(inOwnSpace(localPersonId));
  await data.deleteAll();
  await served.database.sql`delete from account_space`;
  world = await makeWorld();
});

async function makeWorld(): Promise<World> {
  const owner = services().acting(inOwnSpace(localPersonId));
  const { temporaryChats, store, blocks } = owner;
  bearer = (await createKey(owner, { ...scopes, mcp: [], name: "Tests" })).secret;
  const line = async (sessionId: string, to = owner) => {
    await to.store.sessions.create("Chat", { id: sessionId });
    for (const [index, id] of ["q1", "a1", "q2", "q3"].entries())
      await to.store
        .messages(sessionId)
        .appendMessage({ id, role: index === 1 ? "assistant" : "user", parts: words(id) });
  };
  const temporaryChat = temporaryIdOf("t");
  await line("s");
  await line("deleted");
  await line(temporaryChat, temporaryChats);
  await store.sessions.delete("deleted", { deletionId: "d0" });
  await store.messages("s").deleteMessages(["q3"], { deletionId: "d1" });
  const compaction = await store.messages("s").addCompaction("Summary", "q1", "a1");
  await store.messages("s").removeCompaction(compaction.id);
  const block = { sessionId: null, description: "", scope: "owner", writers: "both" } as const;
  const made = async (label: string, kind: "writable" | "searchable") =>
    (await blocks.create({ ...block, label, kind, maxTokens: 100 })).id;
  const [entries, deletedBlock, written, other] = [
    await made("notes", "searchable"),
    await made("gone", "writable"),
    await made("written", "writable"),
    await made("removed", "writable"),
  ];
  await blocks.delete({ id: deletedBlock, sessionId: null }, "d3");
  await blocks.delete({ id: other, sessionId: null }, "d2");
  const proposals = await Promise.all(
    ["One", "Two"].map((content) =>
      store.proposals.add({
        ...{ sessionId: null, messageId: null, program: "Tests", key: null, title: null },
        ...{ description: null, action: "append", baseVersion: 0, blockId: written, content },
      }),
    ),
  );
  const send = async (name: string, body: unknown) =>
    (await (await post(0, name, { body }, null)).json()) as { id: string };
  return {
    ...{ entries, deletedBlock, temporaryChat, compactionId: compaction.id },
    proposals: proposals.map(({ id }) => id),
    conversation: (await send("POST /v1/conversations", { items: [said("Begin")] })).id,
    response: (await send("POST /v1/responses", { input: "Before" })).id,
  };
}

/** Sends it to one of two processes, as Next does. */
function post(
  process: number,
  name: string,
  { params = {}, query, body, contentType = "application/json" }: Repeated,
  requestName: string | null,
): Promise<Response> {
  const handler = handlers.get(name);
  if (!handler) throw new Error(`${name} has no handler.`);
  const path = name
    .slice("POST ".length)
    .replace(/:(\w+)\*?/g, (_, param: string) => [params[param]].flat().join("/"));
  const request = new Request(`http://127.0.0.1:3000${path}${query ? `?${query}` : ""}`, {
    method: "POST",
    headers: {
      host: "127.0.0.1:3000",
      "content-type": contentType,
      ...(name.includes(" /v1/") && { authorization: `Bearer ${bearer}` }),
      ...(requestName !== null && { "idempotency-key": requestName }),
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const own = services();
  Object.assign(globalThis, { groveServices: processes[process] });
  // A handler takes its services before it waits for anything.
  const answer = handler(request, { params: Promise.resolve(params) });
  Object.assign(globalThis, { groveServices: own });
  return answer;
}

const counted = [
  ...["chat_session", "chat_message", "chat_compaction", "chat_skill_event", "chat_block"],
  ...["chat_document", "chat_proposal", "chat_run", "chat_key", "chat_file"],
  "chat_share",
] as const;

async function rows(): Promise<Record<string, number>> {
  const { sql } = served.database;
  const counts: Record<string, number> = {};
  for (const table of counted) {
    const [row] = await sql.unsafe<{ count: number }[]>(
      `select count(*)::integer as count from ${table} where owner_id like 'local%'`,
    );
    counts[table] = row?.count ?? 0;
  }
  const answers =
    await sql`select from chat_usage where owner_id like 'local%' and kind = 'answer'`;
  counts.answers = answers.length;
  const projects = await sql`
    select from account_space join account_member using (space_id) where person_id = ${localPersonId}`;
  counts.projects = projects.length;
  return counts;
}

async function ended(): Promise<void> {
  const { sql } = served.database;
  const running = () => sql`select from chat_run where status = 'running'`;
  await expect.poll(async () => (await running()).length, { timeout: 20_000 }).toBe(0);
}

const read = async (response: Response) => ({
  status: response.status,
  body: await response.text(),
});

test("every POST there is has a request here", async () => {
  const found = (await foundRoutes()).filter(({ method }) => method === "POST");
  const names = found.map(({ name }) => name).filter((name) => !apart.test(name));
  expect(names).toEqual(Object.keys(posts).sort());
});

test.each(Object.keys(posts))(
  "%s twice at once, again, and after a process died makes one",
  { tags: "long" },
  async (name) => {
    const {
      makes = {},
      status,
      tellsAgain,
      isDoneAgain,
      ...request
    } = (posts[name] as (typeof posts)[string])(world);
    const before = await rows();
    const both = await Promise.all(
      [0, 1].map(async (process) => read(await post(process, name, request, "once"))),
    );
    await ended();
    const once = await rows();
    // Either of two imports at once is refused until the other is done.
    const [first, second] = both.toSorted((one, other) => one.status - other.status);
    if (status === undefined) expect(first?.status, first?.body).toBeLessThan(300);
    else expect(first?.status, first?.body).toBe(status);
    if (!tellsAgain) expect(second).toEqual(first);
    const more = Object.fromEntries(
      Object.entries(once).flatMap(([what, count]) => {
        const added = count - (before[what] ?? 0);
        return added === 0 ? [] : [[what, added]];
      }),
    );
    if (request.params === undefined || Object.keys(makes).length > 0) expect(more).toEqual(makes);
    const again = await read(await post(1, name, request, "once"));
    if (!tellsAgain) expect(again).toEqual(first);
    await served.database.sql`
    update chat_request set state = 'running', answer = null, claimed_until = now() where state = 'done'`;
    const afterDeath = await read(await post(0, name, request, "once"));
    expect(afterDeath.status, afterDeath.body).toBeLessThan(500);
    await ended();
    if (isDoneAgain) return;
    expect(await rows()).toEqual(once);
  },
);
