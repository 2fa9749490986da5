import { describe, expect, test, vi } from "vitest";
import { type CompactFunction, createCompactFunction } from "./compaction/create-compact-function";
import { InMemorySessionProvider } from "./in-memory/in-memory-session-provider";
import { InMemorySessionStore } from "./in-memory/in-memory-session-store";
import type { SessionMessage } from "./message";
import { Session } from "./session";
import { assistant, ids, user } from "./testing";
import { DocumentedCore } from "./testing/documented-core";
import { appendAll, numbered } from "./testing/numbered-messages";
import type { TokenCounter } from "./tokens/estimate-tokens";

describe("compaction", () => {
  function compacting(summarize: (prompt: string) => Promise<string> = async () => "short") {
    const provider = new InMemorySessionProvider();
    const errors: unknown[] = [];
    const session = Session.create(provider)
      .withContext("memory")
      .onCompaction(createCompactFunction({ summarize, protectHead: 1, tailTokenBudget: 60 }))
      .onCompactionError((error) => errors.push(error));
    return { provider, session, errors };
  }

  test("on demand shows a summary and refreshes the prompt", async () => {
    const { session } = compacting();
    await appendAll(session, numbered(1, 8));
    const frozen = await session.freezeSystemPrompt();
    await session.appendContextBlock("memory", "new");
    const compaction = await session.compact(undefined, { focus: "names" });
    expect(compaction).toMatchObject({
      summary: "short",
      fromMessageId: "m2",
      toMessageId: "m6",
      metadata: {
        author: "model",
        focus: "names",
        tokensBefore: await tokensOf(numbered(1, 8)),
        rangeTokens: await tokensOf(numbered(2, 6)),
      },
    });
    expect(ids(await session.getHistory())).toEqual([
      "m1",
      `compaction_${compaction?.id}`,
      "m7",
      "m8",
    ]);
    expect(compaction?.metadata?.tokensAfter).toBe((await session.countTokens()) - 4);
    expect(await session.freezeSystemPrompt()).not.toBe(frozen);
  });

  test("replaces an earlier summary, which shows again when the new one is removed", async () => {
    const prompts: string[] = [];
    const { session } = compacting(async (prompt) => {
      prompts.push(prompt);
      return `summary ${prompts.length}`;
    });
    await appendAll(session, numbered(1, 8));
    await session.compact();
    await appendAll(session, numbered(9, 14));
    const second = await session.compact();
    expect(prompts[1]).toContain("<previous-summary>\nsummary 1");
    expect(texts(await session.getHistory())).toEqual(["1", "summary 2", "13", "14"]);
    await session.tree.removeCompaction(second?.id ?? "");
    expect(texts(await session.getHistory())).toEqual([
      "1",
      "summary 1",
      "7",
      "8",
      "9",
      "10",
      "11",
      "12",
      "13",
      "14",
    ]);
  });

  test("gives a function of yours an earlier summary as one message, which its range may include", async () => {
    const received: string[][] = [];
    const ranges = [{ from: 1 }, { from: 2 }, { from: 1 }];
    const session = Session.create(new InMemorySessionProvider()).onCompaction(async (messages) => {
      const { from = 0 } = ranges[received.push(ids(messages)) - 1] ?? {};
      const [first, last] = [messages.at(from), messages.at(-2)];
      if (!first || !last) return null;
      return { fromMessageId: first.id, toMessageId: last.id, summary: `${received.length}` };
    });
    await appendAll(session, numbered(1, 4));
    const earlier = await session.compact();
    await appendAll(session, numbered(5, 8));
    const beside = await session.compact();
    const whole = await session.compact();
    expect(received.slice(1)).toEqual([
      ["m1", `compaction_${earlier?.id}`, "m4", "m5", "m6", "m7", "m8"],
      ["m1", `compaction_${earlier?.id}`, `compaction_${beside?.id}`, "m8"],
    ]);
    expect(beside).toMatchObject({ fromMessageId: "m4", toMessageId: "m7" });
    expect(whole).toMatchObject({ fromMessageId: "m2", toMessageId: "m7" });
    expect(ids(await session.getHistory())).toEqual(["m1", `compaction_${whole?.id}`, "m8"]);
  });

  test("replaces an earlier summary on storage of the documented core", async () => {
    const core = new DocumentedCore();
    let calls = 0;
    const summarize = async () => `summary ${++calls}`;
    const session = Session.create(core)
      .onCompaction(createCompactFunction({ summarize, protectHead: 1, tailTokenBudget: 60 }))
      .compactAfter(200);
    await appendAll(session, numbered(1, 40));
    expect(calls).toBeGreaterThan(2);
    expect(texts(await session.getHistory()).slice(0, 2)).toEqual(["1", `summary ${calls}`]);
    expect(await session.countTokens()).toBeLessThanOrEqual(200);
    const ends = core.getCompactions().flatMap((each) => [each.fromMessageId, each.toMessageId]);
    expect(ends.filter((id) => core.getMessage(id) === null)).toEqual([]);
    const byPerson = await session.addCompaction("mine", "compaction_1", "m40");
    expect(byPerson).toMatchObject({ fromMessageId: "m2", toMessageId: "m40" });
  });

  test("works on another branch, and leaves siblings untouched", async () => {
    const { session } = compacting();
    await appendAll(session, numbered(1, 9));
    await session.appendMessage(user("side"), "m2");
    const compaction = await session.compact("m9");
    expect(compaction?.toMessageId).toBe("m6");
    expect(ids(await session.getHistory())).toEqual(["m1", "m2", "side"]);
  });

  test("gives up when the range was changed while the summary was written", async () => {
    let change = async (): Promise<unknown> => undefined;
    const { session } = compacting(async () => {
      await change();
      return "short";
    });
    await appendAll(session, numbered(1, 8));
    change = () => session.updateMessage(assistant("m4", "edited"));
    expect(await session.compact()).toBeNull();
    change = () => session.addCompaction("by hand", "m2", "m3");
    expect(await session.compact()).toBeNull();
    change = () => session.appendMessage(user("m9"));
    expect(await session.compact()).not.toBeNull();
  });

  test("of the same session takes turns, over any number of objects", async () => {
    const store = new InMemorySessionStore();
    let running = 0;
    let most = 0;
    const open = () =>
      Session.create(store).onCompaction(
        createCompactFunction({
          protectHead: 1,
          tailTokenBudget: 60,
          summarize: async () => {
            most = Math.max(most, ++running);
            await Promise.resolve();
            running--;
            return "short";
          },
        }),
      );
    await appendAll(open(), numbered(1, 8));
    const results = await Promise.all([open().compact(), open().compact()]);
    expect(most).toBe(1);
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  test("needs a function", async () => {
    await expect(Session.create(new InMemorySessionProvider()).compact()).rejects.toThrow(
      "onCompaction()",
    );
  });

  test("runs automatically when the history is strictly over the threshold", async () => {
    const messages = numbered(1, 8);
    const total = await tokensOf(messages);
    for (const [threshold, expected] of [
      [total, 0],
      [total - 1, 1],
    ] as const) {
      const { session } = compacting();
      session.compactAfter(threshold);
      await appendAll(session, messages);
      expect(await session.getCompactions()).toHaveLength(expected);
    }
  });

  test("takes a share of a window and a counter of its own", async () => {
    const byShare = compacting().session.compactAfter({ share: 0.8, contextWindow: 200 });
    await appendAll(byShare, numbered(1, 8));
    expect(await byShare.getCompactions()).toHaveLength(1);
    const counted = compacting().session.compactAfter(7, {
      tokenCounter: (messages) => messages.length,
    });
    await appendAll(counted, numbered(1, 7));
    expect(await counted.countTokens()).toBe(7);
    expect(await counted.getCompactions()).toEqual([]);
    expect(() =>
      Session.create(new InMemorySessionProvider())
        .compactAfter(0)
        .on("append", () => undefined),
    ).toThrow("positive");
  });

  test("gives a counter the messages, also under their name, with prompt and blocks", async () => {
    const calls: unknown[] = [];
    const session = compacting().session.compactAfter(3, {
      tokenCounter: ({ messages, systemPrompt, contextBlocks }) => {
        calls.push([messages.length, systemPrompt.includes("MEMORY"), contextBlocks.length]);
        return messages.length;
      },
    });
    await appendAll(session, numbered(1, 3));
    expect(calls).toEqual([1, 2, 3].map((length) => [length, true, 1]));
    await appendAll(session, numbered(4, 5));
    expect(calls).toContainEqual([1, false, 0]);
    expect(await session.countTokens()).toBe(5);
  });

  test("warns once about each failure without a handler", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const failing = (compactFunction: CompactFunction, tokenCounter?: TokenCounter) =>
      Session.create(new InMemorySessionProvider())
        .onCompaction(compactFunction)
        .compactAfter(10, { tokenCounter });
    const gone = () => Promise.reject(new Error("model gone"));
    await appendAll(failing(gone), numbered(1, 16));
    await appendAll(
      failing(gone, () => Number.NaN),
      numbered(1, 3),
    );
    expect(warn.mock.calls.map(([warning]) => warning)).toEqual([
      "Automatic compaction failed: model gone",
      "Automatic compaction failed: A token counter returned NaN.",
    ]);
    warn.mockRestore();
  });

  test("counts the tokens of a whole call where `contextTokens` is given", async () => {
    const messages = numbered(1, 8);
    const total = await tokensOf(messages);
    for (const [besides, expected] of [
      [100, 0],
      [101, 1],
    ] as const) {
      const session = compacting().session.compactAfter(total + 100, {
        contextTokens: async (history) => (await tokensOf(history)) + besides,
      });
      await appendAll(session, messages);
      expect(await session.getCompactions()).toHaveLength(expected);
    }
  });

  test("does not keep the append waiting in the background", async () => {
    let release: ((summary: string) => void) | undefined;
    const { session } = compacting(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    session.compactAfter(190, { background: true });
    await appendAll(session, numbered(1, 8));
    expect(await session.getCompactions()).toEqual([]);
    await expect.poll(() => release).toBeDefined();
    release?.("short");
    await session.compactionSettled();
    expect(texts(await session.getHistory())).toContain("short");
  });

  test("that fails never fails the append, is reported, and is not tried at every message", async () => {
    let attempts = 0;
    const { session, errors } = compacting(async () => {
      attempts++;
      throw new Error("model gone");
    });
    session.compactAfter(150);
    await appendAll(session, numbered(1, 8));
    expect(attempts).toBe(1);
    await appendAll(session, numbered(9, 16));
    expect(attempts).toBeGreaterThan(1);
    expect(attempts).toBeLessThan(5);
    expect(errors).toHaveLength(attempts);
    expect(errors[0]).toMatchObject({ message: "model gone" });
    expect(await session.getPathLength()).toBe(16);
  });

  test("is not tried at every message when it cannot get below the threshold", async () => {
    let attempts = 0;
    const { session } = compacting(async () => `short ${++attempts}`);
    session.compactAfter(60);
    await appendAll(session, numbered(1, 40));
    expect(attempts).toBeLessThan(20);
    expect(attempts).toBeGreaterThan(2);
  });

  test("is not disturbed by a handler that fails", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const session = Session.create(new InMemorySessionProvider())
      .onCompaction(async () => Promise.reject(new Error("model gone")))
      .compactAfter(10)
      .onCompactionError(() => {
        throw new Error("handler gone");
      });
    expect((await session.appendMessage(numbered(1, 1)[0] ?? user("x"))).inserted).toBe(true);
    const warnings = warn.mock.calls.map(([warning]) => warning);
    expect(warnings).toEqual([
      expect.stringContaining("model gone"),
      expect.stringContaining("handler gone"),
    ]);
    warn.mockRestore();
  });

  test("can be considered before a model call", async () => {
    const { session, provider } = compacting();
    session.compactAfter(150);
    for (const message of numbered(1, 8)) await provider.appendMessage(message);
    expect((await session.compactIfNeeded())?.summary).toBe("short");
    expect(await session.compactIfNeeded()).toBeNull();
  });
});

async function tokensOf(messages: readonly SessionMessage[]): Promise<number> {
  const session = Session.create(new InMemorySessionProvider());
  await appendAll(session, messages);
  return session.countTokens();
}

function texts(messages: readonly SessionMessage[]): string[] {
  return messages.map(({ parts }) => String(parts[0]?.text).replace(/ x+$/, ""));
}
