import { jsonSchema, tool } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OwnerTool, ToolSource } from "@/lib/chat/core/tool-source";
import { newOwner, resolvedModel } from "@/lib/chat/testing/chat-fixture";
import { endedAnswer, manualChat } from "@/lib/chat/testing/run-fixture";
import { decideRequest, type GroveMessage } from "@/lib/chat/wire/messages";
import type { ToolPolicy } from "@/lib/chat/wire/tools";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { receiptOf } from "./answer-receipt";
import { contextView } from "./context-view";
import { decideCall } from "./decide-call";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** One tool for each of 200 cities. */
function atlas(policy: ToolPolicy): { readonly source: ToolSource; readonly calls: string[] } {
  const calls: string[] = [];
  const cities = ["rome", "oslo", "bonn", ...Array.from({ length: 197 }, (_, n) => `town${n}`)];
  const tools = cities.map((city): OwnerTool => {
    return {
      name: `atlas__map_of_${city}`,
      title: `Map of ${city}`,
      note: "Draws a map.",
      tokens: 40,
      origin: { kind: "mcp", name: "Atlas" },
      defaultPolicy: policy,
      make: () =>
        tool({
          description: "Draws a map.",
          inputSchema: jsonSchema<object>({ type: "object" }),
          execute: () => {
            calls.push(city);
            return `A map of ${city}`;
          },
        }),
    };
  });
  return { source: { tools: () => tools }, calls };
}

function atlasChat(policy: ToolPolicy = "on") {
  const { source, calls } = atlas(policy);
  const owner = newOwner(database.sql, crypto.randomUUID(), { toolSources: () => [source] });
  const chat = manualChat(database.sql, { owner });
  const sent = (call: number) =>
    (chat.model.calls[call]?.tools ?? [])
      .map(({ name }) => name)
      .filter((name) => name.startsWith("atlas__") || name === "find_tools")
      .toSorted();
  const find = (turn: number, city: string) => {
    chat.model.turn(turn).call("find_tools", { query: city }).finish("tool-calls");
    chat.model
      .turn(turn + 1)
      .call(`atlas__map_of_${city}`, {})
      .finish("tool-calls");
  };
  return { ...chat, owner, calls, sent, find };
}

describe("more tools than fit", () => {
  test("are found by a search, called in the next step, and kept once they were used", {
    tags: "long",
  }, async () => {
    const { model, conversation, calls, sent, find } = atlasChat();
    find(0, "rome");
    model.turn(2).say("Here it is").finish();
    await conversation.ask("A map of Rome?");
    expect(calls).toEqual(["rome"]);
    expect([sent(0), sent(1)]).toEqual([["find_tools"], ["atlas__map_of_rome", "find_tools"]]);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain("Map of rome");
    model.turn(3).say("You are welcome").finish();
    await conversation.ask("Thank you");
    expect(sent(3)).toEqual(["atlas__map_of_rome", "find_tools"]);
  });

  test("stay found while the person decides about the call", async () => {
    const { model, conversation, calls, sent, find, ...chat } = atlasChat("ask");
    find(0, "oslo");
    model.turn(2).say("Here it is").finish();
    const paused = await conversation.ask("A map of Oslo?");
    expect(paused.metadata?.status).toBe("paused");
    await decideCall(
      conversation.answering,
      {
        sessionId: conversation.sessionId,
        messageId: paused.id,
        approvalId: approvalIn(paused),
      },
      decideRequest.parse({ decision: "approve" }),
    );
    const done = await endedAnswer({ model, conversation, ...chat }, paused.id);
    expect(done.metadata?.status).toBe("complete");
    expect(calls).toEqual(["oslo"]);
    expect(sent(2)).toEqual(["atlas__map_of_oslo", "find_tools"]);
  });

  test("cannot be called before they are found", async () => {
    const { model, conversation, calls } = atlasChat();
    model.turn(0).call("atlas__map_of_bonn", {}).finish("tool-calls");
    model.turn(1).say("Sorry").finish();
    const answer = await conversation.ask("A map of Bonn?");
    expect(calls).toEqual([]);
    expect(answer.parts.find(({ type }) => type === "tool-atlas__map_of_bonn")).toMatchObject({
      state: "output-error",
    });
  });

  test("weigh nothing in the gauge, and stand in the receipt once found", {
    tags: "long",
  }, async () => {
    const { model, conversation, owner, find } = atlasChat();
    find(0, "rome");
    model.turn(2).say("Here it is").finish();
    const answer = await conversation.ask("A map of Rome?");
    const { sessionId } = conversation;
    const receipt = await receiptOf(owner, sessionId, answer.id);
    expect(receipt?.tools).toContain("find_tools");
    expect(receipt?.origins?.map(({ title }) => title)).toEqual(["Map of rome"]);
    const resolved = resolvedModel(model.model);
    const { gauge } = await contextView(owner, { sessionId, resolved });
    const labels = gauge.parts.flatMap(({ source, label }) => (source === "tools" ? [label] : []));
    expect(labels.toSorted()).toEqual(["Atlas", "Memory, chats and skills", "Search for tools"]);
    const atlasTokens = gauge.parts.find(({ label }) => label === "Atlas")?.tokens;
    expect(atlasTokens).toBeLessThan(40);
  });
});

function approvalIn({ parts }: GroveMessage): string {
  const ids = parts.flatMap((part) =>
    "approval" in part && part.approval ? [part.approval.id] : [],
  );
  return ids.at(-1) ?? "";
}
