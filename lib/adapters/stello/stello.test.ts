import { expect, test, vi } from "vitest";
import { onEveryStore } from "@/docs/examples/every-store";
import type { SessionStore } from "../../session";
import {
  createSession,
  GroveStorage,
  InMemoryStorageAdapter,
  type LLMAdapter,
  loadMainSession,
  loadSession,
  MemoryChangedError,
  SessionArchivedError,
  type SessionStorage,
} from ".";
import { errorsOf, meetingOf } from "./testing/at-once";
import { documentedMethods } from "./testing/documented-methods";
import { scripted, texts } from "./testing/scripted-model";

onEveryStore((openStore) => {
  const openStorage = () => new GroveStorage(openStore());

  test("stores a message with its answer", async () => {
    const llm = scripted("Three minutes.");
    const session = await createSession({ storage: openStorage(), llm, systemPrompt: "Be brief." });

    const result = await session.send("How long does tea steep?");

    expect(result).toEqual({ content: "Three minutes." });
    expect(texts(await session.messages())).toEqual([
      ["user", "How long does tea steep?"],
      ["assistant", "Three minutes."],
    ]);
    expect(texts(llm.contexts[0])).toEqual([
      ["system", "Be brief."],
      ["user", "How long does tea steep?"],
    ]);
  });

  test("stores nothing of a turn whose model fails", async () => {
    const session = await createSession({ storage: openStorage(), llm: failing });
    await expect(session.send("Hello")).rejects.toThrow("overloaded");
    expect(await session.messages()).toEqual([]);
  });

  test("takes turns sent at once one after the other", async () => {
    const llm = scripted("one", "two");
    const session = await createSession({ storage: openStorage(), llm });
    await session.setInsight("Used once.");
    await Promise.all([session.send("first"), session.send("second")]);
    expect(texts(await session.messages()).map(([, text]) => text)).toEqual([
      "first",
      "one",
      "second",
      "two",
    ]);
    expect(llm.contexts.map((context) => context.length)).toEqual([2, 3]);
  });

  test("streams the answer and stores it when it ends", async () => {
    const llm = { ...scripted(), stream: chunks(["Three ", "minutes."]) };
    const session = await createSession({ storage: openStorage(), llm });
    const stream = session.stream("How long?");
    const received: string[] = [];
    for await (const text of stream) received.push(text);
    expect(received).toEqual(["Three ", "minutes."]);
    expect(await stream.result).toEqual({ content: "Three minutes." });
    expect(texts(await session.messages()).at(-1)).toEqual(["assistant", "Three minutes."]);
  });

  test("gives the answer of a model that does not stream in one piece", async () => {
    const session = await createSession({ storage: openStorage(), llm: scripted("All.") });
    const received: string[] = [];
    for await (const text of session.stream("How long?")) received.push(text);
    expect(received).toEqual(["All."]);
  });

  test("stores a streamed answer that nobody reads", async () => {
    const session = await createSession({ storage: openStorage(), llm: scripted("Unread.") });
    for await (const _ of session.stream("first")) break;
    await session.stream("second").result.catch(() => {});
    expect((await session.messages()).length).toBe(4);
  });

  test("passes a model's failure to readers of the stream", async () => {
    const session = await createSession({ storage: openStorage(), llm: failing });
    const stream = session.stream("Hello");
    await expect(stream.result).rejects.toThrow("overloaded");
    await expect(collected(stream)).rejects.toThrow("overloaded");
    expect(await session.messages()).toEqual([]);
  });

  test("uses an insight for one answered message", async () => {
    const storage = openStorage();
    const session = await createSession({ storage, llm: failing, systemPrompt: "Be brief." });
    await session.setInsight("The rent is due.");
    await expect(session.send("Hello")).rejects.toThrow();
    expect(await session.insight()).toBe("The rent is due.");

    const llm = scripted("Hi.", "Again.");
    session.setLLM(llm);
    await session.send("Hello");
    await session.send("Hello again");

    expect(texts(llm.contexts[0]).slice(0, 2)).toEqual([
      ["system", "Be brief."],
      ["system", "The rent is due."],
    ]);
    expect(llm.contexts[1]?.[1]?.role).toBe("user");
    expect(await session.insight()).toBeNull();
  });

  test("keeps an insight that arrives during an answer", async () => {
    const storage = openStorage();
    const session = await createSession({ storage });
    await session.setInsight("old");
    session.setLLM({
      maxContextTokens: 1000,
      complete: async () => {
        await session.setInsight("new");
        return { content: "Done." };
      },
    });
    await session.send("Hello");
    expect(await session.insight()).toBe("new");
  });

  test("stores a turn once and keeps an insight that arrives while it is stored", async () => {
    const store = openStore();
    const { meta } = await createSession({ storage: new GroveStorage(store) });
    const storage = new InsightsAtCommit(store, meta.id);
    await storage.putInsight(meta.id, "old");
    const session = await loadSession(meta.id, { storage, llm: scripted("Hi.") });
    await session?.send("Hello");
    expect(texts(await session?.messages())).toEqual([
      ["user", "Hello"],
      ["assistant", "Hi."],
    ]);
    expect(await session?.insight()).toBe("new");
  });

  test("consolidates its records into its memory", async () => {
    const session = await createSession({ storage: openStorage(), llm: scripted("One.", "Two.") });
    await session.send("first");
    expect(await session.memory()).toBeNull();
    await session.consolidate(async (memory, messages) => `${memory} ${messages.length}`);
    await session.send("second");
    await session.consolidate(async (memory, messages) => `${memory} ${messages.length}`);
    expect(await session.memory()).toBe("null 2 4");
  });

  test("refuses a memory derived from an older one", async () => {
    const session = await createSession({ storage: openStorage() });
    const outdated = session.consolidate(async () => {
      await session.consolidate(async () => "faster");
      return "slower";
    });
    await expect(outdated).rejects.toThrow(MemoryChangedError);
    expect(await session.memory()).toBe("faster");
  });

  test("refuses all but one of the memories derived at once", async () => {
    const session = await createSession({ storage: openStorage() });
    const together = meetingOf(3);
    const outcomes = await Promise.allSettled(
      ["a", "b", "c"].map((memory) => session.consolidate(() => together(memory))),
    );
    expect(errorsOf(outcomes)).toEqual([
      expect.any(MemoryChangedError),
      expect.any(MemoryChangedError),
    ]);
  });

  test("summarizes old records above 80% of the context window, again once the rest outgrows it", async () => {
    const long = "word ".repeat(60).trim();
    const llm = scripted(...Array<string>(10).fill(long));
    llm.maxContextTokens = 900;
    const summarized: string[][] = [];
    const session = await createSession({
      ...{ storage: openStorage(), llm, label: "Tea" },
      compressFn: async (messages) => {
        summarized.push(messages.map(({ content }) => content));
        return `Summary ${summarized.length}`;
      },
    });
    await session.consolidate(async () => "A memory is no part of the context.");
    const questions = Array.from({ length: 14 }, (_, n) => `question ${n}`);
    for (const question of questions) await session.send(question);

    const spoken = (await session.messages()).map(({ content }) => content);
    expect(spoken).toHaveLength(28);
    expect(summarized.length).toBeGreaterThan(0);
    expect(summarized.length).toBeLessThan(5);
    for (const old of summarized) expect(old).toEqual(spoken.slice(0, old.length));
    const [identity, summary, ...rest] = texts(llm.contexts.at(-1));
    expect(identity?.[1]).toContain("“Tea”");
    expect(summary).toEqual(["system", `Summary ${summarized.length}`]);
    const covered = summarized.at(-1)?.length ?? 0;
    expect(rest.map(([, text]) => text)).toEqual(spoken.slice(covered, -1));
  });

  test("has its own model summarize, in pieces that fit", async () => {
    const storage = openStorage();
    const { meta } = await createSession({ storage });
    const long = "word ".repeat(1_500);
    for (let n = 0; n < 6; n++)
      await storage.appendRecord(meta.id, { role: "user", content: long });
    const llm = scripted("One.", "Two.", "Three.", "Fine.");
    llm.maxContextTokens = 10_000;
    const session = await loadSession(meta.id, { storage, llm });
    expect(await session?.send("And now?")).toEqual({ content: "Fine." });
    expect(llm.contexts[2]?.at(-1)?.content).toContain("Summary so far: Two.");
    expect(texts(llm.contexts[3])).toContainEqual(["system", "Three."]);
  });

  test("sends everything above 80% when there is nothing to summarize", async () => {
    const llm = scripted("word ".repeat(60));
    llm.maxContextTokens = 5;
    const session = await createSession({ storage: openStorage(), llm });
    await session.send("first");
    expect(texts(llm.contexts[0])).toEqual([["user", "first"]]);
  });

  test("has the id, tools and functions that it is given, and hands them to its children", async () => {
    const storage = openStorage();
    const llm = scripted();
    const tool = { name: "search", description: "", inputSchema: {} };
    const consolidateFn = async () => "Consolidated.";
    const options = { storage, llm, tools: [tool], consolidateFn };
    const session = await createSession({ ...options, id: "tea" });
    const child = await session.fork({ id: "green", label: "Green" });
    await child.consolidate();
    expect([child.meta.id, await child.memory(), child.tools]).toEqual([
      "green",
      "Consolidated.",
      [tool],
    ]);
    session.setTools(undefined);
    expect([session.tools, child.tools]).toEqual([undefined, [tool]]);
    await expect(createSession({ ...options, id: "tea" })).rejects.toThrow('"tea" exists');
    await expect(child.fork({ id: "tea", label: "Black" })).rejects.toThrow('"tea" exists');
    const without = await createSession({ storage });
    await expect(without.consolidate()).rejects.toThrow("No consolidateFn");
  });

  test("keeps the newest records when trimmed", async () => {
    const session = await createSession({ storage: openStorage(), llm: scripted("a", "b") });
    await session.send("one");
    await session.send("two");
    await session.trimRecords(3);
    expect(texts(await session.messages()).map(([, text]) => text)).toEqual(["a", "two", "b"]);
    await session.trimRecords(0);
    expect(await session.messages()).toEqual([]);
    await expect(session.trimRecords(-1)).rejects.toThrow("non-negative");
  });

  test("selects records by role, offset and limit", async () => {
    const session = await createSession({ storage: openStorage(), llm: scripted("a", "b", "c") });
    for (const text of ["one", "two", "three"]) await session.send(text);
    const query = { role: "assistant", offset: 1, limit: 1 } as const;
    expect(texts(await session.messages(query))).toEqual([["assistant", "b"]]);
  });

  test("forks without, with and with chosen records of its parent", async () => {
    const storage = openStorage();
    const llm = scripted("Three minutes.");
    const parent = await createSession({ storage, llm, systemPrompt: "Be brief.", tags: ["tea"] });
    await parent.send("How long?");
    await parent.consolidate(async () => "Tea.");
    await parent.setInsight("Water is hot.");

    const empty = await parent.fork({ label: "Empty", systemPrompt: "Be long." });
    const whole = await parent.fork({ label: "Whole", context: "inherit", prompt: "Go on." });
    const chosen = await parent.fork({
      label: "Chosen",
      context: (records) => records.filter(({ role }) => role === "user"),
    });

    expect(await empty.messages()).toEqual([]);
    expect(await empty.systemPrompt()).toBe("Be long.");
    expect(texts(await whole.messages())).toEqual([
      ["user", "How long?"],
      ["assistant", "Three minutes."],
      ["assistant", "Go on."],
    ]);
    expect(await whole.systemPrompt()).toBe("Be brief.");
    expect(texts(await chosen.messages())).toEqual([["user", "How long?"]]);
    for (const child of [empty, whole, chosen]) {
      expect(await child.memory()).toBeNull();
      expect(await child.insight()).toBeNull();
      expect(child.meta.tags).toEqual([]);
      expect(child.meta.role).toBe("standard");
    }
  });

  test("creates one session of all that are created at once under an id", async () => {
    const storage = openStorage();
    const atOnce = (label: string) => createSession({ storage, id: "s1", label });
    const made = await Promise.allSettled(["One", "Two", "Three"].map(atOnce));
    const [first, ...more] = made.flatMap((each) =>
      each.status === "fulfilled" ? [each.value] : [],
    );
    expect(more).toEqual([]);
    expect((await storage.getSession("s1"))?.label).toBe(first?.meta.label);
    const refused = made.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    for (const reason of refused) expect(reason.message).toMatch(/^Session "s1" exists\. Load it/);
  });

  test("creates one session of all that are created at once under the id of a node", async () => {
    const store = openStore();
    const storage = new GroveStorage(store);
    await storage.putNode({ id: "c", parentId: null, label: "Node" });
    vi.spyOn(store.sessions, "update").mockRejectedValueOnce(new Error("offline"));
    await expect(createSession({ storage, id: "c" })).rejects.toThrow("offline");
    const made = await Promise.allSettled(
      ["One", "Two"].map((text) =>
        createSession({ storage, id: "c", label: text, systemPrompt: text }),
      ),
    );
    const [first, ...more] = made.flatMap((each) =>
      each.status === "fulfilled" ? [each.value] : [],
    );
    expect(more).toEqual([]);
    expect(errorsOf(made)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^Session "c" exists\. Load it/) }),
    ]);
    expect((await storage.getSession("c"))?.label).toBe(first?.meta.label);
    expect(await storage.getSystemPrompt("c")).toBe(first?.meta.label);
  });

  test("forks one child of all that are forked at once under an id", async () => {
    const storage = openStorage();
    const parent = await createSession({ storage, llm: scripted("Three minutes.") });
    await parent.send("How long?");
    const atOnce = (prompt: string) =>
      parent.fork({ id: "c", label: prompt, context: "inherit", prompt });
    const forked = await Promise.allSettled(["One", "Two", "Three"].map(atOnce));
    expect(forked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await storage.listRecords("c")).toHaveLength(3);
  });

  test("inherits its parent's records where its node came first", async () => {
    const storage = openStorage();
    const parent = await createSession({ storage, llm: scripted("Three minutes.") });
    await parent.send("How long?");
    await storage.putNode({ id: "c", parentId: parent.meta.id, label: "Child" });
    const child = await parent.fork({
      id: "c",
      label: "Child",
      context: "inherit",
      prompt: "Go on.",
    });
    expect((await child.messages()).map(({ content }) => content)).toEqual([
      "How long?",
      "Three minutes.",
      "Go on.",
    ]);
    expect(await storage.getChildren(parent.meta.id)).toMatchObject([{ id: "c" }]);
  });

  test("keeps parent and child apart after a fork", async () => {
    const llm = scripted("a", "b", "c");
    const parent = await createSession({ storage: openStorage(), llm });
    await parent.send("one");
    const child = await parent.fork({ label: "Child", context: "inherit" });
    await parent.send("two");
    await child.send("three");
    expect(texts(await parent.messages()).map(([, text]) => text)).toEqual([
      "one",
      "a",
      "two",
      "b",
    ]);
    expect(texts(await child.messages()).map(([, text]) => text)).toEqual([
      "one",
      "a",
      "three",
      "c",
    ]);
    expect(child.meta.label).toBe("Child");
  });

  test("updates and loads what describes a session", async () => {
    const storage = openStorage();
    const session = await createSession({ storage, label: "Tea", metadata: { a: 1, b: 2 } });
    await session.updateMeta({ label: "Green tea", tags: ["tea"], metadata: { b: 3 } });
    const loaded = await loadSession(session.meta.id, { storage });
    expect(loaded?.meta).toEqual(session.meta);
    expect(session.meta).toMatchObject({
      label: "Green tea",
      role: "standard",
      status: "active",
      tags: ["tea"],
      metadata: { b: 3 },
    });
    expect(await loadSession("unknown", { storage })).toBeNull();
    expect(await loadMainSession(session.meta.id, { storage })).toBeNull();
  });

  test("says that a session was updated when its description was", async () => {
    const storage = openStorage();
    const session = await createSession({ storage });
    const before = session.meta.updatedAt;
    await new Promise((resolve) => setTimeout(resolve, 5));
    await session.updateMeta({ label: "Renamed" });
    expect(session.meta.updatedAt > before).toBe(true);
    const loaded = await loadSession(session.meta.id, { storage });
    expect(loaded?.meta.updatedAt).toBe(session.meta.updatedAt);
  });

  test("neither asks the model nor stores anything for a signal that is aborted", async () => {
    const llm = scripted("never");
    const session = await createSession({ storage: openStorage(), llm });
    const signal = AbortSignal.abort(new Error("Given up."));
    await expect(session.send("Hello", { signal })).rejects.toThrow("Given up.");
    await expect(session.stream("Hello", { signal }).result).rejects.toThrow("Given up.");
    expect(llm.contexts).toEqual([]);
    expect(await session.messages()).toEqual([]);
  });

  test("stores nothing of an answer that comes after its signal was aborted", async () => {
    const caller = new AbortController();
    const complete = async () => {
      caller.abort(new Error("Given up."));
      return { content: "Too late." };
    };
    const llm = { maxContextTokens: 1_000, complete };
    const session = await createSession({ storage: openStorage(), llm });
    await expect(session.send("Hello", { signal: caller.signal })).rejects.toThrow("Given up.");
    expect(await session.messages()).toEqual([]);
  });

  test("refuses every write to an archived session, also by another object", async () => {
    const storage = openStorage();
    const llm = scripted("never");
    const session = await createSession({ storage, llm });
    const other = await loadSession(session.meta.id, { storage, llm });
    await session.archive();

    expect(session.meta.status).toBe("archived");
    await expect(session.send("Hello")).rejects.toThrow(SessionArchivedError);
    await expect(other?.send("Hello")).rejects.toThrow(SessionArchivedError);
    expect(() => session.stream("Hello")).toThrow(SessionArchivedError);
    await expect(session.fork({ label: "Child" })).rejects.toThrow(SessionArchivedError);
    await expect(session.setInsight("new")).rejects.toThrow(SessionArchivedError);
    expect(llm.contexts).toEqual([]);
    expect(await session.messages()).toEqual([]);
  });
});

