import { convertToModelMessages } from "ai";
import { expect, test } from "vitest";
import { onEveryStore } from "@/docs/examples/every-store";
import {
  emittingStore,
  InMemorySessionStore,
  Session,
  SessionManager,
  type SessionStore,
} from "../../session";
import { assistant, toolCall, user } from "../../session/testing";
import { createSession, GroveStorage, type Message, type SessionMeta } from ".";

const turn: readonly Message[] = [
  { role: "system", content: "Be brief.", timestamp: "2026-01-01T00:00:00.000Z" },
  { role: "user", content: "Weather?", timestamp: "2026-01-01T02:00:01+02:00" },
  {
    role: "assistant",
    content: "Let me look.",
    toolCalls: [
      { id: "c1", name: "weather", input: { city: "Rome" } },
      { id: "c2", name: "weather", input: { city: "Oslo" } },
    ],
    timestamp: "2026-01-01T00:00:02.000Z",
  },
  { role: "tool", content: "sunny", toolCallId: "c1", timestamp: "2026-01-01T00:00:03.000Z" },
  {
    role: "tool",
    content: '{"sky":"grey"}',
    toolCallId: "c2",
    timestamp: "2026-01-01T00:00:03.000Z",
  },
  { role: "assistant", content: "", timestamp: "2026-01-01T00:00:04.000Z" },
];

onEveryStore((openStore) => {
  test("lists records of every role as they were appended", async () => {
    const storage = new GroveStorage(openStore());
    await storage.putSession(meta("s1"));
    for (const record of turn) await storage.appendRecord("s1", record);
    expect(await storage.listRecords("s1")).toEqual(turn);
    expect(await storage.listRecords("s1", { role: "tool", offset: 1 })).toEqual([turn[4]]);
    expect(await storage.listRecords("unknown")).toEqual([]);
  });

  test("stores records so that the app continues the conversation", async () => {
    const store = openStore();
    const storage = new GroveStorage(store);
    await storage.putSession(meta("s1"));
    for (const record of turn) await storage.appendRecord("s1", record);
    const session = SessionManager.create(store).getSession("s1");

    const history = await convertToModelMessages(await session.getModelHistory());

    expect(history.map(({ role }) => role)).toEqual(["user", "user", "assistant", "tool"]);
    expect(JSON.stringify(history[3])).toContain('"sunny"');
    await session.appendMessage(user("q2", "And now?"));
    expect((await storage.listRecords("s1")).at(-1)?.content).toBe("And now?");
  });

  test("reads what the app has written as records", async () => {
    const store = openStore();
    const storage = new GroveStorage(store);
    const session = Session.create(store).forSession("s1");
    const files = [{ type: "file", filename: "map.png", mediaType: "image/png", url: "data:," }];
    await session.appendMessage({ ...user("q1"), parts: [...user("q1").parts, ...files] });
    await session.appendMessage({
      ...assistant("a1", "Let me look."),
      parts: [
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "Let me look." },
        toolCall("weather", { city: "Rome" }, { sky: "blue" }),
        { type: "text", text: "It is sunny." },
      ],
    });

    const records = await storage.listRecords("s1");

    expect(records.map(({ role, content }) => [role, content])).toEqual([
      ["user", "q1\n[File: map.png]"],
      ["assistant", "Let me look."],
      ["tool", '{"sky":"blue"}'],
      ["assistant", "It is sunny."],
    ]);
    expect(records[1]?.toolCalls).toEqual([
      { id: records[2]?.toolCallId, name: "weather", input: { city: "Rome" } },
    ]);
    await storage.trimRecords("s1", 2);
    expect((await storage.listRecords("s1")).length).toBe(3);
  });

  test("replaces what describes a session, metadata as a whole", async () => {
    const storage = new GroveStorage(openStore());
    await storage.putSession({ ...meta("s1"), metadata: { a: 1 } });
    await storage.putSession({ ...meta("s1", "main"), metadata: { b: 2 }, status: "archived" });
    expect(await storage.getSession("s1")).toMatchObject({
      role: "main",
      status: "archived",
      metadata: { b: 2 },
    });
    expect(await storage.getSession("unknown")).toBeNull();
  });

  test("lists sessions by status, role and tags, oldest first", async () => {
    const storage = new GroveStorage(openStore());
    await storage.putSession({ ...meta("s1"), tags: ["tea", "hot"] });
    await storage.putSession({ ...meta("s2", "main"), tags: ["tea"] });
    await storage.putSession({ ...meta("s3"), status: "archived" });
    const ids = async (filter?: Parameters<typeof storage.listSessions>[0]) =>
      (await storage.listSessions(filter)).map(({ id }) => id);
    expect(await ids()).toEqual(["s1", "s2", "s3"]);
    expect(await ids({ status: "archived" })).toEqual(["s3"]);
    expect(await ids({ role: "main" })).toEqual(["s2"]);
    expect(await ids({ tags: ["hot", "tea"], status: "active" })).toEqual(["s1"]);
  });

  test("keeps a topology, whose nodes may come before their sessions", async () => {
    const storage = new GroveStorage(openStore());
    await storage.putSession(meta("root", "main"));
    await storage.putNode({ id: "root", parentId: null, label: "Root" });
    await storage.putNode({ id: "child", parentId: "root", label: "Child" });
    expect(await storage.getSession("child")).toBeNull();
    expect(await storage.getChildren("root")).toEqual([
      { id: "child", parentId: "root", label: "Child" },
    ]);
    await storage.putSession(meta("child"));
    expect((await storage.getSession("child"))?.label).toBe("Session child");
    expect((await storage.getChildren("root")).length).toBe(1);
    await storage.removeNode("child");
    await storage.removeNode("unknown");
    expect(await storage.getChildren("root")).toEqual([]);
    expect(await storage.getSession("child")).not.toBeNull();
  });

  test("keeps global values of concurrent writers", async () => {
    const storage = new GroveStorage(openStore());
    expect(await storage.getGlobal("k1")).toBeNull();
    const keys = ["k1", "k2", "k3", "k4"];
    await Promise.all(keys.map((key) => storage.putGlobal(key, { key })));
    expect(await Promise.all(keys.map((key) => storage.getGlobal(key)))).toEqual(
      keys.map((key) => ({ key })),
    );
  });

  test("keeps global values under the names of an object's own methods", async () => {
    const storage = new GroveStorage(openStore());
    expect(await storage.getGlobal("toString")).toBeNull();
    for (const key of ["__proto__", "constructor", "k1"]) await storage.putGlobal(key, { key });
    for (const key of ["__proto__", "constructor", "k1"])
      expect(await storage.getGlobal(key)).toEqual({ key });
  });

  test("announces the deletion that restores trimmed records", async () => {
    const store = emittingStore(openStore());
    const manager = SessionManager.create(store);
    const storage = new GroveStorage(store);
    await storage.putSession(meta("s1"));
    for (const content of ["1", "2"]) await storage.appendRecord("s1", { role: "user", content });
    const deletionIds: (string | null)[] = [];
    manager.on("delete", ({ deletionId }) => void deletionIds.push(deletionId));

    await storage.trimRecords("s1", 1);
    for (const id of deletionIds) await manager.getSession("s1").restoreMessages(id ?? "");

    expect((await storage.listRecords("s1")).map(({ content }) => content)).toEqual(["1", "2"]);
  });

  test("stores nothing of a transaction that throws", async () => {
    const storage = new GroveStorage(openStore());
    await storage.putSession(meta("s1"));
    const failing = storage.transaction(async (tx) => {
      await tx.putSession(meta("s2"));
      await tx.appendRecord("s1", { role: "user", content: "Hello" });
      await tx.putMemory("s1", "Memory");
      expect((await tx.listRecords("s1")).length).toBe(1);
      expect(await tx.getMemory("s1")).toBe("Memory");
      throw new Error("stopped");
    });
    await expect(failing).rejects.toThrow("stopped");
    expect(await storage.getSession("s2")).toBeNull();
    expect(await storage.listRecords("s1")).toEqual([]);
    expect(await storage.getMemory("s1")).toBeNull();
  });

  test("stores no text of a transaction whose texts were changed meanwhile", async () => {
    const storage = new GroveStorage(openStore());
    for (const id of ["s1", "s2"]) await storage.putSession(meta(id));
    const outdated = storage.transaction(async (tx) => {
      await tx.getMemory("s1");
      await storage.putMemory("s1", "faster");
      await tx.putMemory("s1", "slower");
      await tx.putInsight("s2", "slower");
    });
    await expect(outdated).rejects.toThrow("changed meanwhile");
    expect(await storage.getMemory("s1")).toBe("faster");
    expect(await storage.getInsight("s2")).toBeNull();
  });

  test("trims in a transaction as it reads there", async () => {
    const storage = new GroveStorage(openStore());
    await storage.putSession(meta("s1"));
    for (const content of ["1", "2", "3"])
      await storage.appendRecord("s1", { role: "user", content });
    const inside = await storage.transaction(async (tx) => {
      await tx.trimRecords("s1", 1);
      await tx.appendRecord("s1", { role: "user", content: "4" });
      return (await tx.listRecords("s1")).map(({ content }) => content);
    });
    expect(inside).toEqual(["3", "4"]);
    expect((await storage.listRecords("s1")).map(({ content }) => content)).toEqual(inside);
  });

  test("leaves no half-made session when a write fails", async () => {
    const store = openStore();
    const parent = await createSession({ storage: new GroveStorage(store) });
    await SessionManager.create(store).append(parent.meta.id, user("q1"));
    const storage = new GroveStorage(withoutBlocks(store));
    await expect(createSession({ storage, systemPrompt: "Be brief." })).rejects.toThrow("disk");
    const fork = storage.forkSession(parent.meta.id, meta("child"), {
      systemPrompt: "Be brief.",
      records: [],
    });
    await expect(fork).rejects.toThrow("disk");
    expect((await storage.listSessions()).map(({ id }) => id)).toEqual([parent.meta.id]);
  });
});

