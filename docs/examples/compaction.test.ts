import { generateText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import {
  buildSummaryPrompt,
  computeSummaryBudget,
  createCompactFunction,
  enforceRowSizeLimit,
  InMemorySessionStore,
  isCompactionMessage,
  Session,
  type SessionStore,
  SummaryRejectedError,
  shortenToolOutputs,
  truncateOlderMessages,
} from "grove-session";
import { assistant, ids, toolCall, user } from "grove-session/testing";
import { expect, test, vi } from "vitest";
import { onEveryStore } from "./every-store";

const words = "word ".repeat(100);
const summarize = async () => "## Topic\nWords.";
const small = { protectHead: 1, tailTokenBudget: 150, minTailMessages: 1 };

async function fill(session: Session, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) {
    const make = n % 2 === 1 ? user : assistant;
    await session.appendMessage(make(`m${n}`, `${n} ${words}`));
  }
}

async function conversation(store: SessionStore): Promise<Session> {
  const session = Session.create(store).onCompaction(
    createCompactFunction({ summarize, ...small }),
  );
  await fill(session, 1, 6);
  return session;
}

onEveryStore((openStore) => {
  test("setting up", async () => {
    const store = openStore();
    const myModel = modelThatSays("## Topic\nWords.");
    const report = vi.fn();

    const session = Session.create(store)
      .withContext("memory", { maxTokens: 1100 })
      .onCompaction(
        createCompactFunction({
          summarize: (prompt) => generateText({ model: myModel, prompt }),
          protectHead: 3,
          tailTokenBudget: 20_000,
          minTailMessages: 2,
        }),
      )
      .compactAfter(100_000)
      .onCompactionError(report);

    await fill(session, 1, 6);
    expect(await session.compact()).toBeNull();
    expect(myModel.doGenerateCalls).toEqual([]);
  });

  test("asking what would be summarized", async () => {
    const session = await conversation(openStore());

    const compact = createCompactFunction({ summarize, ...small });
    const summarized = await compact.preview(await session.getHistory());

    expect(ids(summarized)).toEqual(["m2", "m3", "m4"]);
    expect(await session.getCompactions()).toEqual([]);
  });

  test("compacting by hand", async () => {
    const session = await conversation(openStore());

    const compaction = await session.compact();
    const history = await session.getHistory();
    const overlays = await session.getCompactions();

    expect(compaction).toMatchObject({
      summary: "## Topic\nWords.",
      fromMessageId: "m2",
      toMessageId: "m4",
      createdAt: expect.any(Date),
      metadata: { author: "model", tokensBefore: expect.any(Number) },
    });
    expect(overlays).toEqual([compaction]);
    expect(ids(history)).toEqual(["m1", `compaction_${compaction?.id}`, "m5", "m6"]);
    expect(history.map(isCompactionMessage)).toEqual([false, true, false, false]);
    expect(history[1]).toMatchObject({
      role: "user",
      parts: [{ type: "text", text: "## Topic\nWords." }],
    });
    expect(await session.getPathLength()).toBe(6);
    expect(await session.getMessage("m3")).not.toBeNull();
  });

  test("compacting again", async () => {
    const prompts: string[] = [];
    const session = Session.create(openStore()).onCompaction(
      createCompactFunction({
        ...small,
        summarize: async (prompt) => {
          prompts.push(prompt);
          return `Summary ${prompts.length}.`;
        },
      }),
    );

    await fill(session, 1, 6);
    await session.compact();
    await fill(session, 7, 10);
    const second = await session.compact();

    expect(prompts[0]).not.toContain("<previous-summary>");
    expect(prompts[1]).toContain("<previous-summary>\nSummary 1.\n</previous-summary>");
    expect(ids(await session.getHistory())).toEqual([
      "m1",
      `compaction_${second?.id}`,
      "m9",
      "m10",
    ]);
    expect(await session.getCompactions()).toHaveLength(2);
  });

  test("undoing, editing and pinning", async () => {
    const session = await conversation(openStore());
    const { id } = await session.addCompaction("About words", "m2", "m4");

    await session.tree.updateCompaction(id, "About many words");
    await session.tree.setPinned("m3", true);
    const pinned = await session.getHistory();
    await session.tree.removeCompaction(id);
    const removed = await session.getHistory();
    await session.tree.restoreCompaction(id);
    const redone = await session.tree.replaceCompaction(id, "About words, more shortly");

    expect(ids(pinned)).toContain("m3");
    expect(pinned.find(isCompactionMessage)?.parts[0]).toMatchObject({ text: "About many words" });
    expect(ids(removed)).toEqual(["m1", "m2", "m3", "m4", "m5", "m6"]);
    expect((await session.getHistory()).find(isCompactionMessage)?.parts[0]).toMatchObject({
      text: "About words, more shortly",
    });
    expect((await session.getCompactions()).map((compaction) => compaction.id)).toEqual([
      redone.id,
    ]);
    await expect(session.addCompaction(" ", "m2", "m4")).rejects.toMatchObject({
      code: "invalid-argument",
    });
    await expect(session.addCompaction("S", "m4", "m2")).rejects.toMatchObject({
      code: "compaction-range",
    });
  });

  test("removing the upper one of two", async () => {
    const session = await conversation(openStore());
    const lower = await session.addCompaction("Lower", "m2", "m3");
    const upper = await session.addCompaction("Upper", "m2", "m5");
    expect(ids(await session.getHistory())).toEqual(["m1", `compaction_${upper.id}`, "m6"]);
    await session.tree.removeCompaction(upper.id);
    expect(ids(await session.getHistory())).toEqual([
      "m1",
      `compaction_${lower.id}`,
      ...["m4", "m5", "m6"],
    ]);
  });

  test("other branches", async () => {
    const session = await conversation(openStore());
    await session.appendMessage(assistant("m2-again"), "m1", { activate: false });
    await session.addCompaction("About words", "m2", "m4");
    expect(ids(await session.getHistory("m2-again"))).toEqual(["m1", "m2-again"]);
    expect(ids(await session.getHistory("m3"))).toEqual(["m1", "m2", "m3"]);
  });

  test("automatic compaction", async () => {
    const session = Session.create(openStore())
      .onCompaction(createCompactFunction({ summarize, ...small }))
      .compactAfter({ share: 0.8, contextWindow: 1_000 });

    await fill(session, 1, 8);
    const tokens = await session.countTokens();

    expect(tokens).toBeLessThanOrEqual(800);
    expect(await session.getCompactions()).toHaveLength(1);
    expect(await session.getPathLength()).toBe(8);
  });

  test("a summarizer that fails", async () => {
    const onError = vi.fn();
    const summarizer = vi.fn(async () => "");
    const session = Session.create(openStore())
      .onCompaction(createCompactFunction({ summarize: summarizer, ...small }))
      .compactAfter(500)
      .onCompactionError(onError);

    await fill(session, 1, 12);

    expect(await session.getPathLength()).toBe(12);
    expect(onError).toHaveBeenCalledWith(new SummaryRejectedError("blank"));
    expect(onError).toHaveBeenCalledTimes(summarizer.mock.calls.length);
    expect(summarizer.mock.calls.length).toBeLessThan(7);
    await expect(session.compact()).rejects.toThrow(SummaryRejectedError);
  });

  test("in the background", async () => {
    const session = Session.create(openStore())
      .onCompaction(createCompactFunction({ summarize, ...small }))
      .compactAfter(800, { background: true });
    await fill(session, 1, 6);

    await session.compactionSettled();

    expect(await session.countTokens()).toBeLessThanOrEqual(800);
    expect(await session.compactIfNeeded()).toBeNull();
  });

  test("with a focus", async () => {
    const summarizer = vi.fn(summarize);
    const session = Session.create(openStore()).onCompaction(
      createCompactFunction({ summarize: summarizer, ...small }),
    );
    await fill(session, 1, 6);

    const compaction = await session.compact(undefined, { focus: "names and dates" });

    expect(compaction?.metadata?.focus).toBe("names and dates");
    expect(summarizer.mock.calls).toEqual([
      [expect.stringContaining("Keep above all: names and dates"), undefined],
    ]);
  });
});