test("works on a storage of the documented methods alone", async () => {
  const storage = documentedMethods(new InMemoryStorageAdapter());
  const parent = await createSession({ storage, llm: scripted("a") });
  await parent.send("one");
  const child = await parent.fork({ label: "Child", context: "inherit" });
  expect(texts(await child.messages())).toEqual(texts(await parent.messages()));
});

const failing: LLMAdapter = {
  maxContextTokens: 1000,
  complete: () => Promise.reject(new Error("overloaded")),
};

function chunks(deltas: readonly string[]): NonNullable<LLMAdapter["stream"]> {
  return async function* () {
    for (const delta of deltas) yield { delta };
  };
}

async function collected(stream: AsyncIterable<string>): Promise<string[]> {
  const received: string[] = [];
  for await (const text of stream) received.push(text);
  return received;
}

/** Receives a new insight each time a transaction that has cleared the old one is about to commit. */
class InsightsAtCommit extends GroveStorage {
  readonly #sessionId: string;

  constructor(store: SessionStore, sessionId: string) {
    super(store);
    this.#sessionId = sessionId;
  }

  override async transaction<T>(fn: (tx: SessionStorage) => Promise<T>): Promise<T> {
    return super.transaction(async (tx) => {
      const result = await fn(tx);
      if ((await tx.getInsight(this.#sessionId)) === null)
        await this.putInsight(this.#sessionId, "new");
      return result;
    });
  }
}
