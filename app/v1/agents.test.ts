import { Agent, OpenAIConversationsSession, OpenAIProvider, Runner, tool } from "@openai/agents";
import { expect, test } from "vitest";
import { z } from "zod";
import { serveV1 } from "./testing/v1-server";

const { client, owner } = serveV1();

const openaiOf = async () => {
  const openai = await client();
  const modelProvider = new OpenAIProvider({ openAIClient: openai, useResponses: true });
  return { openai, runner: new Runner({ modelProvider, tracingDisabled: true }) };
};
const agent = new Agent({
  name: "Assistant",
  instructions: "Be kind.",
  model: "compatible:fake/echo",
});
const weather = tool({
  name: "get_weather",
  description: "The weather of a city.",
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `Rain in ${city}`,
});
const chats = async () => (await owner().store.sessions.list({ limit: 500 })).sessions.length;

test("the Runner of the Agents SDK keeps its conversation here with OpenAIConversationsSession", {
  tags: "long",
}, async () => {
  const { openai, runner } = await openaiOf();
  const session = new OpenAIConversationsSession({ client: openai });
  const before = await chats();
  const asking = agent.clone({ tools: [weather], modelSettings: { store: false } });
  const first = await runner.run(asking, "Weather?", { session });
  expect(first.finalOutput).toBe("It says: Rain in Oslo");
  const second = await runner.run(agent.clone({ modelSettings: { store: false } }), "Thanks", {
    session,
  });
  expect(second.finalOutput).toBe("You said: Thanks");
  const items = await session.getItems();
  expect(items.map(({ type }) => type)).toEqual([
    "message",
    "function_call",
    "function_call_result",
    "message",
    "message",
    "message",
  ]);
  expect(await chats()).toBe(before + 1);
  const popped = await session.popItem();
  expect(popped).toMatchObject({ role: "assistant" });
  expect(await session.getItems(2)).toHaveLength(2);
  await session.clearSession();
  expect(await chats()).toBe(before);
});

const sessionTurns = async (
  runner: Runner,
  session: OpenAIConversationsSession,
  { stream }: { stream: boolean },
) => {
  for (const text of ["Weather?", "Thanks", "More"]) {
    const asking = text === "Weather?" ? agent.clone({ tools: [weather] }) : agent;
    if (!stream) await runner.run(asking, text, { session });
    else await (await runner.run(asking, text, { session, stream: true })).completed;
  }
};

test.each([false, true])(
  "a session with stored responses is one chat from its first turn on, streamed: %s",
  { tags: "long" },
  async (stream) => {
    const { openai, runner } = await openaiOf();
    const session = new OpenAIConversationsSession({ client: openai });
    const before = await chats();
    await sessionTurns(runner, session, { stream });
    expect(await chats()).toBe(before + 1);
    const items = await session.getItems();
    expect(items.map((item) => [item.type, "role" in item ? item.role : ""])).toEqual([
      ["message", "user"],
      ["function_call", ""],
      ["function_call_result", ""],
      ["message", "assistant"],
      ["message", "user"],
      ["message", "assistant"],
      ["message", "user"],
      ["message", "assistant"],
    ]);
    const { sessions } = await owner().store.sessions.list();
    const tree = owner().store.messages(sessions[0]?.id ?? "");
    expect(await tree.getHistory()).toHaveLength(8);
    await session.clearSession();
    expect(await chats()).toBe(before);
  },
);

test("two sessions with the same words keep a chat each", { tags: "long" }, async () => {
  const { openai, runner } = await openaiOf();
  const sessions = [1, 2].map(() => new OpenAIConversationsSession({ client: openai }));
  const before = await chats();
  await Promise.all(sessions.map((session) => runner.run(agent, "The same", { session })));
  expect(await chats()).toBe(before + 2);
  for (const session of sessions) {
    await runner.run(agent, "And again", { session });
    expect(await session.getItems()).toHaveLength(4);
  }
  expect(await chats()).toBe(before + 2);
});

test("the Runner keeps one chat for a run with tools, and for the runs that continue it", {
  tags: "long",
}, async () => {
  const { runner } = await openaiOf();
  const before = await chats();
  const asking = agent.clone({ tools: [weather] });
  const first = await runner.run(asking, "Weather here?");
  expect(first.finalOutput).toBe("It says: Rain in Oslo");
  const second = await runner.run(agent, [
    ...first.history,
    { role: "user", content: "And tomorrow?" },
  ]);
  expect(second.finalOutput).toBe("You said: And tomorrow?");
  const streamed = await runner.run(agent, [...second.history, { role: "user", content: "So?" }], {
    stream: true,
  });
  await streamed.completed;
  expect(streamed.finalOutput).toBe("You said: So?");
  expect(await chats()).toBe(before + 1);
});

test("the Runner with a conversation's id leaves its history to Grove", {
  tags: "long",
}, async () => {
  const { openai, runner } = await openaiOf();
  const { id: conversationId } = await openai.conversations.create();
  const asking = agent.clone({ tools: [weather] });
  const first = await runner.run(asking, "Weather there?", { conversationId });
  expect(first.finalOutput).toBe("It says: Rain in Oslo");
  await runner.run(agent, "Thanks", { conversationId });
  const { data } = await openai.conversations.items.list(conversationId);
  expect(data).toHaveLength(6);
});