test("a function of your own", async () => {
  const session = Session.create(new InMemorySessionStore()).onCompaction(async (messages) => {
    const [first, last] = [messages.at(1), messages.at(-2)];
    if (!first || !last || messages.length < 4) return null;
    return {
      fromMessageId: first.id,
      toMessageId: last.id,
      summary: `${messages.length} messages`,
    };
  });
  await fill(session, 1, 6);
  expect(await session.compact()).toMatchObject({ fromMessageId: "m2", toMessageId: "m5" });
});

test("what cannot be summarized so", async () => {
  const answers = ["", { text: "Cut off in the", finishReason: "length" }, words.repeat(20)];
  const reasons = ["blank", "truncated", "too-long"] as const;
  for (const [index, answer] of answers.entries()) {
    const compact = createCompactFunction({ summarize: async () => answer, ...small });
    const session = Session.create(new InMemorySessionStore()).onCompaction(compact);
    await fill(session, 1, 6);
    await expect(session.compact()).rejects.toMatchObject({ reason: reasons[index] });
    expect(await session.getCompactions()).toEqual([]);
  }
});

test("a threshold that can never be right", async () => {
  const session = Session.create(new InMemorySessionStore()).compactAfter(0);
  await expect(session.getHistory()).rejects.toMatchObject({ code: "invalid-argument" });
});

