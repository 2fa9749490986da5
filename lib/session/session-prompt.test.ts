import { describe, expect, test } from "vitest";
import { InMemorySessionStore } from "./in-memory/in-memory-session-store";
import { Session } from "./session";

const soul = { provider: { get: async () => "You are helpful." } };

describe("the frozen prompt", () => {
  const open = (store: InMemorySessionStore) =>
    Session.create(store)
      .forSession("s1")
      .withContext("soul", soul)
      .withContext("memory")
      .withCachedPrompt();

  test("stays the same until refreshed, and lists the blocks changed meanwhile", async () => {
    const session = open(new InMemorySessionStore());
    expect(await session.memory.getPromptChanges()).toEqual([]);
    const frozen = await session.freezeSystemPrompt();
    await session.appendContextBlock("memory", "Likes tea.");
    expect(await session.freezeSystemPrompt()).toBe(frozen);
    expect(await session.memory.getPromptChanges()).toEqual([
      { label: "memory", change: "changed", before: "", after: "Likes tea." },
    ]);
    const refreshed = await session.refreshSystemPrompt();
    expect(refreshed).toContain("Likes tea.");
    expect(await session.freezeSystemPrompt()).toBe(refreshed);
    expect(await session.memory.getPromptChanges()).toEqual([]);
  });

  test("survives the process when it is cached", async () => {
    const store = new InMemorySessionStore();
    const frozen = await open(store).freezeSystemPrompt();
    await open(store).appendContextBlock("memory", "Likes tea.");
    expect(await open(store).freezeSystemPrompt()).toBe(frozen);
  });

  test("is renewed on demand, and stored only where that differs", async () => {
    const store = new InMemorySessionStore();
    const session = open(store);
    const events: string[] = [];
    session.on("prompt", ({ type }) => void events.push(type));
    const { versions } = await session.memory.freezeVersionedPrompt();
    await session.memory.freezeVersionedPrompt(undefined, { renews: true });
    expect(events).toHaveLength(1);
    await session.appendContextBlock("memory", "Likes tea.");
    const renewed = await session.memory.freezeVersionedPrompt(undefined, { renews: true });
    expect(renewed.prompt).toContain("Likes tea.");
    expect(renewed.versions).not.toEqual(versions);
    expect(await open(store).memory.freezeVersionedPrompt()).toEqual(renewed);
    expect(events).toHaveLength(2);
  });

  test("is rendered again by clearing messages", async () => {
    const session = open(new InMemorySessionStore());
    await session.freezeSystemPrompt();
    await session.appendContextBlock("memory", "Likes tea.");
    await session.clearMessages();
    expect(await session.freezeSystemPrompt()).toContain("Likes tea.");
  });

  test("is the same on every turn while a block cannot be read, and takes it up when it can", async () => {
    let attempts = 0;
    let answer: string | null = null;
    const provider = {
      get: () => {
        attempts++;
        if (answer === null) throw new Error(`disk on fire, attempt ${attempts}`);
        return answer;
      },
    };
    const store = new InMemorySessionStore();
    const turn = () =>
      Session.create(store)
        .withContext("soul", { provider })
        .withContext("memory")
        .withCachedPrompt();
    const frozen = await turn().freezeSystemPrompt();
    expect(frozen).toContain("(not available: ");
    await turn().appendContextBlock("memory", "Likes tea.");
    expect(await turn().freezeSystemPrompt()).toBe(frozen);
    expect((await turn().memory.freezeVersionedPrompt()).prompt).toBe(frozen);
    expect((await turn().memory.getPromptChanges()).map(({ label }) => label)).toEqual(["memory"]);
    answer = "Be kind.";
    const healed = await turn().freezeSystemPrompt();
    expect(healed).toContain("Be kind.");
    const before = attempts;
    expect(await turn().freezeSystemPrompt()).toBe(healed);
    expect(attempts).toBe(before);
  });

  test("leaves out an unreadable block without content", async () => {
    let isBroken = true;
    const get = () => (isBroken ? Promise.reject(new Error("away")) : "");
    const session = Session.create(new InMemorySessionStore())
      .withContext("soul", { provider: { get } })
      .withContext("memory");
    expect(await session.freezeSystemPrompt()).toContain("SOUL");
    isBroken = false;
    expect(await session.freezeSystemPrompt()).not.toContain("SOUL");
  });

  test("does not take what somebody writes for a block that could not be read", async () => {
    const session = open(new InMemorySessionStore());
    await session.replaceContextBlock("memory", "(not available: a shop)");
    const frozen = await session.freezeSystemPrompt();
    expect(await session.freezeSystemPrompt()).toBe(frozen);
    expect(await session.memory.getPromptChanges()).toEqual([]);
  });

  test("takes blocks added and removed at run time when refreshed", async () => {
    const session = open(new InMemorySessionStore());
    const frozen = await session.freezeSystemPrompt();
    expect(await session.addContext("notes", { maxTokens: 500 })).toMatchObject({
      label: "notes",
      writable: true,
    });
    await expect(session.addContext("notes")).rejects.toThrow('Block "notes" already exists');
    expect(await session.removeContext("memory")).toBe(true);
    expect(await session.removeContext("memory")).toBe(false);
    expect(await session.freezeSystemPrompt()).toBe(frozen);
    expect(await session.refreshSystemPrompt()).toContain("NOTES [0% — 0/500 tokens] [writable]");
  });
});
