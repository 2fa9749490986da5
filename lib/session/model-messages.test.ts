import { convertToModelMessages, generateText, tool, type UIMessage } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compactionMessage } from "./compaction-message";
import type { SessionMessage } from "./message";
import { prepareForModel } from "./model-messages";
import { assistant, dynamicToolCall, toolCall, user } from "./testing";

const guide = { label: "skills", key: "guide" };
const nothingLoaded = { loadedSkills: [], loadSkill: () => null };
const guideLoaded = { loadedSkills: [guide], loadSkill: () => "The guide." };

const summary = compactionMessage({
  id: "c1",
  summary: "What was said.",
  fromMessageId: "a",
  toMessageId: "b",
  createdAt: new Date(),
});

describe("prepareForModel", () => {
  test("leaves an ordinary history as it is", async () => {
    const history = [
      user("q1"),
      assistant("a1", "text", toolCall("weather", {}, "drizzle")),
      user("q2"),
    ];
    expect(await prepareForModel(history, nothingLoaded)).toEqual(history);
  });

  test("gives calls ids, names and inputs that every provider takes", async () => {
    const call = {
      type: "tool-other app.find",
      toolCallId: "functions.find:0",
      state: "output-available",
      input: ["tree"],
      output: "found",
    };
    const [message] = await prepareForModel(
      [{ id: "a1", role: "assistant" as const, parts: [call] }],
      nothingLoaded,
    );
    expect(message?.parts).toEqual([
      {
        ...call,
        type: "tool-other_app_find",
        toolCallId: "functions_find_0-2",
        input: { input: ["tree"] },
      },
    ]);
  });

  test("drops reasoning that ends its step, and keeps what an answer follows", async () => {
    const thought = { type: "reasoning", text: "Hm" };
    const step = { type: "step-start" };
    const call = toolCall("weather", {}, "drizzle");
    const parts = [step, thought, call, thought, step, thought];
    const [message] = await prepareForModel(
      [{ id: "a1", role: "assistant" as const, parts }],
      nothingLoaded,
    );
    expect(message?.parts).toEqual([step, thought, call, step]);
  });

  test("turns calls without an answer into failed ones", async () => {
    const started = { type: "tool-weather", toolCallId: "1", state: "input-streaming" };
    const waiting = {
      ...dynamicToolCall("weather", { city: "Lisbon" }, undefined),
      state: "input-available",
    };
    const [message] = await prepareForModel(
      [assistant("a1", "text", started, waiting)],
      nothingLoaded,
    );
    expect(message?.parts.slice(1)).toEqual([
      {
        type: "tool-weather",
        toolCallId: "1",
        state: "output-error",
        input: {},
        errorText: "interrupted",
      },
      {
        type: "dynamic-tool",
        toolName: "weather",
        toolCallId: "call-weather",
        state: "output-error",
        input: { city: "Lisbon" },
        errorText: "interrupted",
      },
    ]);
  });

  test("what it gives is accepted by the AI SDK, every call with a result", async () => {
    const waiting = {
      ...toolCall("weather", { city: "Lisbon" }, undefined),
      state: "input-available",
    };
    const history: SessionMessage[] = [user("q1"), assistant("a1", "", waiting), user("q2")];
    const prepared = await prepareForModel(history, nothingLoaded);
    const model = await convertToModelMessages(prepared as unknown as UIMessage[]);
    expect(model.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  });

  test("makes instructions within the history the user's, as providers refuse them there", async () => {
    const history: SessionMessage[] = [user("q1"), { ...user("s1"), role: "system" }];
    expect(await prepareForModel(history, nothingLoaded)).toEqual([user("q1"), user("s1")]);
  });

  test("gives a result whose call is gone an empty input", async () => {
    const { input: _, ...result } = toolCall("weather", {}, "Sunny");
    const [message] = await prepareForModel([assistant("a1", "Look.", result)], nothingLoaded);
    expect(message?.parts[1]).toEqual({ ...result, input: {} });
  });

  test("drops messages with nothing for the model", async () => {
    const foreign = { type: "data-chart", data: [1, 2] };
    const link = { type: "source-url", sourceId: "1", url: "https://example.com" };
    const history: SessionMessage[] = [user("q1"), assistant("a1", "", foreign, link)];
    expect(await prepareForModel(history, nothingLoaded)).toEqual([user("q1")]);
  });

  test("keeps approvals in the last step of the last message", async () => {
    const earlier = approval("approval-responded", { id: "p0", approved: true });
    const last = [
      approval("approval-requested", { id: "p1" }),
      approval("approval-responded", { id: "p2", approved: true }),
      approval("output-denied", { id: "p3", approved: false, reason: "No." }),
    ];
    const message = assistant("a1", "text", earlier, { type: "step-start" }, ...last);
    const [prepared] = await prepareForModel([message], nothingLoaded);
    expect(prepared?.parts[1]).toMatchObject({ state: "output-error", errorText: "interrupted" });
    expect(prepared?.parts.slice(3)).toEqual(last);
  });

  test("ends approvals that the conversation left behind", async () => {
    const denied = approval("approval-responded", { id: "p2", approved: false, reason: "No." });
    const message = assistant("a1", "", approval("approval-requested", { id: "p1" }), denied);
    const [prepared] = await prepareForModel([message, user("q2")], nothingLoaded);
    expect(prepared?.parts).toEqual([
      {
        type: "tool-send",
        toolCallId: "call-p1",
        state: "output-error",
        input: { to: "Ada" },
        errorText: "interrupted",
      },
      { ...denied, state: "output-denied" },
    ]);
  });

  test("lets an approved tool run, and a refused one not", async () => {
    const sent: string[] = [];
    const send = tool({
      inputSchema: z.object({ to: z.string() }),
      needsApproval: true,
      execute: ({ to }) => {
        sent.push(to);
        return "sent";
      },
    });
    const answer = async (approved: boolean) => {
      const call = approval("approval-responded", { id: "p1", approved });
      const history = [user("q1"), assistant("a1", "", call)];
      const prepared = await prepareForModel(history, nothingLoaded);
      const messages = await convertToModelMessages(prepared as unknown as UIMessage[]);
      const { text } = await generateText({ model: finished("done"), messages, tools: { send } });
      return text;
    };
    expect(await answer(true)).toBe("done");
    expect(sent).toEqual(["Ada"]);
    expect(await answer(false)).toBe("done");
    expect(sent).toEqual(["Ada"]);
  });

  test("leaves a line in place of an unloaded document and the document while it is loaded", async () => {
    const load = toolCall("load_context", guide, "The guide.");
    const again = { ...load, toolCallId: "again" };
    const history = [user("q1"), assistant("a1", "", load), assistant("a2", "", again)];
    const outputs = async (options: Parameters<typeof prepareForModel>[1]) => {
      const messages = await prepareForModel(history, options);
      return messages.flatMap(({ parts }) => parts.map((part) => part.output)).filter(Boolean);
    };
    expect(await outputs(guideLoaded)).toEqual(["The guide.", "The guide."]);
    const note = '(Skill "guide" from skills was unloaded. Load it again to read it.)';
    expect(await outputs(nothingLoaded)).toEqual([note, note]);
  });

  test("adds documents that lie under a summary to the newest summary", async () => {
    const other = { ...summary, id: "compaction_c2" };
    const prepared = await prepareForModel([summary, other, user("q2")], guideLoaded);
    expect(prepared.map(({ parts }) => parts.map((part) => part.text))).toEqual([
      ["What was said."],
      ["What was said.", '[Loaded "guide" from skills]\nThe guide.'],
      ["q2"],
    ]);
  });

  test("adds documents a person loaded to the first question, and none that is gone", async () => {
    const history = [user("q1"), assistant("a1")];
    const [first] = await prepareForModel(history, guideLoaded);
    expect(first?.parts).toHaveLength(2);
    const gone = { loadedSkills: [guide], loadSkill: () => null };
    expect(await prepareForModel(history, gone)).toEqual(history);
  });

  test("adds documents to the first message where the user has said nothing", async () => {
    const answer = assistant("a1", "Hello.", toolCall("t", {}, 1));
    const [first] = await prepareForModel([answer], guideLoaded);
    const document = { type: "text", text: '[Loaded "guide" from skills]\nThe guide.' };
    expect(first?.parts).toEqual([document, ...answer.parts]);
  });

  test("drops blank texts, reasoning without an answer, and messages left empty", async () => {
    const reasoning = { type: "reasoning", text: "hm" };
    const prepared = await prepareForModel(
      [
        user("q1"),
        assistant("a1", " ", reasoning, { type: "step-start" }),
        assistant("a2", "", toolCall("t", {}, 1)),
        user("", ""),
      ],
      nothingLoaded,
    );
    expect(prepared.map(({ id, parts }) => [id, parts.map(({ type }) => type)])).toEqual([
      ["q1", ["text"]],
      ["a2", ["tool-t"]],
    ]);
  });

  test("never changes its arguments", async () => {
    const history = [
      summary,
      assistant("a1", "", { ...toolCall("t", {}, 1), state: "input-available" }),
    ];
    const before = structuredClone(history);
    await prepareForModel(history, guideLoaded);
    expect(history).toEqual(before);
  });
});

function approval(state: string, given: { id: string; approved?: boolean; reason?: string }) {
  const { output: _, ...call } = toolCall("send", { to: "Ada" }, undefined);
  return { ...call, type: "tool-send", toolCallId: `call-${given.id}`, state, approval: given };
}

function finished(text: string): MockLanguageModelV4 {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
  return new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: "text", text }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: { inputTokens: tokens, outputTokens: tokens },
      warnings: [],
    },
  });
}