test("the prompt for a summary", () => {
  const messages = [user("q1", words), assistant("a1", words)];

  const prompt = buildSummaryPrompt(messages, { focus: "numbers" });
  const budgets = [100, 5_000, 1_000_000].map(computeSummaryBudget);

  expect(budgets).toEqual([100, 1_000, 4_000]);
  for (const heading of ["Topic", "Key Points", "Current State", "Open Items"]) {
    expect(prompt).toContain(`## ${heading}`);
  }
  expect(prompt).toContain("Write at most 100 tokens");
  expect(prompt).toContain("Keep above all: numbers");
});

test("large tool outputs", async () => {
  const session = Session.create(new InMemorySessionStore());
  const fetched = toolCall("fetch", {}, "x".repeat(312_450));
  await session.appendMessage(assistant("a1", "word ".repeat(60_000), fetched));

  const history = await session.getModelHistory();
  const { messages, shortened } = shortenToolOutputs(history, {
    maxChars: 20_000,
    isSentInFull: ({ messageId, toolCallId }) => messageId === "a1" && toolCallId === "call-other",
  });

  expect(shortened).toEqual([
    {
      messageId: "a1",
      toolCallId: "call-fetch",
      toolName: "fetch",
      shownChars: 20_000,
      totalChars: 312_450,
    },
  ]);
  expect(messages[0]?.parts[0]).toEqual(history[0]?.parts[0]);
  expect(messages[0]?.parts[1]).toMatchObject({
    output: `${"x".repeat(20_000)}… [truncated: the first 20,000 of 312,450 characters]`,
  });
  expect(shortenToolOutputs(history).messages).toEqual(messages);
});

test("micro-compaction", async () => {
  const session = Session.create(new InMemorySessionStore());
  const output = { rows: Array.from({ length: 900 }, (_, n) => ({ n })) };
  await session.appendMessage(assistant("a1", "Here.", toolCall("list", {}, output)));
  await fill(session, 3, 6);

  const history = await session.getModelHistory();
  const shorter = truncateOlderMessages(history, {
    keepRecent: 4,
    maxToolOutputChars: 500,
    maxTextChars: 10_000,
  });

  const shown = shorter[0]?.parts[1] as { output: typeof output } | undefined;
  expect(shown?.output.rows[0]).toEqual({ n: 0 });
  expect(JSON.stringify(shown?.output).length).toBeLessThanOrEqual(600);
  expect(shorter.slice(1)).toEqual(history.slice(1));
  expect(truncateOlderMessages(history)).toEqual(shorter);
  expect((await session.getMessage("a1"))?.parts[1]).toMatchObject({ output });
});

test("large messages", () => {
  const message = assistant("a1", "Done.", toolCall("list", {}, "x".repeat(2_000_000)));

  const smaller = enforceRowSizeLimit(message, { maxBytes: 1_000_000 });

  expect(smaller.parts[1]?.output).toBe(
    `${"x".repeat(500)}… [truncated: the first 500 of 2,000,000 characters. Run list again to see all of it.]`,
  );
  expect(enforceRowSizeLimit(message)).toEqual(smaller);
  expect(enforceRowSizeLimit(user("q1"))).toEqual(user("q1"));
});

function modelThatSays(text: string): MockLanguageModelV4 {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  return new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: "text", text }],
      finishReason: { unified: "stop", raw: undefined },
      usage: { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } },
      warnings: [],
    }),
  });
}
