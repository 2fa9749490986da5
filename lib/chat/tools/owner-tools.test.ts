import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiptOf } from "@/lib/chat/answering/answer-receipt";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { toolsWire } from "./owner-tools";
import { type WeatherOptions, weatherSource } from "./testing/weather-tool";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function weatherChat(options?: WeatherOptions) {
  const { source, calls } = weatherSource(options);
  const owner = newOwner(database.sql, crypto.randomUUID(), { toolSources: () => [source] });
  return { ...manualChat(database.sql, { owner }), owner, calls };
}

describe("tools beyond memory", () => {
  test("are called, and named with their origin in the receipt", async () => {
    const { model, conversation, owner, calls } = weatherChat();
    model.turn(0).call("weather", { city: "Rome" }).finish("tool-calls");
    model.turn(1).say("Sunny").finish();
    const answer = await conversation.ask("Weather?");
    expect(calls).toEqual(["Rome"]);
    const receipt = (await receiptOf(owner, conversation.sessionId, answer.id)) as ReceiptWire;
    expect(receipt.origins).toEqual([
      { tool: "weather", title: "Weather", kind: "mcp", name: "Station" },
    ]);
  });

  test("are not offered when they are off", async () => {
    const { model, conversation, owner } = weatherChat();
    await owner.tools.choose({ weather: "off" });
    model.turn(0).say("No idea").finish();
    await conversation.ask("Weather?");
    expect(model.calls[0]?.tools?.map(({ name }) => name)).not.toContain("weather");
    expect((await toolsWire(owner.tools))[0]?.policy).toBe("off");
  });

  test("keep the policy of tools that a change does not name", async () => {
    const { owner } = weatherChat();
    await owner.tools.choose({ weather: "off" });
    await owner.tools.choose({ other: "on" });
    expect((await toolsWire(owner.tools))[0]?.policy).toBe("off");
  });

  test("keep both of two policies that are chosen at once", async () => {
    const [weather] = await weatherSource().source.tools();
    if (!weather) throw new Error("The source has no tool.");
    const source = { tools: () => [weather, { ...weather, name: "tides" }] };
    const owner = newOwner(database.sql, crypto.randomUUID(), { toolSources: () => [source] });
    const names = ["weather", "tides"];
    await Promise.all(names.map((name) => owner.tools.choose({ [name]: "off" })));
    const tools = (await toolsWire(owner.tools)).filter(({ name }) => names.includes(name));
    expect(tools.map(({ name, policy }) => [name, policy])).toEqual([
      ["weather", "off"],
      ["tides", "off"],
    ]);
  });

  test("keep the policies that 0.1.0 stored, until one is chosen again", async () => {
    const { owner } = weatherChat();
    await owner.settings.change({ toolPolicies: { weather: { policy: "off", version: "" } } });
    owner.tools.forget();
    expect((await toolsWire(owner.tools))[0]?.policy).toBe("off");
    await owner.tools.choose({ weather: "ask" });
    expect((await toolsWire(owner.tools))[0]?.policy).toBe("ask");
  });

  test("hold memory writes as proposals while they are offered", async () => {
    const { model, conversation, owner } = weatherChat();
    model
      .turn(0)
      .call("set_context", { label: "memory", content: "Likes sun" })
      .finish("tool-calls");
    model.turn(1).say("Done").finish();
    const answer = await conversation.ask("Note it");
    expect(answer.metadata?.writes).toBeUndefined();
    expect(answer.metadata?.proposals).toHaveLength(1);
    expect((await owner.store.proposals.list()).map(({ status }) => status)).toEqual(["open"]);
  });

  test("close what they opened when an answer is stopped", async () => {
    const closed = Promise.withResolvers<void>();
    const { model, conversation, process, owner } = weatherChat({ onClose: closed.resolve });
    model.turn(0).say("Half");
    const { run } = await conversation.send("Weather?");
    await model.turn(0).opened;
    await process.runner.stop(owner, run?.id ?? "");
    await closed.promise;
  });
});
