import { generateText, type ModelMessage } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { SessionManager } from "grove-session";
import { GroveSessionStore, type SelectoolsMessage } from "grove-session/selectools";
import { expect, test } from "vitest";
import { onEveryStore } from "./every-store";

onEveryStore((openStore) => {
  test("an agent that saves its conversation", async () => {
    const model = answering("Hello Alice!", "Alice.");
    const store = new GroveSessionStore(openStore());

    async function run(sessionId: string, question: string): Promise<string> {
      const saved = (await store.load(sessionId))?.messages ?? [];
      const messages = [...saved, { role: "user" as const, content: question }];
      const { text } = await generateText({ model, messages: messages.map(modelMessage) });
      await store.save(sessionId, {
        messages: [...messages, { role: "assistant", content: text }],
      });
      return text;
    }

    await run("user-alice-001", "My name is Alice.");
    const answer = await run("user-alice-001", "What is my name?");

    expect(answer).toBe("Alice.");
    expect(model.doGenerateCalls[1]?.prompt.length).toBe(3);
    expect(await store.exists("user-alice-001")).toBe(true);
  });

  test("the data of a session", async () => {
    const store = new GroveSessionStore(openStore());
    await store.save("user-alice-001", {
      messages: [
        { role: "user", content: "My name is Alice." },
        { role: "assistant", content: "Hello Alice!" },
      ],
      metadata: { user_id: "alice", started_at: "2026-03-13T10:00:00Z" },
    });
    const data = await store.load("user-alice-001");
    expect(data).toMatchObject({
      session_id: "user-alice-001",
      messages: [{ role: "user" }, { role: "assistant" }],
      metadata: { user_id: "alice", started_at: "2026-03-13T10:00:00Z" },
    });
  });

  test("a round trip", async () => {
    const store = new GroveSessionStore(openStore());
    await store.save("s1", {
      messages: [{ role: "user", content: "Hello" }],
      metadata: { user: "test" },
    });
    expect(await store.exists("s1")).toBe(true);
    expect((await store.load("s1"))?.messages[0]?.content).toBe("Hello");
    await store.delete("s1");
    expect(await store.exists("s1")).toBe(false);
  });

  test("expiry", async () => {
    const grove = openStore();
    const store = new GroveSessionStore(grove, { ttlSeconds: 604_800 });
    await store.save("s1", { messages: [] });
    expect(await store.exists("s1")).toBe(true);
    await SessionManager.create(grove).update("s1", { expiresAfterMs: -1 });

    expect(await store.load("s1")).toBeNull();
    expect(await store.exists("s1")).toBe(false);
    expect(await store.listSessions()).toEqual([]);
  });

  test("missing sessions", async () => {
    const store = new GroveSessionStore(openStore());
    const data = await store.load("nonexistent-session");
    expect(data).toBeNull();
    for (const sessionId of await store.listSessions()) console.log(sessionId);
    expect(await store.delete("user-alice-001")).toBe(false);
  });

  test("namespaces", async () => {
    const store = new GroveSessionStore(openStore());
    const of = (content: string) => ({ messages: [{ role: "user" as const, content }] });
    await store.save("session_123", of("For A"), { namespace: "agent_a" });
    await store.save("session_123", of("For B"), { namespace: "agent_b" });
    const first = await store.load("session_123", { namespace: "agent_a" });
    const second = await store.load("session_123", { namespace: "agent_b" });
    expect([first, second].map((data) => data?.messages[0]?.content)).toEqual(["For A", "For B"]);
  });

  test("searching sessions", async () => {
    const store = new GroveSessionStore(openStore());
    const namespace = "user:alice";
    const messages: SelectoolsMessage[] = [{ role: "user", content: "A billing discrepancy" }];
    await store.save("s1", { messages }, { namespace });

    const results = await store.search("billing discrepancy", { namespace, limit: 5 });
    for (const { sessionId, score, matchedMessages } of results) {
      console.log(sessionId, score, matchedMessages);
      const memory = await store.load(sessionId, { namespace });
      expect(memory?.messages).toEqual(messages);
    }
    expect(results.length).toBe(1);
  });

  test("observers and branches", async () => {
    const watched: string[] = [];
    const store = new GroveSessionStore(openStore(), {
      observers: [
        {
          onSessionLoad: (runId, sessionId, messageCount) =>
            watched.push(`[${runId}] Loaded ${sessionId} with ${messageCount} messages`),
          onSessionSave: (runId, sessionId, messageCount) =>
            watched.push(`[${runId}] Saved ${sessionId} with ${messageCount} messages`),
        },
      ],
    });
    await store.save("s1", { messages: [{ role: "user", content: "Hello" }] }, { runId: "r1" });
    await store.branch("s1", "s2");
    await store.load("s2", { runId: "r2" });
    expect(watched).toEqual(["[r1] Saved s1 with 1 messages", "[r2] Loaded s2 with 1 messages"]);
  });
});

function modelMessage({ role, content }: SelectoolsMessage): ModelMessage {
  const text = content ?? "";
  return role === "assistant" ? { role, content: text } : { role: "user", content: text };
}

function answering(...answers: string[]): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: answers.map((text) => ({
      content: [{ type: "text", text }],
      finishReason: { unified: "stop", raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    })),
  });
}