test("appends 200 records of a transaction as one chain among other writers", async () => {
  const storage = new GroveStorage(new InMemorySessionStore());
  await storage.putSession(meta("s1"));
  const append = (writer: number) =>
    storage.transaction(async (tx) => {
      for (let n = 0; n < 50; n++)
        await tx.appendRecord("s1", { role: "user", content: `${writer}` });
    });
  await Promise.all([1, 2, 3, 4].map(append));
  const writers = (await storage.listRecords("s1")).map(({ content }) => content);
  const changes = writers.filter((writer, index) => index > 0 && writer !== writers[index - 1]);
  expect([writers.length, changes.length]).toEqual([200, 3]);
});

function meta(id: string, role: SessionMeta["role"] = "standard"): SessionMeta {
  const now = new Date().toISOString();
  const label = `Session ${id}`;
  const rest = { tags: [], metadata: {}, createdAt: now, updatedAt: now };
  return { id, label, role, status: "active", ...rest };
}

/** A store whose disk is full for blocks. */
function withoutBlocks(store: SessionStore): SessionStore {
  return {
    ownerId: store.ownerId,
    sessions: store.sessions,
    proposals: store.proposals,
    messages: (sessionId) => store.messages(sessionId),
    block: (ref) => store.block(ref),
    promptCache: (sessionId) => store.promptCache(sessionId),
    writeBlocks: () => Promise.reject(new Error("The disk is full.")),
  };
}
