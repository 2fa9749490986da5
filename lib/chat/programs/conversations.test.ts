import { connect } from "grove-session/postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { contextView } from "@/lib/chat/answering/context-view";
import type { StoredKey } from "@/lib/chat/core/key-store";
import { makingOnce } from "@/lib/chat/core/making";
import { forkSession } from "@/lib/chat/sessions/session-detail";
import { chatProcess, demoModel, newOwner, resolvedModel } from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { createConversation, createItems, deleteItem, listItems } from "./conversations";
import { pathPage, placeOf } from "./item-page";
import { createKey } from "./keys";
import type { Program } from "./program";
import { createResponse, responseOf } from "./responses";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** One program that two server processes serve, each with a pool of its own. */
async function twoServers(chooseModel: Program["chooseModel"] = demoModel) {
  const ownerId = crypto.randomUUID();
  const owners = [1, 2].map(() => {
    const sql = connect(database.url);
    onTestFinished(() => sql.end({ timeout: 1 }));
    return newOwner(sql, ownerId);
  });
  const [first] = owners;
  if (!first) throw new Error("There is no owner.");
  const scopes = {
    usesApi: true,
    mcp: [],
    canWrite: true,
    usesMemory: false,
    blocks: null,
    keeps: "chats" as const,
  };
  const made = await createKey(first, {
    name: "Tests",
    models: null,
    monthlyLimit: null,
    ...scopes,
  });
  const key = (await first.keys.get(made.key.id)) as StoredKey;
  const [one, two] = owners.map((owner): Program => {
    const { runner } = chatProcess();
    const inBackground = (work: () => Promise<void>) => void work();
    const { temporary } = owner;
    return {
      ...{ key, owner, temporary, runner, chooseModel, inBackground, threadId: null },
      signal: new AbortController().signal,
      // Each request makes something else.
      get making() {
        return makingOnce();
      },
    };
  });
  if (!one || !two) throw new Error("There are no servers.");
  return { one, two };
}

const said = (text: string) => ({ role: "user", content: text });

async function textsOf(program: Program, id: string): Promise<string[]> {
  const query = new URLSearchParams({ order: "asc", limit: "100" });
  const { data } = await listItems(program, id, query);
  return (data as { content: [{ text: string }] }[]).map(({ content }) => content[0].text);
}

test("keeps every item that two servers add to a conversation at once", {
  tags: "long",
}, async () => {
  const { one, two } = await twoServers();
  const { id } = await createConversation(one, { items: [said("Begin")] });
  const texts = Array.from({ length: 24 }, (_, n) => `Item ${n}`);
  await Promise.all(
    texts.map((text, n) => createItems(n % 2 ? one : two, `${id}`, { items: [said(text)] })),
  );
  expect((await textsOf(two, `${id}`)).sort()).toEqual(["Begin", ...texts].sort());
});

test("lets one of two servers answer in a conversation, and refuses the other before it stores anything", async () => {
  const model = new ManualModel();
  const { one, two } = await twoServers(async () => resolvedModel(model.model));
  const { id } = await createConversation(one, { items: [said("Begin")] });
  const conversation = `${id}`;
  const answers = await Promise.allSettled(
    [one, two].map((server, n) => createResponse(server, { conversation, input: `Question ${n}` })),
  );
  model.turn().say("Answered").finish();
  const refused = answers.filter(({ status }) => status === "rejected");
  expect(refused).toMatchObject([{ reason: { code: "conversation_locked" } }]);
  const [answered] = answers.flatMap((answer, n) => (answer.status === "fulfilled" ? [n] : []));
  const [found] = answers.flatMap((answer) =>
    answer.status === "fulfilled" ? [answer.value] : [],
  );
  if (!found) throw new Error("No server answered.");
  const { signal } = new AbortController();
  await responseOf(answered === 0 ? one : two, found, { waits: true, signal });
  const texts = await textsOf(two, conversation);
  expect(texts).toEqual(["Begin", `Question ${answered}`, "Answered"]);
  const tree = await one.owner.store.messages(found.run.sessionId).getTree();
  expect(tree).toHaveLength(texts.length);
});

test("keeps an item that one server adds while another deletes the last one", {
  tags: "long",
}, async () => {
  const { one, two } = await twoServers();
  for (let round = 0; round < 5; round++) {
    const { id } = await createConversation(one, { items: [said("First"), said("Last")] });
    const { last_id } = await listItems(one, `${id}`, new URLSearchParams({ order: "asc" }));
    await Promise.all([
      deleteItem(one, `${id}`, `${last_id}`),
      createItems(two, `${id}`, { items: [said("Added")] }),
    ]);
    expect(await textsOf(two, `${id}`)).toEqual(["First", "Added"]);
  }
});

test("leaves one place to the person, whichever of two servers answers", {
  tags: "long",
}, async () => {
  const model = new ManualModel();
  const { one, two } = await twoServers(async () => resolvedModel(model.model));
  const requests = Array.from({ length: 12 }, (_, n) =>
    createResponse(n % 2 === 0 ? one : two, { input: `Question ${n}`, model: "test/model" }),
  );
  const running = async () => (await one.owner.runs.running()).length;
  await expect.poll(running).toBe(one.runner.maxForPrograms);
  for (let n = 0; n < requests.length; n++) {
    await expect.poll(() => model.calls.length).toBeGreaterThan(n);
    expect(await running()).toBeLessThanOrEqual(one.runner.maxForPrograms);
    model.turn(n).finish();
  }
  await Promise.all(requests);
  await expect.poll(running).toBe(0);
});

test("lists no items behind one that its message no longer has", async () => {
  const { one } = await twoServers();
  const { id } = await createConversation(one, { items: [said("First"), said("Last")] });
  const tree = one.owner.store.messages(`${id}`.replace("conv_", ""));
  const query = (after: string) => new URLSearchParams({ order: "asc", after });
  const { first_id: first } = await listItems(one, `${id}`, new URLSearchParams({ order: "asc" }));
  const place = placeOf(tree, `${first}`);
  const page = pathPage({ tree, place }, query(`${first}`));
  expect(await page).toMatchObject({ data: [{ content: [{ text: "Last" }] }] });
  const gone = pathPage({ tree, place }, query("msg_gone"));
  await expect(gone).rejects.toMatchObject({ code: "not_found" });
});

test("a chat of a program has a last request, and a fork that borrows its answer has none", {
  tags: "long",
}, async () => {
  const model = new ManualModel();
  const resolved = resolvedModel(model.model);
  const { one } = await twoServers(async () => resolved);
  const found = await createResponse(one, { input: "Question", model: "test/model" });
  model.turn().say("Answered").finish();
  await responseOf(one, found, { waits: true, signal: one.signal });
  const { sessionId, messageId } = found.run;
  expect(await contextView(one.owner, { sessionId, resolved })).toMatchObject({
    programAnswerId: messageId,
  });
  const fork = await forkSession(one.owner, sessionId, {
    messageId,
    withSideBranches: false,
  });
  const view = await contextView(one.owner, { sessionId: fork.id, resolved });
  expect(view).not.toHaveProperty("programAnswerId");
});
