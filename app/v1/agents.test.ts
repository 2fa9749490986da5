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

test("the Runner of the Agents SDK keeps its conversation here with OpenAIConversationsSession", async () => {
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

test("the Runner keeps one chat for a run with tools, and for the runs that continue it", async () => {
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

test("the Runner with a conversation's id leaves its history to Grove", async () => {
  const { openai, runner } = await openaiOf();
  const { id: conversationId } = await openai.conversations.create();
  const asking = agent.clone({ tools: [weather] });
  const first = await runner.run(asking, "Weather there?", { conversationId });
  expect(first.finalOutput).toBe("It says: Rain in Oslo");
  await runner.run(agent, "Thanks", { conversationId });
  const { data } = await openai.conversations.items.list(conversationId);
  expect(data).toHaveLength(6);
});
