import { jsonSchema, tool } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolSource } from "@/lib/chat/core/tool-source";
import { changeSession } from "@/lib/chat/sessions/session-detail";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import type { ToolPolicy } from "@/lib/chat/wire/tools";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function sourceOf(policy: ToolPolicy): ToolSource {
  const each = (name: string, kind: "web" | "mcp") => ({
    name,
    title: name,
    note: "",
    origin: { kind, name: kind },
    defaultPolicy: policy,
    make: () =>
      tool({ inputSchema: jsonSchema<object>({ type: "object" }), execute: () => "Found" }),
  });
  const tools = [
    each("web_search", "web"),
    each("read_page", "web"),
    each("station__weather", "mcp"),
  ];
  return { tools: () => tools };
}

/** Chats whose person has set `policy` for every tool. */
function chatWith(policy: ToolPolicy) {
  const owner = newOwner(database.sql, crypto.randomUUID(), {
    toolSources: () => [sourceOf(policy)],
  });
  const { model, conversation } = manualChat(database.sql, { owner });
  let asked = 0;
  /** Names of the tools that the next answer gets. */
  async function offered() {
    const turn = asked++;
    model.turn(turn).say("Yes").finish();
    await conversation.ask(`Question ${turn}`);
    const names = (model.calls[turn]?.tools ?? []).map(({ name }) => name);
    return names.filter((name) => /^(web_search|read_page|station__weather)$/.test(name));
  }
  const choose = (web: boolean) =>
    changeSession(owner, conversation.sessionId, { parameters: { temperature: 0.5, web } });
  return { model, conversation, offered, choose };
}

test("a chat turns the tools of the web on and off, whatever the settings say, and no others", {
  tags: "long",
}, async () => {
  const off = chatWith("off");
  expect(await off.offered()).toEqual([]);
  expect((await off.choose(true)).parameters).toEqual({ temperature: 0.5, web: true });
  expect(await off.offered()).toEqual(["web_search", "read_page"]);

  const on = chatWith("on");
  expect(await on.offered()).toEqual(["web_search", "read_page", "station__weather"]);
  await on.choose(false);
  expect(await on.offered()).toEqual(["station__weather"]);
});

test.each([
  ["web_search", "ask", "paused"],
  ["web_search", "off", "complete"],
  ["read_page", "ask", "paused"],
  ["read_page", "off", "paused"],
  ["read_page", "on", "complete"],
] as const)(
  "with the web on for a chat, a call of %s, which is %s in the settings, is %s",
  async (name, policy, status) => {
    const { model, conversation, offered, choose } = chatWith(policy);
    await offered();
    await choose(true);
    model.turn(1).call(name, { query: "pears" }).finish("tool-calls");
    model.turn(2).say("Pears").finish();
    const answer = await conversation.ask("Look for pears");
    expect(answer.metadata?.status).toBe(status);
  },
);
